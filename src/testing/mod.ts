/**
 * What crawls, and stores of the frontier, are tested with: a web in memory, a clock that jumps, and the contract that
 * every store keeps. `describeFrontier` is written for vitest and fast-check, which are peers for it alone.
 *
 * @module
 */
export { FakeClock } from "./fake_clock.ts";
export {
  type FakeAnswer,
  type FakePage,
  type FakeRequest,
  type FakeWeb,
  type FakeWebOptions,
  fakeWeb,
} from "./fake_web.ts";
export { describeFrontier } from "./frontier_contract.ts";
