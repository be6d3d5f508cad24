import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crawl } from "dragline";
import { sqlite } from "dragline/sqlite";
import { openSite } from "./site.js";

const site = await openSite();
const folder = await mkdtemp(join(tmpdir(), "dragline-sqlite-"));
const path = join(folder, "state.db");
const runs = [];
try {
  for (const maxPages of [1, 10]) {
    const run = [];
    const options = { delayMs: 0, frontier: sqlite(path), maxPages };
    for await (const page of crawl(site.home, options)) run.push(page.title);
    runs.push(run);
  }
} catch (error) {
  runs.push(error.message);
} finally {
  await rm(folder, { recursive: true });
  site.close();
}
console.log(JSON.stringify(runs));
