import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { crawl } from "dragline";
import { toWarc } from "dragline/warc";
import { openSite } from "./site.js";

const site = await openSite();
const folder = await mkdtemp(join(tmpdir(), "dragline-warc-"));
const path = join(folder, "site.warc.gz");
await crawl(site.home, { delayMs: 0 }).pipeTo(toWarc(path));
const archive = gunzipSync(await readFile(path)).toString("latin1");
await rm(folder, { recursive: true });
site.close();
console.log(JSON.stringify(archive.match(/^WARC-Type: response/gm).length));
