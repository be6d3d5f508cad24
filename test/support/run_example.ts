import { expect } from "vitest";
import { startScript } from "../cli/run_script.ts";

/** The lines that an example writes, by its path below `examples/`; it must end well, and write no complaint. */
export async function linesOf(example: string, ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await startScript(`examples/${example}`, ...args).ended;
  expect({ code, stderr }, example).toEqual({ code: 0, stderr: "" });
  return stdout.trimEnd().split("\n");
}
