import { describe, expect, test } from "vitest";
import { judgeAnswer, type Limit, newLimit } from "../../src/politeness/limit.ts";

/** Hands in answers of one time, to requests of the limit as it stands, until it moves; says how and after how many. */
function untilItMoves(
  host: Limit,
  responseMs: number,
  most = 500,
  mayGrow = true,
): { move: string; answers: number } {
  for (let answers = 1; answers <= most; answers++) {
    const move = judgeAnswer(host, { era: host.era, limit: host.limit }, responseMs, mayGrow);
    if (move !== undefined) return { move: `${move} to ${host.limit}`, answers };
  }
  return { move: `stays at ${host.limit}`, answers: most };
}

function limitAt(limit: number, bestMs: number, ceiling = 64): Limit {
  const timesMs = Array.from({ length: 64 }, () => bestMs);
  return { ...newLimit(limit, ceiling, true), bestMs, timesMs };
}

describe("judgeAnswer()", () => {
  test("lets the limit leave 1 once ten answers have told the best, and then grow by one a round", () => {
    const host = newLimit(1, 5, true);
    const moves = Array.from({ length: 4 }, () => untilItMoves(host, 100));
    expect(moves).toEqual([
      { move: "fast to 2", answers: 10 },
      { move: "fast to 3", answers: 2 },
      { move: "fast to 4", answers: 3 },
      { move: "fast to 5", answers: 4 },
    ]);
  });
  test("never passes the ceiling", () => {
    expect(untilItMoves(limitAt(5, 100, 5), 100).move).toBe("stays at 5");
  });
  test("never moves a fixed limit, however slow the answers are", () => {
    const host = newLimit(4, 4, false);
    for (const responseMs of [10, 10_000, 10]) expect(untilItMoves(host, responseMs).move).toBe("stays at 4");
  });
  test("does not grow while it may not", () => {
    expect(untilItMoves(limitAt(4, 100), 100, 500, false).move).toBe("stays at 4");
  });
  test("grows up to one and a half times the best, and no further", () => {
    expect(untilItMoves(limitAt(4, 100), 150)).toEqual({ move: "fast to 5", answers: 4 });
    expect(untilItMoves(limitAt(4, 100), 151, 31).move).toBe("stays at 4");
  });
  test("cuts above twice the best, and not before sixteen answers", () => {
    expect(untilItMoves(limitAt(8, 100), 201)).toEqual({ move: "slow to 4", answers: 16 });
  });
  test("does not cut by one slow answer among many, nor by fewer than it takes to be sure", () => {
    const host = limitAt(32, 100);
    for (let n = 0; n < 2000; n++) {
      const responseMs = n % 16 < 7 ? 5000 : 160;
      const move = judgeAnswer(host, { era: host.era, limit: host.limit }, responseMs, true);
      expect(move).not.toBe("slow");
    }
  });
  test("takes a cut back that did not make the host faster only by growing again from its new best", () => {
    const host = limitAt(8, 100);
    untilItMoves(host, 500);
    expect(untilItMoves(host, 500)).toEqual({ move: "fast to 5", answers: 4 + 24 + 1 });
    expect(host.bestMs).toBe(500);
  });
  test("stays at the half when the queue was ours", () => {
    const host = limitAt(8, 100);
    untilItMoves(host, 220);
    expect(host.limit).toBe(4);
    untilItMoves(host, 110, 4 + 24);
    expect(host).toMatchObject({ limit: 4, trial: undefined });
    expect(host.bestMs).toBe(100);
  });
  test("holds a limit between fast and slow, tries the half after eight rounds, and comes back", () => {
    const host = limitAt(4, 100);
    expect(untilItMoves(host, 180)).toEqual({ move: "calibrating to 2", answers: 8 * 4 });
    expect(untilItMoves(host, 100)).toEqual({ move: "calibrating to 4", answers: 2 + 24 });
    expect(untilItMoves(host, 180)).toEqual({ move: "calibrating to 2", answers: 4 + 16 * 4 });
  });
  test("learns a new best when the host has become faster", () => {
    const host = limitAt(4, 1000);
    expect(untilItMoves(host, 200).move).toBe("calibrating to 2");
    untilItMoves(host, 200);
    expect(host).toMatchObject({ limit: 4, bestMs: 200 });
  });
  test("follows a host that becomes slower while only one request is in flight", () => {
    const host = newLimit(1, 1, true);
    untilItMoves(host, 100, 50);
    untilItMoves(host, 900, 16);
    expect(host.bestMs).toBe(900);
  });
  test("passes over answers to requests of before a jump, and of a limit that was not reached", () => {
    const host = limitAt(8, 100);
    untilItMoves(host, 500);
    const before = structuredClone(host);
    judgeAnswer(host, { era: host.era - 1, limit: 8 }, 500, true);
    judgeAnswer(host, { era: host.era, limit: 0 }, 500, true);
    expect(host).toEqual(before);
  });
});
