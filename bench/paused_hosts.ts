/**
 * The processor's share of a crawl of a thousand hosts that all rest: each has answered 429 with a `Retry-After` of
 * half an hour, or is held by the loop's body. `npm run bench -- paused_hosts`, or `... paused_hosts -- HOSTS SECONDS`.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Crawl, type CrawlOptions, crawl } from "../mod.ts";

const REST_S = 1_800;

const [hosts = 1_000, seconds = 20] = process.argv.slice(2).map(Number);

const server = createServer((request, response) => {
  if (request.url?.includes("robots.txt")) response.writeHead(404).end();
  else response.writeHead(429, { "retry-after": `${REST_S}` }).end();
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;

/** Sends every name to one server, which finds it in the path. */
const transport: NonNullable<CrawlOptions["transport"]> = {
  send: ({ url, headers, signal }) =>
    fetch(`http://127.0.0.1:${port}/${encodeURIComponent(url)}`, { headers, signal, redirect: "manual" }),
};
const seeds = Array.from({ length: hosts }, (_, n) => `http://h${n}.test/`);

/** Reads in the background, as nothing comes, and waits until all that is asked for was answered. */
async function restingCrawl(): Promise<Crawl> {
  let paused = 0;
  const running = crawl(seeds, {
    transport,
    concurrency: 64,
    onEvent: ({ type }) => {
      if (type === "paced") paused++;
    },
  });
  running.getReader().read();
  while (paused < hosts) await sleep(50);
  return running;
}

/** All hosts wait for `hold()`, and nothing was ever asked of them. */
async function heldCrawl(): Promise<Crawl> {
  const running = crawl(seeds, { transport, concurrency: 64 });
  for (const seed of seeds) running.hold({ host: new URL(seed).host }, REST_S * 1_000);
  running.getReader().read();
  return running;
}

/** Milliseconds of the processor for each second that passes, over so many seconds. */
async function cpuShare(): Promise<number> {
  // What the start left behind is collected first.
  await sleep(1_000);
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await sleep(seconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / (performance.now() - startedAt);
}

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
console.log(`| ${seconds} s | share of one processor |\n|---|---|`);
console.log(`| this process without a crawl | ${percent(await cpuShare())} |`);
for (const [name, begin] of Object.entries({ "Retry-After": restingCrawl, "hold()": heldCrawl })) {
  const running = await begin();
  const share = await cpuShare();
  console.log(`| ${hosts} hosts that rest by ${name} | ${percent(share)} |`);
  await running.stop();
}
server.close();
server.closeAllConnections();
process.exit(0);
