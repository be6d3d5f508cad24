import { run } from "../../src/cli/run.ts";
import type { Surroundings } from "../../src/cli/surroundings.ts";
import { FakeClock } from "../../src/testing/fake_clock.ts";
import { type FakeWeb, fakeWeb } from "../../src/testing/fake_web.ts";
import { RecordedOutput } from "./recorded_output.ts";

export type Web = Parameters<typeof fakeWeb>[0];

/** What a run of the command left behind. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly log: FakeWeb["log"];
}

/** What a test may put around the command. */
export interface Around extends Partial<Pick<Surroundings, "resolver" | "variables" | "onInterrupt">> {
  readonly out?: RecordedOutput;
  /** Standard input. */
  readonly input?: string;
}

/** Runs the command on a fake web, in no time. */
export async function runOn(web: Web, args: readonly string[], around: Around = {}): Promise<Ran> {
  const clock = new FakeClock();
  const { fetch, log } = fakeWeb(web, { clock });
  const { out = new RecordedOutput(), input = "", ...others } = around;
  const err = new RecordedOutput();
  const code = await run(args, {
    out,
    err,
    clock,
    fetch,
    variables: {},
    readInput: async () => input,
    onInterrupt: () => () => {},
    ...others,
  });
  return { code, out: out.text, err: err.text, log };
}
