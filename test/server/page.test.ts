import { describe, expect, it } from "vitest";
import { PAGE, PAGE_SCRIPT, pageResponse } from "../../src/server/page.ts";

describe("the live page", () => {
  it("names no outside address, and makes no markup of text", () => {
    const addresses = [...PAGE.matchAll(/(?:src|href|action)\s*=\s*"([^"]*)"/g)].map(([, url]) => url ?? "");
    expect(addresses.filter((url) => !url.startsWith("#") && !url.startsWith("data:"))).toEqual([]);
    expect(PAGE).not.toMatch(/@import|url\(/);
    expect(PAGE_SCRIPT).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/,
    );
  });

  it("labels each of its controls, and uses each id once", () => {
    const ids = [...PAGE.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const controls = [...PAGE.matchAll(/<(?:input|select|textarea) id="([^"]+)"/g)].map(([, id]) => id);
    expect(controls.length).toBeGreaterThan(10);
    for (const id of controls) {
      const isLabelled =
        PAGE.includes(`<label for="${id}">`) ||
        new RegExp(`<label[^>]*><span>[^<]+</span><input id="${id}"`).test(PAGE);
      expect(isLabelled, id).toBe(true);
    }
    const described = [...PAGE.matchAll(/aria-(?:describedby|labelledby)="([^"]+)"/g)].flatMap(([, list]) =>
      list!.split(" "),
    );
    expect(described.filter((id) => !ids.includes(id))).toEqual([]);
  });
});

describe("pageResponse()", () => {
  it("allows its own style and script alone", async () => {
    const response = await pageResponse();
    const policy = response.headers.get("content-security-policy") ?? "";
    const inside = async (tag: string): Promise<string> => {
      const text = PAGE.slice(PAGE.indexOf(`<${tag}>`) + tag.length + 2, PAGE.lastIndexOf(`</${tag}>`));
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
    };
    expect(policy).toContain(`script-src ${await inside("script")};`);
    expect(policy).toContain(`style-src ${await inside("style")};`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
    expect(await response.text()).toBe(PAGE);
  });
});
