import { existsSync } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { WARCParser, WARCSerializer } from "warcio";
import { toWarc, type WarcOptions } from "../../src/output/warc.ts";
import type { CrawlResult } from "../../src/result.ts";
import { filesIn, temporaryFolder } from "./folder.ts";
import { endless, failureOf, pageOf, skipOf, streamOf } from "./results.ts";

/** A record, read by warcio. */
interface Read {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The block's HTTP head, line by line. */
  readonly head: readonly string[];
  readonly payload: string;
  /** Where its gzip member begins. */
  readonly offset: number;
}

async function recordsOf(path: string): Promise<Read[]> {
  const records: Read[] = [];
  const parser = new WARCParser([new Uint8Array(await readFile(path))], { keepHeadersCase: true });
  for await (const record of parser) {
    const { httpHeaders, warcHeaders, warcType } = record;
    records.push({
      type: warcType,
      headers: Object.fromEntries(warcHeaders.headers),
      head: httpHeaders?.toString().trimEnd().split("\r\n") ?? [],
      payload: new TextDecoder().decode(await record.readFully(false)),
      offset: parser.offset,
    });
  }
  return records;
}

async function archive(results: CrawlResult[], options?: WarcOptions): Promise<Read[]> {
  const path = join(await temporaryFolder(), "crawl.warc.gz");
  await streamOf(...results).pipeTo(toWarc(path, options));
  return recordsOf(path);
}

const page = (n: number) => pageOf(`https://a.test/${n}`, `page ${n}`);
const typesOf = (records: readonly Read[]): string[] => records.map(({ type }) => type);
const targetsOf = (records: readonly Read[], type: string): (string | undefined)[] =>
  records.filter((record) => record.type === type).map(({ headers }) => headers["WARC-Target-URI"]);

describe("toWarc()", () => {
  test("writes response, request and metadata of a page, and tells whose they are", async () => {
    const [info, response, request, metadata] = await archive([
      pageOf("https://a.test/b?c", "<p>hi", {
        depth: 2,
        referrer: "https://a.test/",
        redirects: [{ url: "https://a.test/old", status: 301 }],
        headers: { "X-Mine": "1", Authorization: "Basic c2VjcmV0", cookie: "s=1" },
        responseHeaders: { server: "test" },
      }),
    ]);
    const date = "2026-03-04T05:06:07.089Z";
    const infoId = info!.headers["WARC-Record-ID"];
    const id = response!.headers["WARC-Record-ID"];
    expect(infoId).toMatch(/^<urn:uuid:[0-9a-f-]{36}>$/);
    expect(response).toMatchObject({
      type: "response",
      headers: {
        "WARC-Target-URI": "https://a.test/b?c",
        "WARC-Date": date,
        "WARC-Warcinfo-ID": infoId,
        "Content-Type": "application/http; msgtype=response",
        // printf '<p>hi' | sha1sum | xxd -r -p | base32
        "WARC-Payload-Digest": "sha1:Q4JC6POHK2CXJLM2SEXSFZRG4XBGAQB7",
        "WARC-Block-Digest": expect.stringMatching(/^sha1:[A-Z2-7]{32}$/),
      },
      head: ["HTTP/1.1 200 OK", "content-type: text/html", "server: test", "content-length: 5"],
      payload: "<p>hi",
    });
    expect(request).toMatchObject({
      type: "request",
      headers: { "WARC-Target-URI": "https://a.test/b?c", "WARC-Date": date, "WARC-Concurrent-To": id },
      head: ["GET /b?c HTTP/1.1", "host: a.test", "X-Mine: 1"],
      payload: "",
    });
    expect(metadata).toMatchObject({
      type: "metadata",
      headers: { "WARC-Concurrent-To": id, "Content-Type": "application/warc-fields" },
      payload:
        "via: https://a.test/\r\nhopsFromSeed: LL\r\nfetchTimeMs: 13\r\nredirect: 301 https://a.test/old\r\n",
    });
    expect(
      new Set([info, response, request, metadata].map((each) => each!.headers["WARC-Record-ID"])).size,
    ).toBe(4);
  });

  test("opens with a warcinfo record, to which the caller adds", async () => {
    const [info] = await archive([], { info: { operator: "Jane", isPartOf: "tests" } });
    expect(info).toMatchObject({ type: "warcinfo", headers: { "WARC-Filename": "crawl.warc.gz" } });
    expect(info!.payload).toMatch(
      /^software: dragline\/\d.*\r\nformat: WARC File Format 1\.1\r\nconformsTo: http:.*\r\nhttp-bodies: decoded.*\r\noperator: Jane\r\nisPartOf: tests\r\n$/,
    );
  });

  test("begins every record with its version, in a gzip member of its own", async () => {
    const path = join(await temporaryFolder(), "crawl.warc.gz");
    await streamOf(page(1)).pipeTo(toWarc(path));
    const octets = await readFile(path);
    const records = await recordsOf(path);
    expect(records).toHaveLength(4);
    for (const { offset } of records) expect([...octets.subarray(offset, offset + 2)]).toEqual([0x1f, 0x8b]);
    for await (const record of new WARCParser([new Uint8Array(octets)])) {
      expect(record.warcHeaders.statusline).toBe("WARC/1.1");
      await record.skipFully();
    }
  });

  test("tells in its headers that the body is decoded", async () => {
    const [, response] = await archive([
      pageOf("https://a.test/", "decoded", {
        status: 404,
        responseHeaders: {
          "content-encoding": "gzip",
          "transfer-encoding": "chunked",
          "content-length": "3",
        },
      }),
    ]);
    expect(response!.head).toEqual([
      "HTTP/1.1 404 Not Found",
      "x-orig-content-encoding: gzip",
      "x-orig-content-length: 3",
      "content-type: text/html",
      "x-orig-transfer-encoding: chunked",
      "content-length: 7",
    ]);
    expect(response!.payload).toBe("decoded");
  });

  test("keeps each cookie's header, and the octets of headers that are UTF-8", async () => {
    const cookies = pageOf("https://a.test/", "x", { contentType: null });
    cookies.headers.append("set-cookie", "a=1");
    cookies.headers.append("set-cookie", "b=2");
    cookies.headers.set("x-name", "caf\u00c3\u00a9");
    const [, response] = await archive([cookies]);
    // Where cookies stand among the headers is not the same on every runtime.
    expect([...response!.head].sort()).toEqual([
      "HTTP/1.1 200 OK",
      "content-length: 1",
      "set-cookie: a=1",
      "set-cookie: b=2",
      "x-name: café",
    ]);
  });

  test("archives what was sent", async () => {
    const [, , request] = await archive([pageOf("https://a.test/", "x", { method: "POST", body: "q=é" })]);
    expect(request).toMatchObject({ head: ["POST / HTTP/1.1", "host: a.test"], payload: "q=é" });
  });

  test("leaves failures and skips out", async () => {
    const results = [failureOf("https://a.test/f", new Error("refused")), skipOf("https://a.test/s")];
    expect(typesOf(await archive(results))).toEqual(["warcinfo"]);
  });

  test("gives digests that hold", async () => {
    for (const { type, headers, head, payload } of await archive([page(1), page(2)])) {
      if (type === "warcinfo") continue;
      const block = head.length === 0 ? payload : `${head.join("\r\n")}\r\n\r\n${payload}`;
      expect(headers["Content-Length"]).toBe(String(block.length));
      const record = {
        warcType: type,
        reader: [new TextEncoder().encode(block)],
        warcHeaders: { headers: new Headers() },
      };
      const serializer = new WARCSerializer(record as never, {
        digest: { algo: "sha-1", prefix: "sha1:", base32: true },
      });
      await serializer.digestRecord();
      expect(headers["WARC-Block-Digest"]).toBe(record.warcHeaders.headers.get("WARC-Block-Digest"));
    }
  });

  test("refers to a body that the archive has, from this run or one before", async () => {
    const path = join(await temporaryFolder(), "crawl.warc.gz");
    await streamOf(pageOf("https://a.test/1", "same"), pageOf("https://a.test/2", "same")).pipeTo(
      toWarc(path),
    );
    await streamOf(pageOf("https://a.test/1", "same"), pageOf("https://a.test/3", "other")).pipeTo(
      toWarc(path),
    );
    const records = await recordsOf(path);
    expect(targetsOf(records, "response")).toEqual(["https://a.test/1", "https://a.test/3"]);
    expect(targetsOf(records, "revisit")).toEqual(["https://a.test/2", "https://a.test/1"]);
    const original = records.find(({ type }) => type === "response")!;
    for (const revisit of records.filter(({ type }) => type === "revisit")) {
      expect(revisit).toMatchObject({
        headers: {
          "WARC-Profile": "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
          "WARC-Refers-To": original.headers["WARC-Record-ID"],
          "WARC-Refers-To-Target-URI": "https://a.test/1",
          "WARC-Refers-To-Date": "2026-03-04T05:06:07.089Z",
          "WARC-Payload-Digest": original.headers["WARC-Payload-Digest"],
        },
        head: original.head,
        payload: "",
      });
    }
    expect(typesOf(records).filter((type) => type === "warcinfo")).toHaveLength(2);
  });

  test("refers to no empty body", async () => {
    const records = await archive([pageOf("https://a.test/1"), pageOf("https://a.test/2")]);
    expect(targetsOf(records, "response")).toHaveLength(2);
  });

  test("goes on from wherever a kill has cut the archive", async () => {
    const folder = await temporaryFolder();
    const whole = join(folder, "whole.warc.gz");
    await streamOf(page(1)).pipeTo(toWarc(whole));
    const octets = await readFile(whole);
    const records = await recordsOf(whole);
    // A record is whole when the next one begins, or the file ends, behind it.
    const ends = [...records.slice(1).map(({ offset }) => offset), octets.length];
    const cuts = new Set([0, 1, 2, ...ends.flatMap((end) => [end - 8, end - 1, end, end + 1])]);
    for (let cut = 50; cut < octets.length; cut += 50) cuts.add(cut);
    for (const cut of cuts) {
      const path = join(folder, `${cut}.warc.gz`);
      await writeFile(`${path}.partial`, octets.subarray(0, cut));
      await streamOf(page(2)).pipeTo(toWarc(path));
      const kept = ends.filter((end) => end <= cut).length;
      expect(typesOf(await recordsOf(path))).toEqual([
        ...typesOf(records).slice(0, kept),
        "warcinfo",
        "response",
        "request",
        "metadata",
      ]);
    }
  });

  test("finds the last whole record where the torn one is larger than any buffer", async () => {
    const path = join(await temporaryFolder(), "crawl.warc.gz");
    const noise = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i * 31 + (i >> 3) * 17) & 255);
    await streamOf(page(1), pageOf("https://a.test/big", noise)).pipeTo(toWarc(path));
    const records = await recordsOf(path);
    const octets = await readFile(path);
    const big = records[5]!.offset - 9;
    await writeFile(path, octets.subarray(0, big));
    await streamOf(pageOf("https://a.test/big", noise)).pipeTo(toWarc(path));
    const after = await recordsOf(path);
    expect(targetsOf(after, "response")).toEqual(["https://a.test/1", "https://a.test/big"]);
    expect(targetsOf(after, "revisit")).toEqual([]);
  });

  test("refuses to go on with what is no archive or is damaged before its end, and leaves it as it is", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "crawl.warc.gz");
    await streamOf(page(1)).pipeTo(toWarc(path));
    const damaged = await readFile(path);
    const { offset } = (await recordsOf(path))[1]!;
    damaged.fill(0, offset + 20, offset + 60);
    for (const [content, at] of [
      [new TextEncoder().encode("a text of mine\n"), 0],
      [gzipSync("a text of mine\n"), 0],
      [damaged, offset],
    ] as const) {
      await writeFile(path, content);
      await expect(streamOf(page(2)).pipeTo(toWarc(path))).rejects.toThrow(
        `Cannot continue '${path}' as there is no record of a compressed WARC at octet ${at}`,
      );
      expect([...(await readFile(path))]).toEqual([...content]);
    }
    expect(await filesIn(folder)).toEqual(["crawl.warc.gz"]);
  });

  test("replaces an archive when it is asked to", async () => {
    const path = join(await temporaryFolder(), "crawl.warc.gz");
    await streamOf(page(1)).pipeTo(toWarc(path));
    await streamOf(page(2)).pipeTo(toWarc(path, { existing: "replace" }));
    expect(targetsOf(await recordsOf(path), "response")).toEqual(["https://a.test/2"]);
  });

  test("leaves whole records when the crawl is aborted, and asks for a page when the last is written", async () => {
    const path = join(await temporaryFolder(), "crawl.warc.gz");
    const abort = new AbortController();
    const source = endless((n) => {
      if (n === 5) abort.abort(new Error("enough"));
      return page(n);
    });
    await expect(source.stream.pipeTo(toWarc(path), { signal: abort.signal })).rejects.toThrow("enough");
    expect(existsSync(path)).toBe(false);
    const types = typesOf(await recordsOf(`${path}.partial`));
    expect(types.filter((type) => type === "response").length).toBeGreaterThanOrEqual(4);
    expect((types.length - 1) % 3).toBe(0);
  });

  test.runIf(existsSync("/dev/full"))("tells that the disk is full", async () => {
    const path = join(await temporaryFolder(), "crawl.warc.gz");
    await symlink("/dev/full", `${path}.partial`);
    await expect(streamOf(page(1)).pipeTo(toWarc(path, { existing: "replace" }))).rejects.toThrow(
      `Cannot write '${path}.partial': the disk is full (ENOSPC)`,
    );
  });

  test("says what to install where warcio is not there", async () => {
    vi.doMock("warcio", () => {
      throw new Error("Cannot find package 'warcio'");
    });
    try {
      await expect(streamOf().pipeTo(toWarc("x.warc.gz"))).rejects.toThrow(
        /^Cannot write WARC without the package 'warcio', which 'npm install warcio' installs: /,
      );
    } finally {
      vi.doUnmock("warcio");
    }
  });

  test("refuses options that are none", () => {
    expect(() => toWarc("crawl.warc")).toThrow("'path' must be a path that ends in '.warc.gz'");
    expect(() => toWarc("x.warc.gz", { info: { operator: "a\nb" } })).toThrow(
      "'info.operator' must be a text of one line",
    );
    expect(() => toWarc("x.warc.gz", { info: { "a b": "c" } })).toThrow("'info' must be texts by names");
    expect(() => toWarc("x.warc.gz", { existing: "append" as "continue" })).toThrow(
      "'existing' must be one of",
    );
  });
});
