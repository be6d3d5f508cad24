import { describe, expect, test } from "vitest";
import { toJsonLines } from "../../src/output/jsonl.ts";
import { endless, failureOf, holdsBack, pageOf, skipOf, streamOf, textOf } from "./results.ts";

describe("toJsonLines()", () => {
  test("tells of a page what is small, and of a part that is not there nothing", async () => {
    const page = pageOf("https://a.test/b", "<title>B &amp; b</title><link rel=canonical href=/c>", {
      depth: 1,
      referrer: "https://a.test/",
      redirects: [{ url: "https://a.test/old", status: 301 }],
      tag: "docs",
      data: { id: 7 },
    });
    const text = await textOf(streamOf(page, pageOf("https://a.test/x")).pipeThrough(toJsonLines()));
    const [first, second, rest] = text.split("\n");
    expect(JSON.parse(first!)).toEqual({
      type: "page",
      url: "https://a.test/b",
      status: 200,
      depth: 1,
      referrer: "https://a.test/",
      redirects: [{ url: "https://a.test/old", status: 301 }],
      contentType: "text/html",
      title: "B & b",
      canonical: "https://a.test/c",
      bytes: 52,
      startedAt: "2026-03-04T05:06:07.089Z",
      responseMs: 12.5,
      tag: "docs",
      data: { id: 7 },
    });
    expect(Object.keys(JSON.parse(second!))).toEqual([
      "type",
      "url",
      "status",
      "depth",
      "contentType",
      "bytes",
      "startedAt",
      "responseMs",
    ]);
    expect(rest).toBe("");
  });

  test("tells of failures the fault and its causes, of skips why", async () => {
    const fault = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:9") });
    const results = streamOf(
      failureOf("https://a.test/f", fault, { depth: 2, referrer: "https://a.test/" }),
      skipOf("https://a.test/s", "forbidden by line 3"),
    );
    expect((await textOf(results.pipeThrough(toJsonLines()))).split("\n")).toEqual([
      '{"type":"failure","url":"https://a.test/f","reason":"connect","detail":"fetch failed: connect ECONNREFUSED 127.0.0.1:9","attempts":3,"depth":2,"referrer":"https://a.test/"}',
      '{"type":"skip","url":"https://a.test/s","reason":"robots","detail":"forbidden by line 3","referrer":"https://a.test/"}',
      "",
    ]);
  });

  test("says a cause that repeats itself once, and comes to an end with causes in a circle", async () => {
    const circle = new Error("a");
    circle.cause = new Error("b", { cause: circle });
    const lines = await textOf(
      streamOf(failureOf("https://a.test/", circle)).pipeThrough(toJsonLines({ fields: ["detail"] })),
    );
    expect(lines).toBe('{"detail":"a: b"}\n');
  });

  test("gives text, body, headers, links and charset when they are asked for, in the order of `fields`", async () => {
    const page = pageOf(
      "https://a.test/",
      Uint8Array.from([0x3c, 0x61, 0x20, 0x68, 0x72, 0x65, 0x66, 0x3d, 0x78, 0x3e, 0xe9]),
      {
        contentType: "text/html; charset=windows-1252",
      },
    );
    const line = await textOf(
      streamOf(page).pipeThrough(toJsonLines({ fields: ["text", "body", "links", "charset", "headers"] })),
    );
    expect(line).toBe(
      '{"text":"<a href=x>é","body":"PGEgaHJlZj14Puk=","links":["https://a.test/x"],"charset":"windows-1252","headers":{"content-type":"text/html; charset=windows-1252"}}\n',
    );
  });

  test("keeps a result on one line, for readers who end lines at Unicode's separators too", async () => {
    const title = "one\u2028two\u2029three\u0085four five\ud800";
    const line = await textOf(
      streamOf(pageOf("https://a.test/", "", { data: title })).pipeThrough(toJsonLines({ fields: ["data"] })),
    );
    expect(line).toBe('{"data":"one\\u2028two\\u2029three\\u0085four five\\ud800"}\n');
    expect(JSON.parse(line)).toEqual({ data: title });
  });

  test.runIf(holdsBack)("asks for no more than one result ahead of its reader", async () => {
    const source = endless((n) => pageOf(`https://a.test/${n}`));
    const reader = source.stream.pipeThrough(toJsonLines()).getReader();
    for (let n = 1; n <= 5; n++) {
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 0));
      expect(source.asked).toBeLessThanOrEqual(n + 1);
    }
    await reader.cancel("enough");
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(source.cancelled).toBe("enough");
  });

  test("refuses what is no field, and names the nearest", () => {
    expect(() => toJsonLines({ fields: ["urls" as "url"] })).toThrow(
      "Cannot crawl as there is no option 'fields: urls': did you mean 'fields: url'?",
    );
    expect(() => toJsonLines({ fields: [] })).toThrow(TypeError);
    expect(() => toJsonLines({ fields: ["url", "url"] })).toThrow(
      "'fields' must be a list of different names",
    );
    expect(() => toJsonLines({ field: ["url"] } as object)).toThrow("did you mean 'fields'?");
  });
});
