import { describe, expect, it, vi } from "vitest";
import { Cancellation } from "../src/cancellation.ts";
import { SentRequest } from "../src/sent_request.ts";

const HOP = { url: "https://a.test/", headers: new Headers({ accept: "text/html" }) };

describe("SentRequest", () => {
  it("is spread into the options of fetch with all that it has, and without what it has not", () => {
    const request = new SentRequest(HOP, new Cancellation());
    const { onAbort: _, ...init } = { ...request };
    expect(init).toEqual({ url: HOP.url, method: "GET", headers: HOP.headers, signal: request.signal });
    expect(Object.keys(init)).not.toContain("body");
    expect(new SentRequest({ ...HOP, method: "POST", body: "a=1" }, new Cancellation())).toMatchObject({
      method: "POST",
      body: "a=1",
    });
  });

  it("makes its signal where it is read, aborted where the request was given up before", () => {
    const read = vi.spyOn(Cancellation.prototype, "signal", "get");
    const cancellation = new Cancellation();
    const request = new SentRequest(HOP, cancellation);
    expect(read).not.toHaveBeenCalled();
    cancellation.abort("enough");
    expect([request.signal.aborted, request.signal.reason]).toEqual([true, "enough"]);
    read.mockRestore();
  });

  it("tells its listener, also where that was taken from it", () => {
    const cancellation = new Cancellation();
    const { onAbort } = new SentRequest(HOP, cancellation);
    const told: unknown[] = [];
    onAbort((reason) => told.push(reason));
    cancellation.abort("enough");
    expect(told).toEqual(["enough"]);
  });
});
