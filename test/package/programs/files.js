import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crawl } from "dragline";
import { toFiles } from "dragline/files";
import { openSite } from "./site.js";

const site = await openSite();
const folder = await mkdtemp(join(tmpdir(), "dragline-files-"));
await crawl(site.home, { delayMs: 0 }).pipeTo(toFiles(folder));
const manifest = (await readFile(join(folder, "index.jsonl"), "utf8")).trim().split("\n");
const titles = [];
for (const line of manifest) {
  const html = await readFile(join(folder, JSON.parse(line).file), "utf8");
  titles.push(/<title>(.*?)</.exec(html)[1]);
}
await rm(folder, { recursive: true });
site.close();
console.log(JSON.stringify(titles.sort()));
