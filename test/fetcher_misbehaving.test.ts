import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../src/clock.ts";
import { Fetcher, type HopOutcome, type HopRequest } from "../src/fetcher.ts";
import type { FailureReason } from "../src/result.ts";
import {
  COMPRESSED_PAGE,
  type MisbehavingServer,
  type Misdeed,
  misbehavingServer,
} from "./support/misbehaving_server.ts";
import { TRANSPORTS } from "./support/transports.ts";

const MAX_BODY_BYTES = 100_000;

let server: MisbehavingServer;
let fetcher: Fetcher;
let hurried: Fetcher;
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);

describe.each(TRANSPORTS)("by $name:", ({ name, make }) => {
  beforeAll(async () => {
    process.on("unhandledRejection", onUnhandled);
    server = await misbehavingServer();
    const settings = { transport: make(), maxBodyBytes: MAX_BODY_BYTES, clock: systemClock };
    fetcher = new Fetcher({ ...settings, timeoutMs: 10_000 });
    hurried = new Fetcher({ ...settings, timeoutMs: 250 });
  });

  afterEach(async () => {
    // Also the proof that a failure leaves no connection behind: it hangs where one is left.
    await server.released();
    expect(fetcher.inFlight + hurried.inFlight).toBe(0);
    expect(unhandled).toEqual([]);
  });

  afterAll(async () => {
    process.off("unhandledRejection", onUnhandled);
    await fetcher.close();
    await server.close();
  });

  function hop(url: string, more: Partial<HopRequest> = {}): Promise<HopOutcome> {
    // Only what never ends by itself is hurried: a busy machine takes its time for the others.
    const by = /never|slow|endless/.test(url) ? hurried : fetcher;
    return by.fetch({ url, headers: new Headers(), wants: () => true, ...more });
  }

  /** What came of it in one word: the reason of a failure, or the type of another outcome. */
  function verdict(outcome: HopOutcome): string {
    return outcome.type === "failure" ? outcome.reason : outcome.type;
  }

  const FAILURES: readonly { misdeed: Misdeed; reasons: readonly FailureReason[] }[] = [
    { misdeed: "never-answers", reasons: ["timeout"] },
    { misdeed: "slow-head", reasons: ["timeout"] },
    { misdeed: "slow-body", reasons: ["timeout"] },
    { misdeed: "reset-before-head", reasons: ["reset"] },
    { misdeed: "closed-before-head", reasons: ["reset"] },
    { misdeed: "reset-in-head", reasons: ["reset"] },
    { misdeed: "closed-in-head", reasons: ["reset"] },
    { misdeed: "reset-in-body", reasons: ["reset"] },
    { misdeed: "cut-body", reasons: ["reset"] },
    { misdeed: "cut-chunk", reasons: ["reset"] },
    { misdeed: "cut-chunks", reasons: ["reset"] },
    // Deno does not tell it from a connection that ends.
    { misdeed: "bad-chunk-size", reasons: ["protocol", "reset"] },
    { misdeed: "no-http", reasons: ["protocol"] },
    { misdeed: "bad-head", reasons: ["protocol"] },
    { misdeed: "bad-content-length", reasons: ["protocol"] },
    { misdeed: "two-content-lengths", reasons: ["protocol"] },
    { misdeed: "control-in-value", reasons: ["protocol"] },
    { misdeed: "endless-head", reasons: ["protocol"] },
    { misdeed: "endless-body", reasons: ["too-large"] },
    { misdeed: "bad-gzip", reasons: ["decode"] },
    { misdeed: "corrupt-gzip", reasons: ["decode"] },
    { misdeed: "bad-br", reasons: ["decode"] },
  ];

  describe("Fetcher.fetch(), on a server that misbehaves,", () => {
    it.each(FAILURES)("$misdeed: fails with $reasons", async ({ misdeed, reasons }) => {
      const outcome = await hop(server.url(misdeed));
      expect(reasons).toContain(verdict(outcome));
      if (outcome.type !== "failure") return;
      expect(outcome.cause).toBeInstanceOf(Error);
      const hasHead = /body|chunk|gzip|br$/.test(misdeed);
      expect(outcome.status).toBe(hasHead ? 200 : undefined);
      expect(outcome.headers instanceof Headers).toBe(hasHead);
    });
  });

  const PAGES: readonly Misdeed[] = [
    "good-gzip",
    "good-br",
    "good-x-gzip",
    "good-deflate",
    "twice-gzip",
    "cookie-octets",
    "coding-none",
    "no-reason-phrase",
  ];

  describe("Fetcher.fetch(), on what is odd but usable,", () => {
    it.each(PAGES)("%s: gives the page", async (misdeed) => {
      const outcome = await hop(server.url(misdeed));
      if (outcome.type !== "response") throw new Error(verdict(outcome));
      expect(outcome.status).toBe(200);
      const expected = /gzip|br|deflate/.test(misdeed) ? COMPRESSED_PAGE : "<p>";
      expect(new TextDecoder().decode(outcome.body)).toBe(expected);
    });

    it("gives a status of no known class as it is", async () => {
      expect(await hop(server.url("status-999"))).toMatchObject({ type: "response", status: 999 });
    });

    it("gives the body of a coding that nobody knows as it came", async () => {
      expect(await hop(server.url("unknown-coding"))).toMatchObject({
        type: "response",
        body: new TextEncoder().encode("lzw"),
      });
    });

    it("takes a space in a header's name as the runtime does: a page, or no HTTP", async () => {
      expect(["response", "protocol"]).toContain(verdict(await hop(server.url("space-in-name"))));
    });

    it("takes status 407 for an answer, except by Node's fetch, which tells nothing about it", async () => {
      expect(name === "fetch" ? ["response", "network"] : ["response"]).toContain(
        verdict(await hop(server.url("status-407"))),
      );
    });

    it("notices a cut gzip or Brotli body, except by Node's fetch, which takes what there is", async () => {
      const verdicts = name === "fetch" ? ["response", "decode"] : ["decode"];
      expect(verdicts).toContain(verdict(await hop(server.url("truncated-gzip"))));
      // A connection that the other side is about to close would be used once more.
      await server.released();
      expect(verdicts).toContain(verdict(await hop(server.url("truncated-br"))));
    });
  });

  describe("Fetcher.fetch(), where no connection comes about,", () => {
    it("fails with connect at a port where nobody listens", async () => {
      const closed = createServer().listen(0, "127.0.0.1");
      await once(closed, "listening");
      const { port } = closed.address() as AddressInfo;
      closed.close();
      await once(closed, "close");
      expect(verdict(await hop(`http://127.0.0.1:${port}/`))).toBe("connect");
    });

    it("fails with dns for a name that nobody has", async () => {
      // RFC 6761 §6.4: resolvers answer for .invalid without asking anybody.
      expect(verdict(await hop("http://nowhere.invalid/"))).toBe("dns");
    });

    it("fails with tls where the other side speaks plain HTTP", async () => {
      expect(verdict(await hop(server.url("no-http").replace("http:", "https:")))).toBe("tls");
    });
  });

  describe("Fetcher.fetch(), for a body that is not read,", () => {
    it("lets go of an endless one that is not wanted", async () => {
      expect(await hop(server.url("endless-body"), { wants: () => false })).toMatchObject({
        type: "unwanted",
        status: 200,
      });
    });

    it("gives the redirect though its body trickles past the deadline", async () => {
      expect(await hop(server.url("slow-redirect"))).toMatchObject({
        type: "redirect",
        status: 302,
        location: "/there",
      });
    });

    it("lets go of an endless one that the reader of its stream gives up", async () => {
      const outcome = await hop(server.url("endless-body"), { stream: true });
      if (outcome.type !== "stream") throw new Error(verdict(outcome));
      for await (const chunk of outcome.body) {
        expect(chunk.byteLength).toBeGreaterThan(0);
        break;
      }
    });
  });

  describe("Fetcher.fetch(), for a body as a stream,", () => {
    async function fault(misdeed: Misdeed): Promise<unknown> {
      const outcome = await hop(server.url(misdeed), { stream: true });
      if (outcome.type !== "stream") throw new Error(verdict(outcome));
      return drain(outcome.body).then(
        () => undefined,
        (error: unknown) => error,
      );
    }

    it.each([
      ["slow-body", "timeout"],
      ["endless-body", "too-large"],
      ["cut-body", "reset"],
      ["bad-gzip", "decode"],
    ] as const)("%s: errors it with %s", async (misdeed, reason) => {
      expect(await fault(misdeed)).toMatchObject({ name: "TransferError", reason });
    });

    it.each(["good-gzip", "good-deflate", "twice-gzip"] as const)("%s: decodes it", async (misdeed) => {
      const outcome = await hop(server.url(misdeed), { stream: true });
      if (outcome.type !== "stream") throw new Error(verdict(outcome));
      expect(await drain(outcome.body)).toBe(COMPRESSED_PAGE);
    });
  });

  describe("Fetcher.abortAll()", () => {
    it("ends what waits for a head, what reads a body and what hands over a stream", async () => {
      const stream = await hop(server.url("slow-body"), { stream: true });
      if (stream.type !== "stream") throw new Error(verdict(stream));
      const drained = drain(stream.body);
      const hops = [hop(server.url("never-answers")), hop(server.url("slow-body"))];
      expect(hurried.inFlight).toBe(3);

      const reason = new Error("enough");
      hurried.abortAll(reason);

      await expect(drained).rejects.toBe(reason);
      expect(await Promise.all(hops)).toEqual([
        { type: "aborted", reason },
        { type: "aborted", reason },
      ]);
    });
  });
});

async function drain(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text;
}
