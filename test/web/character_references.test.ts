import fc from "fast-check";
import { type DefaultTreeAdapterMap, parseFragment } from "parse5";
import { describe, expect, it } from "vitest";
import { namedReferences } from "../../src/web/character_reference_names.ts";
import { decodeCharacterReferences } from "../../src/web/character_references.ts";

type Element = DefaultTreeAdapterMap["element"];
type TextNode = DefaultTreeAdapterMap["textNode"];

function parsedText(source: string): string {
  const paragraph = parseFragment(`<p>${source}</p>`).childNodes[0] as Element;
  return paragraph.childNodes.map((node) => (node as TextNode).value).join("");
}

function parsedAttribute(source: string): string | undefined {
  return (parseFragment(`<p x="${source}"></p>`).childNodes[0] as Element).attrs[0]?.value;
}

const { byName, legacy } = namedReferences();

describe("decodeCharacterReferences()", () => {
  it("knows as many names as the standard", () => {
    expect(byName.size + legacy.size).toBe(2231);
  });

  it("decodes each name as parse5 does", () => {
    for (const name of byName.keys()) {
      const reference = `&${name};`;
      const decoded = decodeCharacterReferences(reference, false);
      expect(decoded).not.toBe(reference);
      expect(decoded).toBe(parsedText(reference));
    }
  });

  it("takes 106 names without a semicolon, in text wherever they stand", () => {
    expect(legacy.size).toBe(106);
    for (const name of legacy) {
      for (const source of [`&${name}`, `&${name}x`, `&${name} `, `&${name}=`, `&${name}&${name};`]) {
        expect(decodeCharacterReferences(source, false)).toBe(parsedText(source));
        expect(decodeCharacterReferences(source, true)).toBe(parsedAttribute(source));
      }
    }
  });

  it("keeps a query's parameters whole in an attribute", () => {
    expect(decodeCharacterReferences("?a=1&copy=2&lt=3&amp;b=4", true)).toBe("?a=1&copy=2&lt=3&b=4");
    expect(decodeCharacterReferences("?a=1&copy=2", false)).toBe("?a=1©=2");
  });

  it("takes the longest name", () => {
    expect(decodeCharacterReferences("&notin;&notit;&not;&no", false)).toBe("∉¬it;¬&no");
  });

  it("reads numbers, with the odd ones replaced", () => {
    expect(decodeCharacterReferences("&#65;&#x41;&#X41&#0065;", false)).toBe("AAAA");
    expect(decodeCharacterReferences("&#0;&#xD800;&#x110000;&#99999999999999999999;", false)).toBe(
      "\uFFFD".repeat(4),
    );
    expect(decodeCharacterReferences("&#;&#x;&#xg;&", false)).toBe("&#;&#x;&#xg;&");
    for (let code = 0x7f; code <= 0xa0; code++) {
      expect(decodeCharacterReferences(`&#${code};`, false)).toBe(parsedText(`&#${code};`));
    }
  });

  it("agrees with parse5 on anything that looks like references", () => {
    const piece = fc.oneof(
      fc.constantFrom(..."&&&#;xX=a1 ", "&#", "&#x", "&amp", "&not", "&notin;", "1114112", "d800", "é"),
      fc.constantFrom(...byName.keys()).map((name) => `&${name}`),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const source = pieces.join("");
        expect(decodeCharacterReferences(source, false)).toBe(parsedText(source));
        expect(decodeCharacterReferences(source, true)).toBe(parsedAttribute(source));
      }),
      { numRuns: 3_000 },
    );
  });
});
