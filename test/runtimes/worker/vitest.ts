// Stands in for `vitest` in the worker's bundle: vitest's own runner and matchers, which need no Node.
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  ChaiStyleAssertions,
  chai,
  customMatchers,
  GLOBAL_EXPECT,
  getState,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  type MatcherState,
  setState,
} from "@vitest/expect";
import { fn, restoreAllMocks, spyOn } from "@vitest/spy";

export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  it,
  onTestFinished,
  test,
} from "@vitest/runner";

/** Of vitest's tools those that need no Node. */
export const vi: { fn: typeof fn; spyOn: typeof spyOn; restoreAllMocks: typeof restoreAllMocks } = {
  fn,
  spyOn,
  restoreAllMocks,
};

interface Expect {
  (value: unknown, message?: string): unknown;
  extend(matchers: object): void;
  getState(): MatcherState;
}

const globals = globalThis as unknown as Record<PropertyKey, unknown>;

for (const plugin of [JestExtend, JestChaiExpect, ChaiStyleAssertions, JestAsymmetricMatchers])
  chai.use(plugin);

/** Chai's `expect` with the matchers of vitest, counted as vitest counts them. */
export const expect: Expect = ((value: unknown, message?: string) => {
  setState({ assertionCalls: getState(expect as never).assertionCalls + 1 }, expect as never);
  return chai.expect(value, message);
}) as Expect;

Object.assign(expect, chai.expect, globals[ASYMMETRIC_MATCHERS_OBJECT], {
  extend: (matchers: object) =>
    (chai.expect as unknown as { extend(on: Expect, matchers: object): void }).extend(expect, matchers),
  getState: () => getState(expect as never),
  unreachable: (message = "expected not to be reached") => chai.assert.fail(message),
});
setState({ assertionCalls: 0 }, expect as never);
Object.defineProperty(globals, GLOBAL_EXPECT, { value: expect, configurable: true });
expect.extend(customMatchers);
