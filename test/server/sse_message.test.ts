import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SSE_HEARTBEAT, sseMessage, sseRetry } from "../../src/server/sse_message.ts";
import { EventStreamReader } from "./event_stream.ts";

describe("sseMessage()", () => {
  it("writes id, event and data", () => {
    expect(sseMessage({ id: 7, event: "stats", data: "{}" })).toBe("id: 7\nevent: stats\ndata: {}\n\n");
    expect(sseMessage({ data: "" })).toBe("data: \n\n");
  });

  it("begins a line of data at each line break, of whatever kind", () => {
    expect(sseMessage({ data: "a\nb\r\nc\rd" })).toBe("data: a\ndata: b\ndata: c\ndata: d\n\n");
  });

  it("writes what a client reads as it was", async () => {
    const text = fc.string({ unit: "binary", maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(text, fc.nat(), async (data, id) => {
        const reader = new EventStreamReader(
          new Response(sseRetry(9) + SSE_HEARTBEAT + sseMessage({ id, event: "e", data })),
        );
        const read = await reader.toEnd();
        // The byte order mark of a stream is no part of it, and lone surrogates are no text.
        const expected = new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(data));
        expect(read).toEqual([{ id: String(id), event: "e", data: expected.replace(/\r\n?/g, "\n") }]);
        expect([reader.retry, reader.comments]).toEqual([9, [""]]);
      }),
      { numRuns: 100 },
    );
  });
});
