import { execFile } from "node:child_process";
import process from "node:process";
import { type Runtime, runtimeBinary } from "../../scripts/runtimes.ts";

/** A runtime that runs programs from a terminal. */
export type ProgramRuntime = "node" | Exclude<Runtime, "workerd">;

export const PROGRAM_RUNTIMES: readonly ProgramRuntime[] = ["node", "node24", "deno", "bun"];

/** What a program printed, and the code with which it ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command by which a runtime runs a script: `node` is the machine's own. */
export function commandOf(runtime: ProgramRuntime, ...script: readonly string[]): readonly string[] {
  const binary = runtime === "node" ? process.execPath : runtimeBinary(runtime);
  if (binary === undefined) throw new Error(`Cannot test ${runtime} as it is not made for this platform`);
  if (runtime === "deno") return [binary, "run", "--allow-all", ...script];
  return [binary, ...script];
}

/** Runs a command to its end. */
export function run([command = "", ...args]: readonly string[], cwd: string): Promise<Ended> {
  // A program that hangs is a fault of its own, not one of the whole run.
  const options = {
    cwd,
    env: { ...process.env, NO_COLOR: "1" },
    timeout: 110_000,
    killSignal: "SIGKILL" as const,
  };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr: error && code === -1 ? `${error.message}\n${stderr}` : stderr });
    });
  });
}
