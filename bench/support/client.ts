// A client's process: crawls a site until it is warm, then again for the figures, which it prints as JSON.
import process from "node:process";
import { type CrawlOptions, crawl } from "../../mod.ts";
import { bareLoop } from "./bare_loop.ts";
import type { Client, ClientOrder } from "./client_process.ts";
import { reportRun } from "./run.ts";

const AT_ONCE = 32;
const order = JSON.parse(process.argv[2]!) as ClientOrder;

const clients: Readonly<Record<Client, () => Promise<number>>> = {
  bare: () => bareLoop(order.startUrl, order.scope, AT_ONCE),
  fetch: () => wholeCrawl({}),
  async undici() {
    const { undiciTransport } = await import("../../src/transport/undici.ts");
    return wholeCrawl({ transport: undiciTransport() });
  },
};

async function wholeCrawl(more: CrawlOptions): Promise<number> {
  const pace = { delayMs: 0, concurrency: AT_ONCE, hostConcurrency: AT_ONCE };
  // The default where it does.
  const scope = new URL(order.scope).pathname === "/" ? "host" : "prefix";
  let pages = 0;
  for await (const page of crawl(order.startUrl, { ...pace, scope, ...more })) if (page.ok) pages++;
  return pages;
}

await reportRun(clients[order.client]);
process.exit(0);
