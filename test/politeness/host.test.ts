import { describe, expect, test } from "vitest";
import {
  type Host,
  type HostOutcome,
  newHost,
  observe,
  type PaceChange,
  type PaceRules,
  pauseUntil,
  readyAtMs,
  type StartTicket,
  savePace,
  setCrawlDelay,
  start,
} from "../../src/politeness/host.ts";

const OK: HostOutcome = { type: "success", responseMs: 100 };
const REFUSED: HostOutcome = { type: "throttled" };
const NO_GAP = { minGapMs: 0, maxGapMs: 60_000 };

function hostWith(rules: Partial<PaceRules> = {}): Host {
  return newHost("a.test", { concurrency: 1, ...NO_GAP, ...rules });
}

/** A host whose adaptive limit stands at `limit`. */
function hostAt(limit: number, ceiling: number, rules: Partial<PaceRules> = {}): Host {
  const saved = { limit, gapMs: rules.minGapMs ?? 0, best: { ms: 100, timesMs: [100] } };
  return newHost("a.test", { concurrency: { adaptive: ceiling }, ...NO_GAP, ...rules }, saved);
}

/** One request from start to end, as soon as the host allows; returns when it ended. */
function ask(host: Host, outcome: HostOutcome, nowMs = 0, tookMs = 100): number {
  const startMs = Math.max(nowMs, readyAtMs(host));
  observe(host, start(host, startMs), outcome, startMs + tookMs);
  return startMs + tookMs;
}

function startAll(host: Host, nowMs: number): StartTicket[] {
  const tickets: StartTicket[] = [];
  while (readyAtMs(host) <= nowMs) tickets.push(start(host, nowMs));
  return tickets;
}

describe("readyAtMs()", () => {
  test("says that a new host is ready at once", () => {
    expect(readyAtMs(hostWith())).toBe(0);
  });
  test("counts the gap from start to start, whenever the answer came", () => {
    const host = hostWith({ minGapMs: 250 });
    const ticket = start(host, 1000);
    observe(host, ticket, OK, 1200);
    expect(readyAtMs(host)).toBe(1250);
  });
  test("says Infinity while the limit is reached, and no longer", () => {
    const host = hostWith({ concurrency: 2 });
    const [first] = startAll(host, 0);
    expect(host.inFlight).toBe(2);
    expect(readyAtMs(host)).toBe(Infinity);
    observe(host, first!, OK, 10);
    expect(readyAtMs(host)).toBe(0);
  });
  test("takes the later one of gap and pause", () => {
    const host = hostWith({ minGapMs: 500 });
    pauseUntil(host, 300, "hold");
    expect(readyAtMs(host)).toBe(300);
    ask(host, OK, 300);
    expect(readyAtMs(host)).toBe(800);
  });
});

describe("start()", () => {
  test("refuses to start before the host is ready, and changes nothing", () => {
    const host = hostWith({ minGapMs: 250 });
    ask(host, OK, 1000);
    const before = structuredClone(host);
    expect(() => start(host, 1249)).toThrow(RangeError);
    expect(() => start(host, 1249)).toThrow("before 1250: received 1249");
    expect(host).toEqual(before);
  });
  test("refuses to start over the limit", () => {
    const host = hostWith();
    start(host, 0);
    expect(() => start(host, 9e9)).toThrow(RangeError);
  });
});

describe("observe() of what is no refusal", () => {
  test.each<HostOutcome>([{ type: "fault" }, { type: "other" }])(
    "leaves the pace alone for $type",
    (outcome) => {
      const host = hostAt(4, 8, { minGapMs: 250 });
      const ticket = start(host, 0);
      expect(observe(host, ticket, outcome, 50)).toBeUndefined();
      expect({ limit: host.limit, gapMs: host.gapMs }).toEqual({ limit: 4, gapMs: 250 });
    },
  );
  test("counts refusals, timeouts and faults in a row, until the host answers", () => {
    const host = hostWith();
    let nowMs = 0;
    const outcomes: HostOutcome[] = [REFUSED, { type: "timeout" }, { type: "fault" }];
    for (const outcome of outcomes) nowMs = ask(host, outcome, nowMs);
    expect(host.failuresInRow).toBe(3);
    nowMs = ask(host, { type: "other" }, nowMs);
    expect(host.failuresInRow).toBe(0);
    nowMs = ask(host, REFUSED, nowMs);
    ask(host, OK, nowMs);
    expect(host.failuresInRow).toBe(0);
  });
});

describe("observe() of a Retry-After", () => {
  test("pauses for exactly so long, and leaves limit and gap as they were", () => {
    const host = hostAt(4, 8, { minGapMs: 250 });
    const change = observe(host, start(host, 0), { type: "throttled", retryAfterMs: 7000 }, 123);
    expect(change).toEqual<PaceChange>({
      why: "retry-after",
      limit: { from: 4, to: 4 },
      gapMs: { from: 250, to: 250 },
      pausedUntilMs: 7123,
    });
    expect(readyAtMs(host)).toBe(7123);
  });
  test("lets the latest end of several hold, in whatever order they come", () => {
    for (const waits of [
      [1000, 9000, 3000],
      [9000, 1000, 3000],
      [1000, 3000, 9000],
    ]) {
      const host = hostWith({ concurrency: 3 });
      const tickets = startAll(host, 0);
      tickets.forEach((ticket, at) => {
        observe(host, ticket, { type: "throttled", retryAfterMs: waits[at]! }, 100);
      });
      expect(readyAtMs(host)).toBe(9100);
    }
  });
  test("counts on a redirect too, which is a success otherwise", () => {
    const host = hostWith();
    const change = observe(host, start(host, 0), { ...OK, retryAfterMs: 2000 }, 100);
    expect(change).toMatchObject({ why: "retry-after", pausedUntilMs: 2100 });
    expect(host.failuresInRow).toBe(0);
  });
  test("counts as none when it is 0: a host that refuses without a wait is slowed", () => {
    const host = hostWith();
    const change = observe(host, start(host, 0), { type: "throttled", retryAfterMs: 0 }, 100);
    expect(change).toMatchObject({ why: "throttled", gapMs: { from: 0, to: 1000 } });
    expect(host.pausedUntilMs).toBe(0);
  });
  test("holds for a year as well as for a second", () => {
    const host = hostWith();
    ask(host, { type: "throttled", retryAfterMs: 31_536_000_000 });
    expect(readyAtMs(host)).toBe(31_536_000_100);
  });
});

describe("observe() of a refusal without a wait", () => {
  test("halves an adaptive limit once a round, and leaves the gap", () => {
    const host = hostAt(8, 8);
    const tickets = startAll(host, 0);
    const changes = tickets.map((ticket) => observe(host, ticket, REFUSED, 50));
    expect(changes.filter((change) => change !== undefined)).toEqual<PaceChange[]>([
      { why: "throttled", limit: { from: 8, to: 4 }, gapMs: { from: 0, to: 0 } },
    ]);
    const next = startAll(host, 60);
    expect(next).toHaveLength(4);
    expect(observe(host, next[0]!, REFUSED, 70)?.limit).toEqual({ from: 4, to: 2 });
  });
  test("does the same for a timeout", () => {
    const host = hostAt(8, 8);
    expect(observe(host, start(host, 0), { type: "timeout" }, 10_000)).toMatchObject({
      why: "throttled",
      limit: { from: 8, to: 4 },
    });
  });
  test("rounds an odd half down, and never falls below 1", () => {
    const host = hostAt(5, 8);
    const limits: number[] = [];
    for (let nowMs = 0, n = 0; n < 4; n++) {
      nowMs = ask(host, REFUSED, nowMs);
      limits.push(host.limit);
    }
    expect(limits).toEqual([2, 1, 1, 1]);
  });
  test("doubles the gap at a limit of 1: from one second where the minimum is 0, up to the maximum", () => {
    const host = hostWith({ maxGapMs: 5000 });
    const gaps: number[] = [];
    for (let nowMs = 0, n = 0; n < 5; n++) {
      nowMs = ask(host, REFUSED, nowMs);
      gaps.push(host.gapMs);
    }
    expect(gaps).toEqual([1000, 2000, 4000, 5000, 5000]);
  });
  test("doubles it from its minimum where there is one", () => {
    const host = hostWith({ minGapMs: 250 });
    ask(host, REFUSED);
    expect(host.gapMs).toBe(500);
    expect(readyAtMs(host)).toBe(500);
  });
  test("doubles it with a fixed limit, once a round", () => {
    const host = hostWith({ concurrency: 4 });
    const tickets = startAll(host, 0);
    for (const ticket of tickets) observe(host, ticket, REFUSED, 100);
    expect({ limit: host.limit, gapMs: host.gapMs }).toEqual({ limit: 4, gapMs: 1000 });
  });
  test("leaves a gap alone whose ends are equal", () => {
    const host = hostWith({ minGapMs: 250, maxGapMs: 250 });
    ask(host, REFUSED);
    expect(host.gapMs).toBe(250);
  });
});

describe("observe() of a success", () => {
  test("halves the gap back to its minimum", () => {
    const host = newHost(
      "a.test",
      { concurrency: 1, minGapMs: 250, maxGapMs: 60_000 },
      { limit: 1, gapMs: 1500 },
    );
    const gaps: number[] = [];
    for (let nowMs = 0, n = 0; n < 4; n++) {
      nowMs = ask(host, OK, nowMs);
      gaps.push(host.gapMs);
    }
    expect(gaps).toEqual([750, 375, 250, 250]);
  });
  test("closes it under one second where the minimum is 0", () => {
    const host = newHost("a.test", { concurrency: 1, ...NO_GAP }, { limit: 1, gapMs: 4000 });
    const gaps: number[] = [];
    for (let nowMs = 0, n = 0; n < 3; n++) {
      nowMs = ask(host, OK, nowMs);
      gaps.push(host.gapMs);
    }
    expect(gaps).toEqual([2000, 1000, 0]);
  });
  test("does not close it for what was asked before the host refused", () => {
    const host = hostWith({ concurrency: 3 });
    const [refused, ...earlier] = startAll(host, 0);
    observe(host, refused!, REFUSED, 50);
    for (const ticket of earlier) expect(observe(host, ticket, OK, 100)).toBeUndefined();
    expect(host.gapMs).toBe(1000);
    ask(host, OK, 1000);
    expect(host.gapMs).toBe(0);
  });
});

describe("pauseUntil()", () => {
  test("never shortens a pause", () => {
    const host = hostWith();
    expect(pauseUntil(host, 5000, "hold")).toMatchObject({ why: "hold", pausedUntilMs: 5000 });
    expect(pauseUntil(host, 4000, "hold")).toBeUndefined();
    expect(readyAtMs(host)).toBe(5000);
  });
});

describe("setCrawlDelay()", () => {
  test("raises the gap, fractions too, whatever the limit and the maximum allow", () => {
    const host = hostWith({ concurrency: 4, maxGapMs: 1000 });
    expect(setCrawlDelay(host, 2500.5)).toMatchObject({ why: "crawl-delay", gapMs: { from: 0, to: 2500.5 } });
    start(host, 0);
    expect(readyAtMs(host)).toBe(2500.5);
  });
  test("changes nothing where the caller's own gap is longer", () => {
    const host = hostWith({ minGapMs: 5000 });
    expect(setCrawlDelay(host, 1000)).toBeUndefined();
    expect(host.gapMs).toBe(5000);
  });
  test("doubles from there, and comes back to there", () => {
    const host = hostWith();
    setCrawlDelay(host, 3000);
    const nowMs = ask(host, REFUSED);
    expect(host.gapMs).toBe(6000);
    ask(host, OK, nowMs);
    expect(host.gapMs).toBe(3000);
  });
  test("gives the gap free again when the site no longer wants it", () => {
    const host = hostWith({ minGapMs: 250 });
    setCrawlDelay(host, 3000);
    setCrawlDelay(host, undefined);
    expect(host.gapMs).toBe(250);
  });
});

describe("savePace()", () => {
  test("is JSON that gives the same pace back", () => {
    const rules: PaceRules = { concurrency: { adaptive: 8 }, minGapMs: 0, maxGapMs: 60_000 };
    const host = newHost("a.test", rules);
    let nowMs = 0;
    for (let n = 0; n < 30; n++) nowMs = ask(host, OK, nowMs);
    nowMs = ask(host, REFUSED, nowMs);
    setCrawlDelay(host, 1500);
    nowMs = ask(host, { type: "throttled", retryAfterMs: 60_000 }, nowMs);
    const saved = savePace(host);
    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
    const restored = newHost("a.test", rules, JSON.parse(JSON.stringify(saved)));
    expect(savePace(restored)).toEqual(saved);
    expect(readyAtMs(restored)).toBe(readyAtMs(host));
    expect(restored.refusedLimit).toBe(host.refusedLimit);
  });
  test("says little of a host that nobody asked yet", () => {
    expect(savePace(hostWith())).toEqual({ limit: 1, gapMs: 0 });
  });
  test("keeps the gap across a stop: the last start counts", () => {
    const host = hostWith({ minGapMs: 5000 });
    ask(host, OK, 1000);
    expect(
      readyAtMs(newHost("a.test", { concurrency: 1, minGapMs: 5000, maxGapMs: 5000 }, savePace(host))),
    ).toBe(6000);
  });
  test("follows the rules of the new crawl where they are narrower", () => {
    const saved = { limit: 16, gapMs: 30_000, best: { ms: 100, timesMs: [100] } };
    const host = newHost("a.test", { concurrency: { adaptive: 4 }, minGapMs: 0, maxGapMs: 1000 }, saved);
    expect({ limit: host.limit, gapMs: host.gapMs }).toEqual({ limit: 4, gapMs: 1000 });
  });
  test("starts an adaptive limit at 1 where nothing is known of the host's best", () => {
    const host = newHost("a.test", { concurrency: { adaptive: 8 }, ...NO_GAP }, { limit: 6, gapMs: 0 });
    expect(host.limit).toBe(1);
  });
});
