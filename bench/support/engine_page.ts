import process from "node:process";
import { crawl, type Transport, type TransportResponse } from "../../mod.ts";
import { syntheticPages } from "./synthetic_pages.ts";

export const PAGES = 2_000;
export const AT_ONCE = 32;

const bodies = new Map<string, ArrayBuffer>();
for (const [path, page] of syntheticPages(PAGES, 10_240)) bodies.set(path, Uint8Array.from(page).buffer);

/** Answers in the next turn of the event loop, as the answers of a network do. */
const transport: Transport = {
  send: ({ url }) =>
    new Promise((resolve) => {
      setImmediate(() => resolve(answer(url.slice("http://site.test".length))));
    }),
};

const headers = new Headers({ "content-type": "text/html; charset=utf-8", "content-length": "10240" });

function answer(path: string): TransportResponse {
  const body = bodies.get(path);
  if (body === undefined) return { status: 404, headers: new Headers(), body: null, arrayBuffer: nothing };
  return { status: 200, headers, body: null, arrayBuffer: async () => body };
}

async function nothing(): Promise<ArrayBuffer> {
  return new ArrayBuffer(0);
}

/** Microseconds of the processor that a whole crawl takes a page, with the network left out. */
export async function engineCost(): Promise<number> {
  const before = process.cpuUsage();
  const options = { delayMs: 0, concurrency: AT_ONCE, hostConcurrency: AT_ONCE, transport };
  let pages = 0;
  for await (const page of crawl("http://site.test/", options)) if (page.ok) pages++;
  const { user, system } = process.cpuUsage(before);
  if (pages !== PAGES) throw new Error(`Expected ${PAGES} pages: received ${pages}`);
  return (user + system) / pages;
}
