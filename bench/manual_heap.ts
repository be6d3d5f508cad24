/**
 * Heap after two and after ten crawls of the PostgreSQL manual in one process, after garbage collection; the server is
 * a process of its own. `npm run bench -- manual_heap`
 */
import process from "node:process";
import { crawl } from "../mod.ts";
import { isInstalled, MANUALS } from "./support/site.ts";
import { startSite } from "./support/site_process.ts";

const manual = MANUALS[0]!;
const { gc } = globalThis as { gc?: () => void };
if (!isInstalled(manual) || gc === undefined) {
  console.error(`Cannot run as it needs Debian's package ${manual.package} and 'node --expose-gc'`);
  process.exit(2);
}

const site = await startSite(manual);
let afterTwo = 0;
for (let round = 1; round <= 10; round++) {
  let pages = 0;
  for await (const page of crawl(site.startUrl, { delayMs: 0, concurrency: 16, hostConcurrency: 16 }))
    if (page.ok) pages++;
  gc();
  const heapMb = process.memoryUsage().heapUsed / 1e6;
  if (round === 2) afterTwo = heapMb;
  console.log(`crawl ${round}: ${pages} pages, heap ${heapMb.toFixed(1)} MB`);
  if (round === 10) console.log(`after ten against after two: ${(heapMb / afterTwo).toFixed(3)}`);
}
await site.close();
