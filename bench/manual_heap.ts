/**
 * Heap after two and after ten crawls of one manual in one process, after garbage collection:
 * `node --expose-gc --import tsx bench/manual_heap.ts FOLDER`, where FOLDER holds an index.html.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import process from "node:process";
import { crawl } from "../mod.ts";

const [folder] = process.argv.slice(2);
const { gc } = globalThis as { gc?: () => void };
if (folder === undefined || gc === undefined) {
  console.error("Usage: node --expose-gc --import tsx bench/manual_heap.ts FOLDER");
  process.exit(2);
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

const server = createServer(async (request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://a.test").pathname));
  try {
    const body = await readFile(join(folder, path));
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const start = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`;
let afterTwo = 0;
for (let round = 1; round <= 10; round++) {
  let pages = 0;
  for await (const page of crawl(start, { delayMs: 0, concurrency: 16, hostConcurrency: 16 }))
    if (page.ok) pages++;
  gc();
  const heapMb = process.memoryUsage().heapUsed / 1e6;
  if (round === 2) afterTwo = heapMb;
  console.log(`crawl ${round}: ${pages} pages, heap ${heapMb.toFixed(1)} MB`);
  if (round === 10) console.log(`after ten against after two: ${(heapMb / afterTwo).toFixed(3)}`);
}
server.close();
server.closeAllConnections();
