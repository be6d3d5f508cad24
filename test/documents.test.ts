import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { brokenLinks, unreached, withEmbedded } from "../scripts/documents.ts";

const nothing = (): boolean => false;

describe("brokenLinks()", () => {
  test("finds links to files that are not there, from the document's own folder", () => {
    const documents = new Map([
      ["README.md", "[a](docs/a.md) ![b](b.png)"],
      ["docs/a.md", "[r](../README.md) [gone](gone.md) [code](../src/crawl.ts)"],
    ]);
    expect(brokenLinks(documents, (path) => path === "src/crawl.ts")).toEqual([
      "README.md links to b.png, which is not there",
      "docs/a.md links to gone.md, which is not there",
    ]);
  });

  test("finds links to headings that are not there, by the names that GitHub gives them", () => {
    const text = "# One two, three!\n## `robots.txt`\n## `robots.txt`\n```sh\n# no heading\n```\n";
    const documents = new Map([
      ["a.md", `${text}[1](#one-two-three) [2](#robotstxt-1) [3](#no-heading)`],
      ["b.md", "[4](a.md#robotstxt) [5](a.md#robotstxt-2)"],
    ]);
    expect(brokenLinks(documents, nothing)).toEqual([
      "a.md links to #no-heading, and no heading of a.md is called so",
      "b.md links to a.md#robotstxt-2, and no heading of a.md is called so",
    ]);
  });

  test("leaves code and other sites alone", () => {
    const text =
      "`[a](b.md)` <https://a.test/> [c](https://a.test/x) [d](mailto:a@b.test)\n```md\n[e](f.md)\n```\n";
    expect(brokenLinks(new Map([["a.md", text]]), nothing)).toEqual([]);
  });
});

describe("unreached()", () => {
  test("gives the documents to which no chain of links leads", () => {
    const documents = new Map([
      ["README.md", "[a](docs/a.md)"],
      ["docs/a.md", "[b](b.md#part)"],
      ["docs/b.md", ""],
      ["docs/c.md", "[r](../README.md)"],
    ]);
    expect(unreached(documents, "README.md")).toEqual(["docs/c.md"]);
  });
});

describe("withEmbedded()", () => {
  const read = (path: string): string =>
    `// ${path}\nimport { crawl } from "../mod.ts";\nimport "./near.ts";\n`;
  const names = new Map([["mod.ts", "dragline"]]);
  const shown =
    '<!-- from examples/a.ts -->\n\n```ts\n// examples/a.ts\nimport { crawl } from "dragline";\nimport "./near.ts";\n```\n';

  test("puts a file's code below its marker, with the package's name in place of its path", () => {
    const text = "<!-- from examples/a.ts -->\n\n```ts\nold();\n```\n";
    expect(withEmbedded(`a\n\n${text}b\n`, read, names)).toBe(`a\n\n${shown}b\n`);
  });

  test("changes nothing where it is there, and no other code", () => {
    const text = `${shown}\n\`\`\`ts\nother();\n\`\`\`\n`;
    expect(withEmbedded(text, read, names)).toBe(text);
  });
});

describe("docs/options.md", () => {
  const read = (path: string): Promise<string> => readFile(new URL(`../${path}`, import.meta.url), "utf8");

  test("has a row for each option, and for nothing else", async () => {
    const source = (await read("src/options.ts"))
      .split("export interface CrawlOptions {")[1]!
      .split("\n}")[0]!;
    const options = [...source.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name = ""]) => name);
    expect(options.length).toBeGreaterThan(40);
    const rows = [...(await read("docs/options.md")).matchAll(/^\|([^|]+)\|/gm)];
    const documented = rows.flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(documented.sort()).toEqual(options.sort());
  });
});
