import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileNameOf, withMark } from "../../src/output/file_name.ts";

describe("fileNameOf()", () => {
  test.each([
    ["https://a.test/", "text/html", "a.test/index.html"],
    ["https://a.test/docs/", "application/json", "a.test/docs/index.json"],
    ["https://a.test/docs/", undefined, "a.test/docs/index"],
    ["https://a.test/docs", "text/html", "a.test/docs.html"],
    ["https://a.test/a.htm", "text/html", "a.test/a.htm"],
    ["https://a.test/a.PHP", "text/html", "a.test/a.PHP.html"],
    ["https://a.test/logo.png", "image/png", "a.test/logo.png"],
    ["https://a.test/logo", "image/svg+xml", "a.test/logo.svg"],
    ["https://a.test/tool.py", "text/plain", "a.test/tool.py"],
    ["https://a.test/README", "text/plain", "a.test/README.txt"],
    ["https://a.test/x.bin", "application/octet-stream", "a.test/x.bin"],
    ["https://a.test:8080/a", "text/html", "a.test+8080/a.html"],
    ["https://a.test/a.css?v=3", "text/css", "a.test/a@v=3.css"],
    ["https://a.test/?q=a/b", "text/html", "a.test/index@q=a%2Fb.html"],
    ["https://a.test/a?", "text/html", "a.test/a.html"],
    ["https://a.test/caf%C3%A9/%E6%97%A5", "text/html", "a.test/café/日.html"],
    ["https://a.test/cafe%CC%81", "text/html", "a.test/café.html"],
    ["https://a.test/%ff", "text/html", "a.test/%ff.html"],
    ["https://a.test//a", "text/html", "a.test/_/a.html"],
  ])("names %s (%s) %s", (url, type, name) => {
    expect(fileNameOf(url, type)).toBe(name);
  });

  test.each([
    ["a document sent as text", "https://a.test/evil.html", "text/plain", "a.test/evil.html.txt"],
    ["an image named as a page", "https://a.test/x.html", "image/png", "a.test/x.html.png"],
    ["steps up", "https://a.test/%2e%2e%2f%2e%2e%2fetc/passwd", undefined, "a.test/..%2F..%2Fetc/passwd"],
    ["a name of dots", "https://a.test/a/..%00/x", undefined, "a.test/a/..%00/x"],
    ["three dots", "https://a.test/.../x", undefined, "a.test/..%2E/x"],
    ["backslashes", "https://a.test/%5C..%5Cx", undefined, "a.test/%5C..%5Cx"],
    ["a drive and a stream", "https://a.test/C%3A/x%3Ay", undefined, "a.test/C%3A/x%3Ay"],
    ["NUL and line breaks", "https://a.test/a%00b%0Ac", undefined, "a.test/a%00b%0Ac"],
    ["what is not seen", "https://a.test/a%E2%80%AEgpj.exe", undefined, "a.test/a%E2%80%AEgpj.exe"],
    ["devices of Windows", "https://a.test/con/NUL.txt", "text/plain", "a.test/_con/_NUL.txt"],
    ["a device with a digit", "https://a.test/COM1", "text/html", "a.test/_COM1.html"],
    ["no device", "https://a.test/console/com10", undefined, "a.test/console/com10"],
    ["a final dot", "https://a.test/a./b.", undefined, "a.test/a%2E/b%2E"],
    ["spaces at the ends", "https://a.test/%20a%20/b", undefined, "a.test/%20a%20/b"],
    ["a short name of Windows", "https://a.test/PROGRA~1", undefined, "a.test/PROGRA%7E1"],
    ["an address of IPv6", "http://[::1]:81/", "text/html", "[%3A%3A1]+81/index.html"],
  ])("takes %s for a mere name", (_, url, type, name) => {
    expect(fileNameOf(url, type)).toBe(name);
  });

  test("cuts what is too long between two characters, and tells by a digest what was cut", () => {
    const long = "é".repeat(300);
    const one = fileNameOf(`https://a.test/${long}?1`, "text/html");
    const other = fileNameOf(`https://a.test/${long}?2`, "text/html");
    expect(one).toMatch(/^a\.test\/é+~[0-9a-f]{16}\.html$/);
    expect(new TextEncoder().encode(one.slice("a.test/".length)).length).toBeLessThanOrEqual(200);
    expect(other).not.toBe(one);
    expect(fileNameOf(`https://a.test/${"a/".repeat(300)}x.css`, "text/css")).toMatch(
      /^a\.test\/~\/[0-9a-f]{16}\.css$/,
    );
  });

  test("never leads out of its folder, nor to a name that some disk refuses", () => {
    const piece = fc.constantFrom(
      "..",
      ".",
      "/",
      "%2f",
      "\\",
      "%5c",
      "%00",
      ":",
      "a",
      "nul",
      "%2e",
      " ",
      "%20",
      "~1",
      "?",
      "%F0%9F%98%80",
      "é",
      "*",
      "%e2%80%8b",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.constantFrom("text/html", "text/plain", undefined),
        (pieces, type) => {
          const path = fileNameOf(`https://a.test/${pieces.join("")}`, type);
          const names = path.split("/");
          expect(names[0]).toBe("a.test");
          expect(names.length).toBeGreaterThan(1);
          for (const name of names) {
            expect(name).not.toMatch(/[\x00-\x1f<>:"\\|?*\u200b]|[. ]$|^ |^$|^nul(\.|$)|~\d/i);
            expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("withMark()", () => {
  test("stands before the extension, or at the end where there is none", () => {
    expect(withMark("a.test/b.c/d.html", "1f")).toBe("a.test/b.c/d~1f.html");
    expect(withMark("a.test/b.c/d", "1f")).toBe("a.test/b.c/d~1f");
    expect(withMark("a.test/.d", "1f")).toBe("a.test/.d~1f");
  });
});
