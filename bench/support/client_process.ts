import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface, type Interface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import type { Run } from "./run.ts";
import type { Runtime } from "./runtime.ts";

export type Client = "bare" | "fetch" | "undici";

/** One line to a client, which it answers by a {@link Run}. */
export interface CrawlOrder {
  /** The pages in its folder and below are crawled, again and again. */
  readonly startUrl: string;
  /** For at least so long, and at least once. */
  readonly leastMs: number;
}

interface ClientOptions {
  readonly args?: readonly string[];
  /** Of a site that it is to trust. */
  readonly certificateFile?: string | undefined;
  /** How long an answer may take beyond what was ordered. Default: 120 s. */
  readonly answerLimitMs?: number;
  /** How long it may take to end by itself. Default: 5 s. */
  readonly endLimitMs?: number;
}

/**
 * A client in a process of its own, which stays: it crawls when it is told to, and waits meanwhile. Whoever starts one
 * calls `end()`, whatever happens.
 */
export class ClientProcess {
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #lines: Interface;
  /** Resolves with how the process ended, and what it said of an error. */
  readonly #ended: Promise<string>;
  readonly #answerLimitMs: number;
  readonly #endLimitMs: number;

  constructor(runtime: Runtime, script: string, options: ClientOptions = {}) {
    const { args = [], certificateFile, answerLimitMs = 120_000, endLimitMs = 5_000 } = options;
    this.#name = [runtime.name, ...args].join(", ");
    this.#answerLimitMs = answerLimitMs;
    this.#endLimitMs = endLimitMs;
    // Node.js and Bun read the first, Deno the second.
    const trust = certificateFile && { NODE_EXTRA_CA_CERTS: certificateFile, DENO_CERT: certificateFile };
    const child = spawn(runtime.command, [...runtime.args, script, ...args], {
      env: { ...process.env, ...trust },
    });
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout });
    this.#ended = ending(child);
    // What cannot be written any more shows in how the process ended.
    child.stdin.on("error", () => {});
  }

  /** Lets it crawl. Rejects, and kills it, where no answer comes in time; rejects too where it ends instead. */
  async crawl(order: CrawlOrder): Promise<Run> {
    const limitMs = order.leastMs + this.#answerLimitMs;
    const done = new AbortController();
    const { signal } = done;
    this.#child.stdin!.write(`${JSON.stringify(order)}\n`);
    try {
      return await Promise.race([
        once(this.#lines, "line", { signal }).then(([line]) => JSON.parse(String(line)) as Run),
        this.#ended.then((how) => this.#fail(`it ended with ${how}`)),
        wait(limitMs, undefined, { signal }).then(() => this.#fail(`no answer came within ${limitMs} ms`)),
      ]);
    } catch (error) {
      this.#child.kill("SIGKILL");
      throw error;
    } finally {
      done.abort();
    }
  }

  /** Lets it end, or kills it where it does not; resolves when it is gone, at once where it was. */
  async end(): Promise<void> {
    const kill = setTimeout(() => this.#child.kill("SIGKILL"), this.#endLimitMs);
    this.#child.stdin!.end();
    await this.#ended;
    clearTimeout(kill);
  }

  #fail(why: string): never {
    throw new Error(`Cannot measure '${this.#name}' as ${why}`);
  }
}

function ending(child: ChildProcess): Promise<string> {
  let errors = "";
  child.stderr!.on("data", (chunk: Buffer) => (errors += chunk));
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (code, signal) => resolve(`${signal ?? code}: ${errors.trim()}`));
  });
}
