// A crawl in a process of its own, to be killed: `sqlite_child.ts FILE` goes on with the crawl in FILE over a web of
// its own, prints each page before it asks for the next one, and says when the crawl is done.
import { writeSync } from "node:fs";
import process from "node:process";
import { crawl } from "../../src/crawl.ts";
import { sqlite } from "../../src/frontier/sqlite.ts";
import { answer, CHILD_CONCURRENCY, CHILD_SEED } from "./sqlite_child_web.ts";

const [, , path = ""] = process.argv;

/** At once and in order: a pipe keeps what was written when its writer is killed. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

const pages = crawl(CHILD_SEED, {
  frontier: sqlite(path),
  fetch: async (input) => answer(String(input)),
  scope: "any",
  delayMs: 0,
  concurrency: CHILD_CONCURRENCY,
  // Each process meets each fault anew.
  retries: { max: 1_000, baseMs: 1, maxMs: 1 },
});
say("open");
for await (const { url } of pages) say(url);
say("done");
