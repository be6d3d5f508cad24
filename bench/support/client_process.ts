import { spawn } from "node:child_process";
import process from "node:process";
import type { Run } from "./run.ts";
import type { Runtime } from "./runtime.ts";

export type Client = "bare" | "fetch" | "undici";

/** What a client's process is told. */
export interface ClientOrder {
  readonly client: Client;
  /** The pages in its folder and below are crawled. */
  readonly startUrl: string;
  /** What warms up, where that is not the site itself. */
  readonly warmUpUrl?: string;
}

const LIMIT_MS = 600_000;

/** Runs one client to its end, in a process of its own, and reads the {@link Run} that it prints. */
export function runClient(
  runtime: Runtime,
  script: string,
  order: unknown,
  certificateFile?: string,
): Promise<Run> {
  const args = [...runtime.args, script, JSON.stringify(order)];
  // Node.js and Bun read the first, Deno the second.
  const trust = certificateFile && { NODE_EXTRA_CA_CERTS: certificateFile, DENO_CERT: certificateFile };
  return readJson<Run>(runtime.command, args, { ...process.env, ...trust });
}

/** What a command says on its last line of standard output, as JSON. Rejects with what it said of an error. */
export function readJson<T>(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, timeout: LIMIT_MS, killSignal: "SIGKILL" });
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
