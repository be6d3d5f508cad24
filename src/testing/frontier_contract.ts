/**
 * The contract that every store of the frontier keeps, as a suite of tests, written for vitest and fast-check.
 *
 * ```ts
 * import { memory } from "dragline";
 * import { describeFrontier } from "dragline/testing/frontier";
 *
 * describeFrontier("memory()", memory);
 * ```
 *
 * @module
 */
import { describe, expect, test } from "vitest";
import type { Frontier } from "../frontier/frontier.ts";
import { describeLeases } from "./frontier_contract_leases.ts";
import { testAgainstModel } from "./frontier_contract_model.ts";
import { describeQueue } from "./frontier_contract_queue.ts";
import { A1, A2, NOW_MS, openWith } from "./frontier_contract_requests.ts";

export { requestOf } from "./frontier_contract_requests.ts";

/**
 * What every store of the frontier's contract must do.
 *
 * @param open gives a new, empty store
 */
export function describeFrontier(name: string, open: () => Frontier | Promise<Frontier>): void {
  describe(`${name}, as a frontier,`, () => {
    test("has nothing at first", async () => {
      const frontier = await open();
      expect(await frontier.counts(NOW_MS)).toEqual({
        queued: 0,
        inProgress: 0,
        seen: 0,
        nextDueMs: Number.POSITIVE_INFINITY,
      });
      expect(await frontier.lease(10, NOW_MS)).toEqual([]);
      expect(await frontier.drop({ host: "a.test" }, NOW_MS)).toEqual([]);
    });

    describeQueue(open);
    describeLeases(open);

    test("hasSeen(), where there is one, tells what was accepted", async () => {
      const frontier = await openWith(open, A1);
      if (frontier.hasSeen === undefined) return;
      expect([frontier.hasSeen(A1), frontier.hasSeen(A2)]).toEqual([true, false]);
    });

    testAgainstModel(open);
  });
}
