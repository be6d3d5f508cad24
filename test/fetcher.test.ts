import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Clock } from "../src/clock.ts";
import {
  Fetcher,
  type FetcherSettings,
  type HopOutcome,
  type HopRequest,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "../src/fetcher.ts";

const TIMEOUT_MS = 1000;
const MAX_BODY_BYTES = 100;

/** A clock that stands until it is told, and shows what is armed. */
class StandingClock implements Clock {
  nowMs = 5000;
  readonly armed: Set<{ atMs: number; wake: () => void }> = new Set();

  now(): number {
    return this.nowMs;
  }

  at(atMs: number, wake: () => void): () => void {
    const timer = { atMs, wake };
    this.armed.add(timer);
    return () => this.armed.delete(timer);
  }

  advance(ms: number): void {
    this.nowMs += ms;
    for (const timer of this.armed) {
      if (timer.atMs > this.nowMs) continue;
      this.armed.delete(timer);
      timer.wake();
    }
  }
}

interface Bench {
  clock: StandingClock;
  fetcher: Fetcher;
  requests: TransportRequest[];
  fetch(more?: Partial<HopRequest>): Promise<HopOutcome>;
}

type Answerer = (request: TransportRequest) => TransportResponse | Promise<TransportResponse>;

function bench(answer: Answerer, settings: Partial<FetcherSettings> = {}): Bench {
  const clock = new StandingClock();
  const requests: TransportRequest[] = [];
  const transport: Transport = {
    async send(request) {
      requests.push(request);
      return answer(request);
    },
  };
  const fetcher = new Fetcher({
    transport,
    timeoutMs: TIMEOUT_MS,
    maxBodyBytes: MAX_BODY_BYTES,
    clock,
    ...settings,
  });
  return {
    clock,
    fetcher,
    requests,
    fetch: (more) =>
      fetcher.fetch({ url: "https://a.test/", headers: new Headers(), wants: () => true, ...more }),
  };
}

/** An answer that tells what became of its body. */
function answer(
  init: { status?: number; headers?: Record<string, string> },
  chunks: readonly Uint8Array[] = [],
  { ends = true }: { ends?: boolean } = {},
) {
  const { status = 200, headers = {} } = init;
  const seen = { read: 0, cancelled: false };
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = chunks[at++];
        if (chunk) {
          seen.read += chunk.byteLength;
          controller.enqueue(chunk);
        } else if (ends) controller.close();
        else await new Promise(() => {});
      },
      cancel: () => {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  let wholes = 0;
  const response: TransportResponse = {
    status,
    headers: new Headers(headers),
    body,
    arrayBuffer: () => {
      wholes++;
      return new Response(body).arrayBuffer();
    },
  };
  return {
    response,
    seen,
    get wholes() {
      return wholes;
    },
  };
}

const bytes = (count: number): Uint8Array => new Uint8Array(count).fill(7);
const never = (): Promise<never> => new Promise(() => {});

/** Lets every promise that can go on do so. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

describe("Fetcher.fetch()", () => {
  it("asks for no stream of a body that the transport reads whole: one is costly to make", async () => {
    let streams = 0;
    const { fetch } = bench(() => ({
      status: 200,
      headers: new Headers({ "content-length": "4" }),
      get body() {
        streams++;
        return null;
      },
      arrayBuffer: async () => new ArrayBuffer(4),
      read: async () => new Uint8Array(4),
    }));
    expect(await fetch()).toMatchObject({ type: "response", body: new Uint8Array(4) });
    expect(streams).toBe(0);
  });

  it("gives the whole answer with its times", async () => {
    const { clock, fetch } = bench(() => {
      clock.advance(30);
      return new Response("abc", { status: 404, headers: { "x-a": "b" } });
    });
    const outcome = await fetch();
    expect(outcome).toMatchObject({ type: "response", status: 404, startedAtMs: 5000, responseMs: 30 });
    if (outcome.type !== "response") return;
    expect(outcome.headers.get("x-a")).toBe("b");
    expect(new TextDecoder().decode(outcome.body)).toBe("abc");
  });

  it("sends what the hop says, GET where it says nothing", async () => {
    const { requests, fetch } = bench(() => new Response());
    await fetch();
    await fetch({ method: "POST", body: "a=b", headers: new Headers({ "x-a": "b" }) });
    expect(requests.map(({ url, method, body }) => ({ url, method, body }))).toEqual([
      { url: "https://a.test/", method: "GET", body: undefined },
      { url: "https://a.test/", method: "POST", body: "a=b" },
    ]);
    expect(requests[1]?.headers.get("x-a")).toBe("b");
  });

  it("asks for the codings that every runtime decodes, unless the hop asks for others", async () => {
    const { requests, fetch } = bench(() => new Response());
    await fetch();
    await fetch({ headers: new Headers({ "Accept-Encoding": "identity" }) });
    expect(requests.map(({ headers }) => headers.get("accept-encoding"))).toEqual(["gzip, br", "identity"]);
  });

  it.each([
    ["an error", new TypeError("fetch failed")],
    ["a text", "gone"],
    ["nothing", undefined],
    ["what cannot be made a text", Object.create(null)],
  ])("never rejects, whatever is thrown: %s", async (_, thrown) => {
    const { fetch, fetcher } = bench(() => Promise.reject(thrown));
    const outcome = await fetch();
    expect(outcome).toMatchObject({ type: "failure", reason: "network" });
    if (outcome.type !== "failure") return;
    expect(outcome.cause).toBeInstanceOf(Error);
    expect([outcome.cause, outcome.cause.cause]).toContain(thrown);
    expect(outcome).not.toHaveProperty("status");
    expect(fetcher.inFlight).toBe(0);
  });

  it("tells of an answer that broke off by its status and headers", async () => {
    const fault = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    const body = new ReadableStream({ pull: (controller) => controller.error(fault) });
    const { fetch } = bench(() => new Response(body, { headers: { "x-a": "b" } }));
    const outcome = await fetch();
    expect(outcome).toMatchObject({ type: "failure", reason: "reset", status: 200, cause: fault });
    expect(outcome.type === "failure" && outcome.headers?.get("x-a")).toBe("b");
  });

  it("takes one timer and one controller a request, and leaves none of both", async () => {
    const { clock, requests, fetch } = bench(() => {
      expect(clock.armed.size).toBe(1);
      return new Response("abc");
    });
    for (let count = 0; count < 3; count++) await fetch();
    expect(clock.armed.size).toBe(0);
    expect(new Set(requests.map(({ signal }) => signal)).size).toBe(3);
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, false, false]);
  });
});

describe("Fetcher.fetch(), its deadline,", () => {
  it("aborts at timeoutMs and not before", async () => {
    const { clock, requests, fetch, fetcher } = bench(never);
    const outcome = fetch();
    clock.advance(TIMEOUT_MS - 1);
    expect(requests[0]?.signal.aborted).toBe(false);
    clock.advance(1);
    expect(requests[0]?.signal.aborted).toBe(true);
    expect(await outcome).toMatchObject({ type: "failure", reason: "timeout", responseMs: TIMEOUT_MS });
    expect(fetcher.inFlight).toBe(0);
  });

  it("holds for a transport that is deaf to its signal, and cancels the answer that comes late", async () => {
    const late = answer({}, [bytes(5)]);
    let respond: (response: TransportResponse) => void = () => {};
    const { clock, fetch } = bench(
      () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
    );
    const outcome = fetch();
    await settle();
    clock.advance(TIMEOUT_MS);
    expect(await outcome).toMatchObject({ type: "failure", reason: "timeout" });
    respond(late.response);
    await settle();
    expect(late.seen).toEqual({ read: 0, cancelled: true });
  });

  it("holds until the last byte of a body, and cancels it", async () => {
    const slow = answer({}, [bytes(5)], { ends: false });
    const { clock, fetch } = bench(() => slow.response);
    const outcome = fetch();
    await settle();
    clock.advance(TIMEOUT_MS);
    expect(await outcome).toMatchObject({ type: "failure", reason: "timeout", status: 200 });
    expect(slow.seen).toEqual({ read: 5, cancelled: true });
  });

  it("does not take back a redirect whose body is late", async () => {
    const slow = answer({ status: 302, headers: { location: "/b", "content-length": "9" } }, [], {
      ends: false,
    });
    const { clock, fetch } = bench(() => slow.response);
    const outcome = fetch();
    await settle();
    clock.advance(TIMEOUT_MS);
    expect(await outcome).toMatchObject({ type: "redirect", location: "/b", responseMs: 0 });
  });

  it("is none where it is Infinity", async () => {
    const { clock, fetch, fetcher } = bench(never, { timeoutMs: Number.POSITIVE_INFINITY });
    const outcome = fetch();
    clock.advance(1e12);
    expect(fetcher.inFlight).toBe(1);
    fetcher.abortAll("enough");
    expect(await outcome).toEqual({ type: "aborted", reason: "enough" });
  });
});

describe("Fetcher.fetch(), at a redirect,", () => {
  it.each([301, 302, 303, 307, 308])("gives where %i points, unresolved, and asks nobody", async (status) => {
    const { fetch } = bench(() => new Response(null, { status, headers: { location: "../b?c" } }));
    const wants = (): boolean => expect.unreachable();
    expect(await fetch({ wants })).toMatchObject({ type: "redirect", status, location: "../b?c" });
  });

  it("takes 300, 304 and 305 for answers", async () => {
    for (const status of [300, 304, 305]) {
      const { fetch } = bench(() => new Response(null, { status, headers: { location: "/b" } }));
      expect(await fetch()).toMatchObject({ type: "response", status });
    }
  });

  it("says so where Location is missing", async () => {
    const { fetch } = bench(() => new Response(null, { status: 302 }));
    expect(await fetch()).toMatchObject({ type: "redirect", location: undefined });
  });

  it("escapes the octets of a Location in UTF-8", async () => {
    const headers = { location: "/caf\u00c3\u00a9" };
    const { fetch } = bench(() => new Response(null, { status: 302, headers }));
    expect(await fetch()).toMatchObject({ location: "/caf%C3%A9" });
  });
});

describe("Fetcher.fetch(), for a body that nobody wants,", () => {
  it.each([
    ["a redirect's", 302, true],
    ["one not wanted", 200, false],
  ])("reads %s where it is short, to keep the connection, and else cancels it", async (_, status, wants) => {
    const location = { location: "/b" };
    const short = answer({ status, headers: { ...location, "content-length": "16384" } }, [bytes(16_384)]);
    const long = answer({ status, headers: { ...location, "content-length": "16385" } }, [bytes(16_385)]);
    const unknown = answer({ status, headers: location }, [bytes(5)]);
    for (const { response } of [short, long, unknown]) {
      const outcome = await bench(() => response).fetch({ wants: () => wants });
      expect(outcome.type).toBe(status === 302 ? "redirect" : "unwanted");
    }
    expect(short.seen).toEqual({ read: 16_384, cancelled: false });
    expect(long.seen).toEqual({ read: 0, cancelled: true });
    expect(unknown.seen).toEqual({ read: 0, cancelled: true });
  });

  it("is given status and headers to decide by", async () => {
    const { fetch } = bench(() => new Response("%PDF", { headers: { "content-type": "application/pdf" } }));
    const asked: unknown[] = [];
    const wants = (status: number, headers: Headers): boolean => {
      asked.push(status, headers.get("content-type"));
      return false;
    };
    expect(await fetch({ wants })).toMatchObject({ type: "unwanted", status: 200 });
    expect(asked).toEqual([200, "application/pdf"]);
  });

  it("does not mind that it breaks off", async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
    const headers = { "content-length": "5" };
    const { fetch } = bench(() => new Response(body, { status: 404, headers }));
    expect(await fetch({ wants: () => false })).toMatchObject({ type: "unwanted", status: 404 });
  });
});

describe("Fetcher.fetch(), its cap,", () => {
  it("refuses one byte more than maxBodyBytes, in whatever chunks and however long it says it is", async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 6 });
    const claims = fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(sizes, claims, fc.boolean(), async (chunkSizes, claimed, stream) => {
        const total = chunkSizes.reduce((sum, size) => sum + size, 0);
        const headers = claimed === undefined ? {} : { "content-length": String(claimed) };
        const { response } = answer({ headers }, chunkSizes.map(bytes));
        const { fetch, fetcher } = bench(() => response);
        const outcome = await fetch({ stream });
        const isTooLarge = total > MAX_BODY_BYTES || (claimed ?? 0) > MAX_BODY_BYTES;
        expect(await sizeOf(outcome)).toBe(isTooLarge ? "too-large" : total);
        expect(fetcher.inFlight).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it("is the hop's own where it has one", async () => {
    const { fetch } = bench(() => new Response("abcdef"));
    expect(await sizeOf(await fetch({ maxBodyBytes: 5 }))).toBe("too-large");
    expect(await sizeOf(await fetch({ maxBodyBytes: 6 }))).toBe(6);
  });

  it("cancels a body that is too long by its head, unread", async () => {
    const long = answer({ headers: { "content-length": "101" } }, [bytes(101)]);
    expect(await bench(() => long.response).fetch()).toMatchObject({ reason: "too-large", status: 200 });
    expect(long.seen).toEqual({ read: 0, cancelled: true });
  });

  it("cancels a body as soon as it is too long", async () => {
    const endless = answer({}, [bytes(60), bytes(60), bytes(60)]);
    const { requests, fetch } = bench(() => endless.response);
    expect(await fetch()).toMatchObject({ reason: "too-large" });
    expect(endless.seen).toEqual({ read: 120, cancelled: true });
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  it("reads or cancels a body that is longer than its head says", async () => {
    const liar = answer({ headers: { "content-length": "5" } }, [bytes(60), bytes(60), bytes(60)]);
    expect(await bench(() => liar.response).fetch()).toMatchObject({ reason: "too-large" });
    expect(liar.seen.cancelled || liar.seen.read === 180).toBe(true);
  });

  it("does not hold the length of a coded body against it", async () => {
    const coded = answer({ headers: { "content-encoding": "gzip", "content-length": "101" } }, [bytes(99)]);
    expect(await sizeOf(await bench(() => coded.response).fetch())).toBe(99);
  });

  it("says nothing about an answer that has no body, as to a HEAD", async () => {
    const headers = { "content-length": "5000000" };
    const { fetch } = bench(() => new Response(null, { headers }));
    expect(await sizeOf(await fetch({ method: "HEAD" }))).toBe(0);
    expect(await sizeOf(await fetch({ method: "HEAD", stream: true }))).toBe(0);
  });

  it.each([
    [{ "content-length": "100" }, true],
    [{}, false],
    [{ "content-length": "100", "content-encoding": "gzip" }, false],
    [{ "content-length": "9", "content-encoding": "gzip" }, true],
    [{ "content-length": "10", "content-encoding": "gzip" }, false],
    [{ "content-length": "1", "content-encoding": "br" }, false],
    [{ "content-length": "+5" }, false],
  ] as const)(
    "asks for all at once only where the head bounds the body, and not on Node: %o",
    async (headers, isQuick) => {
      const plain = answer({ headers }, [bytes(50)]);
      const { fetch } = bench(() => plain.response, { maxBodyBytes: isGzip(headers) ? 9 * 1032 : 100 });
      expect(await sizeOf(await fetch())).toBe(50);
      const isNode = "process" in globalThis && !("Deno" in globalThis || "Bun" in globalThis);
      expect(plain.wholes).toBe(isQuick && !isNode ? 1 : 0);
    },
  );

  it("leaves a chunk that is a part of something larger, and joins several", async () => {
    const memory = new Uint8Array([1, 2, 3, 4]);
    const chunks = [memory.subarray(1, 3), memory.subarray(0, 2)];
    for (const count of [1, 2]) {
      const outcome = await bench(() => answer({}, chunks.slice(0, count)).response).fetch();
      if (outcome.type !== "response") throw new Error(`Expected an answer, got ${outcome.type}`);
      expect([...outcome.body]).toEqual([2, 3, 1, 2].slice(0, 2 * count));
      expect(outcome.body.buffer.byteLength).toBe(2 * count);
    }
  });
});

describe("Fetcher.fetch(), for a body as a stream,", () => {
  it("hands it over while it comes, and counts as in flight until its end", async () => {
    const { response } = answer({}, [bytes(5), bytes(6)]);
    const { clock, fetch, fetcher } = bench(() => response);
    const outcome = await fetch({ stream: true });
    if (outcome.type !== "stream") throw new Error(outcome.type);
    const reader = outcome.body.getReader();
    expect((await reader.read()).value?.byteLength).toBe(5);
    expect((await reader.read()).value?.byteLength).toBe(6);
    expect([fetcher.inFlight, clock.armed.size]).toEqual([1, 1]);
    expect((await reader.read()).done).toBe(true);
    expect([fetcher.inFlight, clock.armed.size]).toEqual([0, 0]);
  });

  it("gives every byte up to the cap before it errors", async () => {
    const { response } = answer({}, [bytes(60), bytes(60), bytes(60)]);
    const outcome = await bench(() => response).fetch({ stream: true });
    if (outcome.type !== "stream") throw new Error(outcome.type);
    const reader = outcome.body.getReader();
    expect((await reader.read()).value?.byteLength).toBe(60);
    expect((await reader.read()).value?.byteLength).toBe(40);
    await expect(reader.read()).rejects.toMatchObject({ name: "TransferError", reason: "too-large" });
  });

  it("ends with it when it is cancelled", async () => {
    const { response, seen } = answer({}, [bytes(5)], { ends: false });
    const { clock, fetch, fetcher } = bench(() => response);
    const outcome = await fetch({ stream: true });
    if (outcome.type !== "stream") throw new Error(outcome.type);
    await outcome.body.cancel();
    expect(seen.cancelled).toBe(true);
    expect([fetcher.inFlight, clock.armed.size]).toEqual([0, 0]);
  });

  it("errors at the deadline, also where nobody reads it", async () => {
    const { response, seen } = answer({}, [bytes(5)], { ends: false });
    const { clock, fetch, fetcher } = bench(() => response);
    const outcome = await fetch({ stream: true });
    if (outcome.type !== "stream") throw new Error(outcome.type);
    clock.advance(TIMEOUT_MS);
    expect([fetcher.inFlight, clock.armed.size, seen.cancelled]).toEqual([0, 0, true]);
    await expect(outcome.body.getReader().read()).rejects.toMatchObject({ reason: "timeout" });
  });
});

describe("Fetcher.abortAll()", () => {
  it("ends all in flight with its reason, told apart from the deadline", async () => {
    const slow = answer({}, [bytes(5)], { ends: false });
    const { clock, fetch, fetcher } = bench(() => slow.response);
    const outcome = fetch();
    await settle();
    fetcher.abortAll("enough");
    clock.advance(TIMEOUT_MS);
    expect(await outcome).toEqual({ type: "aborted", reason: "enough" });
    expect(slow.seen.cancelled).toBe(true);
    expect([fetcher.inFlight, clock.armed.size]).toEqual([0, 0]);
  });

  it("errors a stream with its reason", async () => {
    const { response } = answer({}, [], { ends: false });
    const { fetch, fetcher } = bench(() => response);
    const outcome = await fetch({ stream: true });
    if (outcome.type !== "stream") throw new Error(outcome.type);
    const read = outcome.body.getReader().read();
    fetcher.abortAll("enough");
    await expect(read).rejects.toBe("enough");
  });

  it("does not take back what had come before", async () => {
    const { fetch, fetcher } = bench(() => new Response("abc"));
    const outcome = await fetch();
    fetcher.abortAll("enough");
    expect(outcome.type).toBe("response");
  });

  it("leaves the fetcher of use", async () => {
    const { fetch, fetcher } = bench(() => new Response("abc"));
    fetcher.abortAll("enough");
    expect((await fetch()).type).toBe("response");
  });
});

describe("Fetcher.close()", () => {
  it("gives up what is in flight and closes the transport", async () => {
    let closes = 0;
    const close = async (): Promise<void> => {
      closes++;
    };
    const { fetch, fetcher } = bench(never, { transport: { send: never, close } });
    const outcome = fetch();
    await fetcher.close();
    expect((await outcome).type).toBe("aborted");
    expect(closes).toBe(1);
  });
});

function isGzip(headers: Readonly<Record<string, string>>): boolean {
  return headers["content-encoding"] === "gzip";
}

/** The bytes of a whole body, or the reason for which there is none. */
async function sizeOf(outcome: HopOutcome): Promise<number | string> {
  if (outcome.type === "response") return outcome.body.byteLength;
  if (outcome.type === "failure") return outcome.reason;
  if (outcome.type !== "stream") return outcome.type;
  let size = 0;
  try {
    for await (const chunk of outcome.body) size += chunk.byteLength;
  } catch (error) {
    return (error as { reason: string }).reason;
  }
  return size;
}
