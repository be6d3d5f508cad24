/**
 * Pages a second of a whole crawl against a bare loop on the same runtime: fetch, text, a regular expression for
 * links, URL, Set; 32 at once, robots on, no delay. `npm run bench -- crawl`
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { crawl } from "../mod.ts";
import { summary } from "./support/summary.ts";

const PAGES = 2_000;
const AT_ONCE = 32;
const ROUNDS = 5;

/** The least that a crawler can do. */
async function bareLoop(start: string): Promise<number> {
  const seen = new Set([start]);
  const queue = [start];
  let pages = 0;
  let inFlight = 0;
  await new Promise<void>((resolve, reject) => {
    const next = (): void => {
      if (queue.length === 0 && inFlight === 0) resolve();
      while (inFlight < AT_ONCE && queue.length > 0) {
        inFlight++;
        visit(queue.pop()!).then(next, reject);
      }
    };
    const visit = async (url: string): Promise<void> => {
      const text = await (await fetch(url)).text();
      pages++;
      for (const [, href] of text.matchAll(/<a\s[^>]*href="([^"]*)"/g)) {
        const link = new URL(href!, url).href;
        if (!seen.has(link)) {
          seen.add(link);
          queue.push(link);
        }
      }
      inFlight--;
    };
    next();
  });
  return pages;
}

async function wholeCrawl(start: string): Promise<number> {
  const options = { delayMs: 0, concurrency: AT_ONCE, hostConcurrency: AT_ONCE };
  let pages = 0;
  for await (const page of crawl(start, options)) if (page.ok) pages++;
  return pages;
}

async function pagesPerSecond(run: (start: string) => Promise<number>, start: string): Promise<number> {
  const startedAt = performance.now();
  const pages = await run(start);
  // `/` and `/page/0` are one page under two addresses.
  if (pages !== PAGES + 1 && pages !== PAGES) throw new Error(`Expected ${PAGES} pages: received ${pages}`);
  return (pages * 1_000) / (performance.now() - startedAt);
}

const server = spawn("node", ["--import", "tsx", "bench/synthetic_site.ts", `${PAGES}`], {
  stdio: ["pipe", "pipe", "inherit"],
});
const [port] = (await once(server.stdout, "data")) as [Buffer];
const start = `http://127.0.0.1:${String(port).trim()}/`;
const bare: number[] = [];
const whole: number[] = [];
const ratios: number[] = [];
for (let round = 0; round <= ROUNDS; round++) {
  const a = await pagesPerSecond(bareLoop, start);
  const b = await pagesPerSecond(wholeCrawl, start);
  // The first round warms up.
  if (round === 0) continue;
  bare.push(a);
  whole.push(b);
  ratios.push(b / a);
}
console.log(`| ${PAGES} pages of 10 KB, ${AT_ONCE} at once | median (least to most) |\n|---|---|`);
console.log(`| bare loop, pages a second | ${summary(bare)} |`);
console.log(`| crawl(), pages a second | ${summary(whole)} |`);
console.log(`| ratio | ${summary(ratios)} |`);
server.stdin.end();
await once(server, "exit");
process.exit(0);
