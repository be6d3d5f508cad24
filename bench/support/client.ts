// A client's process: its argument names the client, which crawls a site whenever a line of its input orders it.
import process from "node:process";
import { type CrawlOptions, crawl } from "../../mod.ts";
import { answerOrders } from "./answer_orders.ts";
import { bareLoop } from "./bare_loop.ts";
import type { Client } from "./client_process.ts";

const AT_ONCE = 32;

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

answerOrders(clients[process.argv[2] as Client]);
