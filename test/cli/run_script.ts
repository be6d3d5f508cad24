import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";

const isDeno = "Deno" in globalThis;
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A script of this repository as a process of its own, under the runtime that runs the tests. */
export interface RunningScript {
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  /** As Ctrl-C does. */
  interrupt(): void;
  /** As `kill -9` does. */
  kill(): void;
  /** Reads standard output no further, as `head` does when it has its lines. */
  closeOutput(): void;
  /** Its end: the exit code and all that it wrote. */
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Starts a script, by its path from the root of the repository. */
export function startScript(script: string, ...args: string[]): RunningScript {
  const child = spawn(process.execPath, [...runtimeArguments(), script, ...args], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    interrupt() {
      // Not child.kill(): Deno's sends one signal and no second one.
      if (child.pid !== undefined) process.kill(child.pid, "SIGINT");
    },
    kill: () => child.kill("SIGKILL"),
    closeOutput: () => child.stdout.destroy(),
    ended: once(child, "close").then(([code, signal]) => ({
      code: exitCode(code, signal),
      stdout: stdout(),
      stderr: stderr(),
    })),
  };
}

/** Reads a stream from now on; gives what came so far. */
function collect(stream: NodeJS.ReadableStream): () => string {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

/** Deno takes the exit code 130 of a child for its death by the signal. */
function exitCode(code: number | null, signal: NodeJS.Signals | null): number | null {
  return isDeno && signal === "SIGINT" ? 130 : code;
}

function runtimeArguments(): string[] {
  if (isDeno) return ["run", "-A"];
  if ("Bun" in globalThis) return ["run"];
  return ["--import", "tsx"];
}
