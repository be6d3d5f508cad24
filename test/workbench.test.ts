import { describe, expect, test } from "vitest";
import { newHost, observe, pauseUntil, start } from "../src/politeness/host.ts";
import type { CrawlRequest } from "../src/request.ts";
import { type VisitState, Workbench } from "../src/workbench.ts";

const RULES = { concurrency: 1, minGapMs: 100, maxGapMs: 1_000 };

function request(url: string): CrawlRequest {
  return { url, key: url, host: new URL(url).host, depth: 0, priority: 0, order: 1 };
}

/** A workbench with these hosts in hand, each with one request ready. */
function workbenchOf(...names: string[]): { bench: Workbench; states: VisitState[] } {
  const bench = new Workbench();
  const states = names.map((name) => {
    const state = bench.open(newHost(name, RULES), { id: name, host: name });
    state.ready.push(request(`https://${name}/`));
    state.mayHaveMore = false;
    bench.place(state);
    return state;
  });
  return { bench, states };
}

describe("Workbench", () => {
  test("gives the host that waited longest, and none before its time", () => {
    const { bench, states } = workbenchOf("a.test", "b.test");
    const [a, b] = states as [VisitState, VisitState];
    expect(bench.due(0)).toBe(a);
    start(a.host, 0);
    a.ready.push(request("https://a.test/2"));
    bench.place(a);
    expect(bench.due(0)).toBe(b);
    start(b.host, 0);
    bench.place(b);
    expect(bench.due(0)).toBeUndefined();
    expect(bench.nextDueMs).toBe(Number.POSITIVE_INFINITY);
  });

  test("places a host by its gap, its pause and its limit", () => {
    const { bench, states } = workbenchOf("a.test");
    const [a] = states as [VisitState];
    const ticket = start(a.host, 0);
    bench.place(a);
    expect(bench.nextDueMs).toBe(Number.POSITIVE_INFINITY);
    observe(a.host, ticket, { type: "other" }, 30);
    bench.place(a);
    expect(bench.nextDueMs).toBe(100);
    pauseUntil(a.host, 5_000, "hold");
    bench.place(a);
    expect([bench.nextDueMs, bench.due(4_999), bench.due(5_000)]).toEqual([5_000, undefined, a]);
  });

  test("lets robots.txt hold back what is ready, and never the errand that fetches it", () => {
    const { bench, states } = workbenchOf("a.test");
    const [a] = states as [VisitState];
    a.blockedUntilMs = Number.POSITIVE_INFINITY;
    bench.place(a);
    expect(bench.nextDueMs).toBe(Number.POSITIVE_INFINITY);
    a.errands.push({ url: "https://a.test/robots.txt", settle: () => {} });
    bench.place(a);
    expect(bench.due(0)).toBe(a);
    pauseUntil(a.host, 700, "hold");
    bench.place(a);
    expect(bench.nextDueMs).toBe(700);
  });

  test("comes back to a host when what was deferred of it is due", () => {
    const { bench, states } = workbenchOf("a.test");
    const [a] = states as [VisitState];
    a.ready.pop();
    a.mayHaveMore = false;
    a.deferredUntilMs.push(900);
    a.deferredUntilMs.push(400);
    bench.place(a);
    expect(bench.nextDueMs).toBe(400);
    // Where there may be more in the frontier, that is asked as soon as the host is ready.
    a.mayHaveMore = true;
    bench.place(a);
    expect(bench.nextDueMs).toBe(0);
  });

  test("forgets a host that is closed", () => {
    const { bench, states } = workbenchOf("a.test", "b.test");
    bench.close(states[0]!);
    expect([bench.size, bench.get("a.test"), bench.due(0), [...bench.values()]]).toEqual([
      1,
      undefined,
      states[1],
      [states[1]],
    ]);
  });
});
