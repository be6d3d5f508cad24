import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sqlite } from "../../src/frontier/sqlite.ts";
import { childUrls } from "./sqlite_child_web.ts";
import { freshFiles, hasSqlite } from "./sqlite_folder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const KILLS = 50;

// So many processes, should each of them end before it is killed.
const MOST_PROCESSES = 4 * KILLS;

function runtimeArguments(): string[] {
  if ("Deno" in globalThis) return ["run", "-A"];
  if ("Bun" in globalThis) return ["run"];
  return (process.features as { typescript?: unknown }).typescript ? [] : ["--import", "tsx"];
}

function startChild(path: string, cache: string): ChildProcess {
  return spawn(process.execPath, [...runtimeArguments(), "test/frontier/sqlite_child.ts", path], {
    cwd: ROOT,
    // Node.js compiles the sources once for all of them.
    env: { ...process.env, NO_COLOR: "1", NODE_COMPILE_CACHE: cache },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Lets a child run and kills it after so many lines; gives the lines that it wrote, whole. */
async function runAndKill(path: string, cache: string, lines: number): Promise<string[]> {
  const child = startChild(path, cache);
  const ended = once(child, "exit");
  const written: string[] = [];
  const kill = (): void => {
    try {
      process.kill(child.pid!, "SIGKILL");
    } catch {
      // It was faster.
    }
  };
  for await (const line of createInterface(child.stdout!)) {
    written.push(line);
    if (written.length >= lines) kill();
  }
  await ended;
  return written;
}

describe.skipIf(!hasSqlite)(
  `sqlite()${hasSqlite ? "" : " (left out: this runtime has no node:sqlite)"}`,
  () => {
    const freshFile = freshFiles();

    test(`loses nothing in ${KILLS} kills: each page is delivered, and at most one a kill twice`, async () => {
      const cache = join(freshFile(), "cache");
      // Left alone it delivers each page once; and only a process that comes to its end fills the cache.
      const unbroken = await runAndKill(freshFile(), cache, Number.POSITIVE_INFINITY);
      expect(unbroken.slice(1, -1).sort()).toEqual([...childUrls].sort());
      const afterLines = fc.sample(fc.integer({ min: 1, max: 14 }), MOST_PROCESSES);
      let kills = 0;
      let processes = 0;
      while (kills < KILLS && processes < MOST_PROCESSES) {
        const path = freshFile();
        const delivered: string[] = [];
        let isDone = false;
        let killsHere = 0;
        while (!isDone && processes < MOST_PROCESSES) {
          const lines = kills < KILLS ? afterLines[processes]! : Number.POSITIVE_INFINITY;
          processes++;
          const [first, ...rest] = await runAndKill(path, cache, lines);
          expect(first).toBe("open");
          isDone = rest.at(-1) === "done";
          delivered.push(...(isDone ? rest.slice(0, -1) : rest));
          if (!isDone) killsHere++;
          kills = isDone ? kills : kills + 1;
        }
        const told = `killed after ${afterLines.slice(0, processes).join(", ")} lines`;
        expect(isDone, told).toBe(true);
        expect([...new Set(delivered)].sort(), told).toEqual([...childUrls].sort());
        expect(delivered.length - childUrls.length, told).toBeLessThanOrEqual(killsHere);
      }
      expect(kills).toBeGreaterThanOrEqual(KILLS);
    }, 60_000);

    test("refuses a second process, in words that name the file", async () => {
      const path = freshFile();
      const store = sqlite(path);
      const child = startChild(path, join(freshFile(), "cache"));
      let stderr = "";
      child.stderr?.on("data", (chunk) => {
        stderr += String(chunk);
      });
      const [code] = (await once(child, "close")) as [number];
      expect(code).toBe(1);
      expect(stderr).toContain(`Cannot open '${path}' as another process or crawl has it open`);
      store.close();
    });
  },
);
