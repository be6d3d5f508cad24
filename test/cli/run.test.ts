import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FLAGS } from "../../src/cli/flags.ts";
import { VERSION } from "../../src/version.ts";
import { temporaryFolder } from "../output/folder.ts";
import { RecordedOutput } from "./recorded_output.ts";
import { runOn, type Web } from "./run_on.ts";

const SITE: Web = {
  "https://a.test/": `<title>Home</title><a href="/b">B</a><a href="https://other.test/">Other</a>`,
  "https://a.test/b": `<title>B</title>`,
};

describe("run()", () => {
  test("prints one line a page and ends with 0", async () => {
    const { code, out, err } = await runOn(SITE, ["https://a.test/"]);
    expect(code).toBe(0);
    expect(out).toBe("200\t0\thttps://a.test/\tHome\n200\t1\thttps://a.test/b\tB\n");
    expect(err).toMatch(/^done: 2 pages in .*, 1 skip\nstatuses: 200 2(, .*)?\nskips: scope 1\n$/);
  });

  test("hands the flags to the crawl", async () => {
    const { code, out, err } = await runOn(SITE, ["https://a.test/", "--max-pages", "1"]);
    expect(code).toBe(0);
    expect(out).toBe("200\t0\thttps://a.test/\tHome\n");
    expect(err).toContain("ended at --max-pages: 1 page in ");
    expect((await runOn(SITE, ["https://a.test/", "--max-depth", "0"])).out).toBe(out);
  });

  test("takes an answer with an error status for a page, and ends with 0", async () => {
    const { code, out } = await runOn({ "https://a.test/": { status: 404 } }, ["https://a.test/"]);
    expect({ code, out }).toEqual({ code: 0, out: "404\t0\thttps://a.test/\t\n" });
  });

  test("says why a URL that was asked for was left alone, and ends with 1 where no page came", async () => {
    const web = { ...SITE, "https://a.test/robots.txt": "User-agent: *\nDisallow: /" };
    const { code, out, err } = await runOn(web, ["https://a.test/"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^skip\trobots\thttps:\/\/a\.test\/\t/);
  });

  test("stops, and asks for no more, when its reader has gone", async () => {
    const many = Array.from({ length: 50 }, (_, n) => `<a href="/${n}">${n}</a>`).join("");
    const out = new RecordedOutput({ lineLimit: 1 });
    const { code, err, log } = await runOn({ "https://a.test/": many }, ["https://a.test/"], { out });
    expect(code).toBe(0);
    expect(out.lines).toHaveLength(1);
    expect(log.length).toBeLessThan(20);
    expect(err).toContain("ended, as nobody reads its output any more: ");
  });

  test("answers wrong usage with one line and 2, before any request", async () => {
    for (const args of [[], ["--max-pages", "-1", "https://a.test/"], ["ftp://x"], ["not a url\x1b[31m\n"]]) {
      const { code, out, err, log } = await runOn(SITE, args);
      expect({ code, out, log }).toEqual({ code: 2, out: "", log: [] });
      expect(err).toMatch(/^dragline: [^\n\x1b]+ \(dragline --help tells more\)\n$/);
    }
  });

  test("answers --help with every flag, and --version with the version, on standard output", async () => {
    const { code, out, err } = await runOn(SITE, ["--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const { name, default: usual } of FLAGS) {
      expect(out).toMatch(new RegExp(`^  (?:-q, )?--${usual === "on" ? "no-" : ""}${name}\\b`, "m"));
    }
    expect(await runOn(SITE, ["--version"])).toMatchObject({ code: 0, out: `${VERSION}\n`, err: "" });
  });

  test("takes seeds from standard input and from a file, behind those of the arguments", async () => {
    const path = join(await temporaryFolder(), "seeds.txt");
    await writeFile(path, "# mine\nhttps://b.test/\n");
    const web = { "https://a.test/": "", "https://b.test/": "", "https://c.test/": "" };
    const byFile = await runOn(web, ["https://a.test/", "--input", path]);
    expect(byFile.out).toBe("200\t0\thttps://a.test/\t\n200\t0\thttps://b.test/\t\n");
    const byInput = await runOn(web, ["--input", "-"], { input: "https://c.test/\n" });
    expect(byInput.out).toBe("200\t0\thttps://c.test/\t\n");
  });

  test("takes options from a file and from variables, and flags before both", async () => {
    const config = join(await temporaryFolder(), "crawl.json");
    await writeFile(config, '{ "max-pages": 2, "user-agent": "FileBot/1.0" }');
    const variables = { DRAGLINE_CONFIG: config, DRAGLINE_USER_AGENT: "VarBot/1.0", DRAGLINE_DELAY: "0" };
    const { log, err } = await runOn(SITE, ["https://a.test/", "--max-pages", "1"], { variables });
    expect(err).toContain("ended at --max-pages: 1 page in ");
    expect(new Set(log.map(({ headers }) => headers.get("user-agent")))).toEqual(new Set(["FileBot/1.0"]));
  });

  test("tells what is missing or contradictory in one line", async () => {
    const folder = await temporaryFolder();
    const said = async (...args: string[]) => (await runOn(SITE, ["https://a.test/", ...args])).err;
    expect(await said("--offline")).toMatch(/^dragline: --offline needs --out /);
    expect(await said("--verify-mx")).toMatch(/^dragline: --verify-mx needs --emails /);
    expect(await said("--fields", "url")).toMatch(/^dragline: --fields needs --jsonl or --csv /);
    expect(await said("--jsonl", "-", "--csv", "-")).toMatch(/^dragline: only one of --jsonl and --csv /);
    expect(await said("--jsonl", "a", "--csv", "a")).toMatch(/^dragline: two outputs go to 'a' /);
    expect(await said("--replace", "--resume", "a")).toMatch(/^dragline: --replace would lose /);
    expect(await said("--jsonl", "-", "--fields", "urk")).toMatch(
      /no option 'fields: urk': did you mean 'fields: url'\?/,
    );
    expect(await said("--user-agent", "Bot\u00e9")).toMatch(
      /^dragline: .*'userAgent' must be visible ASCII text/,
    );
    expect(await said("--input", join(folder, "none"))).toMatch(/there is no such file or folder \(ENOENT\)/);
  });

  test("writes nothing to standard error under --quiet but one line of JSON", async () => {
    const web = { ...SITE, "https://b.test/": { fault: "ENOTFOUND" as const } };
    const { out, err } = await runOn(web, ["https://a.test/", "https://b.test/", "--quiet"]);
    expect(out).toBe("200\t0\thttps://a.test/\tHome\n200\t1\thttps://a.test/b\tB\n");
    expect(err.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(err)).toMatchObject({ finishReason: "done", pages: 2, outputs: {} });
  });

  test("gives results alone on standard output, in the format and with the fields that were asked for", async () => {
    const site = ["https://a.test/", "--fields", "url,status"];
    expect((await runOn(SITE, [...site, "--jsonl", "-"])).out).toBe(
      '{"url":"https://a.test/","status":200}\n{"url":"https://a.test/b","status":200}\n',
    );
    expect((await runOn(SITE, [...site, "--csv", "-"])).out).toBe(
      "url,status\r\nhttps://a.test/,200\r\nhttps://a.test/b,200\r\n",
    );
  });
});
