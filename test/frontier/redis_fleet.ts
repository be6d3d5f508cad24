import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { WorkerOrder } from "./redis_worker.ts";

const WORKER = fileURLToPath(new URL("redis_worker.ts", import.meta.url));
// Tries after which a worker that fails again and again is no longer started anew.
const MOST_FAILURES = 8;

/** Worker processes on one crawl, which are started again when they fail, as those of a real fleet are. */
export class Fleet {
  /** URLs of pages in the order in which the workers wrote them. */
  readonly delivered: string[] = [];
  /** What failing workers wrote. */
  readonly complaints: string[] = [];
  kills = 0;
  readonly #order: Omit<WorkerOrder, "client">;
  readonly #size: number;
  readonly #alive = new Set<ChildProcess>();
  readonly #waiting = new Set<ChildProcess>();
  readonly #ends: Promise<void>[] = [];
  #started = 0;
  #ready = 0;

  /** `size`: so many are started, and begin together once all of them are ready; later ones begin at once. */
  constructor(order: Omit<WorkerOrder, "client">, size: number) {
    this.#order = order;
    this.#size = size;
    for (let i = 0; i < size; i++) this.start();
  }

  /** Starts one more; every other one has another client. */
  start(): void {
    const client = ++this.#started % 2 === 0 ? "redis" : "ioredis";
    const order: WorkerOrder = { ...this.#order, client };
    const worker = spawn(process.execPath, [...runtimeArguments(), WORKER, JSON.stringify(order)], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#alive.add(worker);
    createInterface({ input: worker.stdout }).on("line", (line) => {
      if (line === "ready") this.#begin(worker);
      else this.delivered.push(line);
    });
    let complaint = "";
    worker.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint += text;
    });
    this.#ends.push(
      once(worker, "close").then(([code]) => {
        const wasKilled = !this.#alive.delete(worker);
        if (wasKilled || code === 0) return;
        this.complaints.push(complaint);
        if (this.complaints.length < MOST_FAILURES) this.start();
      }),
    );
  }

  /** Kills one of those that are alive, chosen by a number below 1. */
  kill(chance: number): void {
    const worker = [...this.#alive][Math.floor(chance * this.#alive.size)];
    if (worker === undefined) return;
    this.#alive.delete(worker);
    this.kills++;
    process.kill(worker.pid!, "SIGKILL");
  }

  /** Settles when every worker has ended, also those that were started meanwhile. */
  async ended(): Promise<void> {
    for (const end of this.#ends) await end;
  }

  close(): void {
    while (this.#alive.size > 0) this.kill(0);
  }

  #begin(worker: ChildProcess): void {
    this.#waiting.add(worker);
    if (++this.#ready < this.#size) return;
    for (const { stdin } of this.#waiting) stdin?.end("go\n");
    this.#waiting.clear();
  }
}

function runtimeArguments(): string[] {
  if ("Deno" in globalThis) return ["run", "-A"];
  return "Bun" in globalThis ? ["run"] : ["--import", "tsx"];
}
