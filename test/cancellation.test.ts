import { describe, expect, it, vi } from "vitest";
import { Cancellation } from "../src/cancellation.ts";

describe("Cancellation", () => {
  it("tells its listener and its signal once, with the first reason", () => {
    const cancellation = new Cancellation();
    const listener = vi.fn();
    cancellation.listen(listener);
    const { signal } = cancellation;
    cancellation.abort("enough");
    cancellation.abort("more");
    expect(listener.mock.calls).toEqual([["enough"]]);
    expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
    expect([cancellation.isAborted, cancellation.reason]).toEqual([true, "enough"]);
  });

  it("tells at once who asks after the abort", () => {
    const cancellation = new Cancellation();
    cancellation.abort("enough");
    const listener = vi.fn();
    cancellation.listen(listener);
    expect(listener.mock.calls).toEqual([["enough"]]);
    expect(cancellation.signal.reason).toBe("enough");
  });

  it("gives one signal, with a reason of its own where it is given none", () => {
    const cancellation = new Cancellation();
    expect(cancellation.signal).toBe(cancellation.signal);
    cancellation.abort(undefined);
    expect(cancellation.signal.reason).toMatchObject({ name: "AbortError" });
    expect(cancellation.signal.reason).toBe(cancellation.reason);
  });
});
