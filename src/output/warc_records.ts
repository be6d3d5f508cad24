import { STATUS_CODES } from "node:http";
import type { Page } from "../page.ts";
import { VERSION } from "../version.ts";
import type { WarcIndex } from "./warc_index.ts";
import type { Warcio } from "./warc_library.ts";

const WARC_VERSION = "WARC/1.1";
// The form of digest by which the indexes of web archives compare payloads.
const SERIALIZED = { gzip: true, digest: { algo: "sha-1", prefix: "sha1:", base32: true } } as const;
// What no archive should hand on.
const CREDENTIALS: readonly string[] = ["authorization", "proxy-authorization", "cookie"];
const CODINGS: readonly string[] = ["content-encoding", "transfer-encoding"];

type WarcRecord = InstanceType<Warcio["WARCRecord"]>;

/** Makes the records of an archive, each compressed for itself. */
export class WarcRecords {
  readonly #warcio: Warcio;
  readonly #index: WarcIndex;
  #infoId = "";

  constructor(warcio: Warcio, index: WarcIndex) {
    this.#warcio = warcio;
    this.#index = index;
  }

  /** The warcinfo record, to which all that follow refer. */
  async opening(filename: string, info: Readonly<Record<string, string>>): Promise<Uint8Array> {
    const record = this.#warcio.WARCRecord.createWARCInfo(
      { filename, warcVersion: WARC_VERSION },
      {
        software: `dragline/${VERSION}`,
        format: "WARC File Format 1.1",
        conformsTo: "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        "http-bodies": "decoded; content-encoding and transfer-encoding are kept as x-orig- headers",
        ...info,
      },
    );
    this.#infoId = idOf(record);
    return this.#serialized(record);
  }

  /** The records of a page, one behind the other. */
  async ofPage(page: Page): Promise<Uint8Array> {
    const response = await this.#response(page);
    const concurrent = { "WARC-Concurrent-To": response.id };
    const others = [this.#request(page, concurrent), this.#metadata(page, concurrent)];
    return joined([
      response.octets,
      ...(await Promise.all(others.map((record) => this.#serialized(record)))),
    ]);
  }

  async #response(page: Page): Promise<{ id: string; octets: Uint8Array }> {
    const { WARCRecord, WARCSerializer } = this.#warcio;
    const { url, body } = page;
    const head = {
      ...this.#common(page),
      statusline: `HTTP/1.1 ${page.status} ${STATUS_CODES[page.status] ?? ""}`,
      httpHeaders: responseHeaders(page),
    };
    const response = WARCRecord.create({ ...head, type: "response" }, [body]);
    const serializer = new WARCSerializer(response, SERIALIZED);
    await serializer.digestRecord();
    const digest = response.warcPayloadDigest ?? "";
    const capture = body.length > 0 ? this.#index.captureOf(digest) : undefined;
    if (capture === undefined) {
      const id = idOf(response);
      this.#index.note(digest, { id, url: response.warcTargetURI ?? url, date: dateOf(page) });
      return { id, octets: await serializer.readFully() };
    }
    const revisit = WARCRecord.create({
      ...head,
      type: "revisit",
      refersToUrl: capture.url,
      refersToDate: capture.date,
      warcHeaders: {
        ...head.warcHeaders,
        "WARC-Refers-To": capture.id,
        "WARC-Payload-Digest": digest,
      },
    });
    return { id: idOf(revisit), octets: await this.#serialized(revisit) };
  }

  #request(page: Page, warcHeaders: Readonly<Record<string, string>>): WarcRecord {
    const { method = "GET", headers = {}, body = "" } = page.request;
    const { host, pathname, search } = new URL(page.url);
    const common = this.#common(page);
    return this.#warcio.WARCRecord.create(
      {
        ...common,
        type: "request",
        statusline: `${method} ${pathname}${search} HTTP/1.1`,
        httpHeaders: [["host", host], ...requestHeaders(headers)],
        warcHeaders: { ...common.warcHeaders, ...warcHeaders },
      },
      [new TextEncoder().encode(body)],
    );
  }

  // WARC 1.1 §6.6 has the first three names.
  #metadata(page: Page, warcHeaders: Readonly<Record<string, string>>): WarcRecord {
    const { referrer, depth, timings, redirects } = page;
    const fields = [
      ...(referrer === undefined ? [] : [`via: ${referrer}`]),
      ...(depth === 0 ? [] : [`hopsFromSeed: ${"L".repeat(depth)}`]),
      `fetchTimeMs: ${Math.round(timings.responseMs)}`,
      ...redirects.map(({ url, status }) => `redirect: ${status} ${url}`),
    ];
    const common = this.#common(page);
    const text = fields.map((field) => `${field}\r\n`).join("");
    return this.#warcio.WARCRecord.create(
      { ...common, type: "metadata", warcHeaders: { ...common.warcHeaders, ...warcHeaders } },
      [new TextEncoder().encode(text)],
    );
  }

  #common(page: Page) {
    return {
      url: page.url,
      date: dateOf(page),
      warcVersion: WARC_VERSION,
      warcHeaders: { "WARC-Warcinfo-ID": this.#infoId },
    } as const;
  }

  #serialized(record: WarcRecord): Promise<Uint8Array> {
    return this.#warcio.WARCSerializer.serialize(record, SERIALIZED);
  }
}

function dateOf({ timings }: Page): string {
  return new Date(timings.startedAtMs).toISOString();
}

function idOf(record: WarcRecord): string {
  return record.warcHeader("WARC-Record-ID") ?? "";
}

/** The headers as they came, but for those that say how the body was coded: it is no more. */
function responseHeaders({ headers, body }: Page): [string, string][] {
  const length = String(body.length);
  const kept: [string, string][] = [];
  for (const [name, value] of headers) {
    const isWrong = CODINGS.includes(name) || (name === "content-length" && value !== length);
    kept.push([isWrong ? `x-orig-${name}` : name, octetsAsText(value)]);
  }
  if (!kept.some(([name]) => name === "content-length")) kept.push(["content-length", length]);
  return kept;
}

function requestHeaders(headers: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(headers).filter(([name]) => !CREDENTIALS.includes(name.toLowerCase()));
}

/**
 * `fetch` gives a header's octets as one character each, and warcio writes text as UTF-8: what is UTF-8 already must be
 * read first, or it would be encoded twice.
 */
function octetsAsText(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  try {
    const octets = Uint8Array.from(value, (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(octets);
  } catch {
    return value;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
