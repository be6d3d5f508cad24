import { spawn } from "node:child_process";

const LIMIT_MS = 600_000;

/** What a command says on its last line of standard output, as JSON. Rejects with what it said of an error. */
export function readJson<T>(command: string, args: readonly string[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { timeout: LIMIT_MS, killSignal: "SIGKILL" });
    let out = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(JSON.parse(out.trimEnd().split("\n").at(-1)!) as T);
      else reject(new Error(`${command} ended with ${signal ?? code}: ${errors.trim()}`));
    });
  });
}
