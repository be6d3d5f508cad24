import { describe, expect, it } from "vitest";
import { extractLinks, type Link } from "../../src/web/links.ts";
import vectors from "../vectors/links.json" with { type: "json" };

interface Expectation {
  a?: string[];
  aSet?: string[];
  link?: [rel: string, url: string][];
  img?: string[];
  frame?: string[];
  refresh?: string[];
  svg?: string[];
  base?: string;
}

/** What a vector calls by one name, by its kinds here. */
const KINDS: Record<"a" | "aSet" | "img" | "frame" | "refresh" | "svg", Link["kind"][]> = {
  a: ["a", "area"],
  aSet: ["a", "area"],
  img: ["img", "srcset"],
  frame: ["iframe", "frame"],
  refresh: ["refresh"],
  svg: ["svg"],
};

describe("extractLinks() on the vectors", () => {
  for (const { id, note, html, url, expect: expected } of vectors) {
    it(`finds what ${id} says${note === undefined ? "" : `: ${note}`}`, () => {
      const { base, links } = extractLinks(html, url, { assets: true });
      const found = (kinds: Link["kind"][]): string[] =>
        links.filter(({ kind }) => kinds.includes(kind)).map((link) => link.url);
      for (const [name, value] of Object.entries(expected as Expectation)) {
        if (name === "base") expect(base).toBe(value);
        else if (name === "link") {
          const pairs = links
            .filter(({ kind }) => kind === "link")
            .map((link) => [link.rel.join(" "), link.url]);
          expect(pairs).toEqual(value);
        } else if (name === "aSet") expect(new Set(found(KINDS.aSet))).toEqual(new Set(value));
        else expect(found(KINDS[name as keyof typeof KINDS])).toEqual(value);
      }
    });
  }
});
