/**
 * What crawls are tested with, by any test runner: a web in memory, and a clock that jumps. The contract that every store
 * of the frontier keeps is in `dragline/testing/frontier`, which alone needs vitest and fast-check.
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
