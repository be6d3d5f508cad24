// A client's process: crawls a site until it is warm, then again for the figures, which it prints as JSON.
import process from "node:process";
import { type CrawlOptions, crawl } from "../../mod.ts";
import { bareLoop } from "./bare_loop.ts";
import type { Client, ClientOrder } from "./client_process.ts";
import { reportRun } from "./run.ts";

const AT_ONCE = 32;
const order = JSON.parse(process.argv[2]!) as ClientOrder;

const clients: Readonly<Record<Client, (startUrl: string) => Promise<number>>> = {
  bare: (startUrl) => bareLoop(startUrl, folderOf(startUrl), AT_ONCE),
  fetch: (startUrl) => wholeCrawl(startUrl, {}),
  async undici(startUrl) {
    const { undiciTransport } = await import("../../src/transport/undici.ts");
    return wholeCrawl(startUrl, { transport: undiciTransport() });
  },
};

async function wholeCrawl(startUrl: string, more: CrawlOptions): Promise<number> {
  const pace = { delayMs: 0, concurrency: AT_ONCE, hostConcurrency: AT_ONCE };
  const isWholeHost = new URL(folderOf(startUrl)).pathname === "/";
  const scope = isWholeHost ? "host" : "prefix";
  let pages = 0;
  for await (const page of crawl(startUrl, { ...pace, scope, ...more })) if (page.ok) pages++;
  return pages;
}

function folderOf(url: string): string {
  return new URL(".", url).href;
}

const client = clients[order.client];
await reportRun(
  () => client(order.startUrl),
  () => client(order.warmUpUrl ?? order.startUrl),
);
process.exit(0);
