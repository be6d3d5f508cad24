// A crawl that outlives its process: stop it with Ctrl-C, or kill it, and start it again to go on where it was.
//
//   npx tsx examples/resume.ts https://example.com/ state.db
import process from "node:process";
import { crawl } from "../mod.ts";
import { sqlite } from "../src/frontier/sqlite.ts";

const [, , seed = "https://example.com/", path = "state.db"] = process.argv;

const pages = crawl(seed, { frontier: sqlite(path) });

// Once: what is in flight may still end. A second Ctrl-C ends the process at once, and loses nothing either.
process.once("SIGINT", () => pages.stop());

for await (const page of pages) {
  // What is done with a page may be done twice: it counts as read when the loop asks for the next one.
  console.log(page.status, page.url);
}

const { finishReason, queued } = pages.stats;
console.log(finishReason === "stopped" ? `stopped, ${queued} are still queued` : `${finishReason}`);
