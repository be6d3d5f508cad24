/**
 * Crawls a whole manual in memory and in one file of SQLite, the latter stopped half way and resumed, and holds the
 * pages against those that a plain walk over its links finds:
 * `npm run bench -- manual_scale -- FOLDER [START]`. SQLite needs Node 22.5 or later.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import process from "node:process";
import { crawl, extractLinks, type Frontier } from "../mod.ts";
import { sqlite } from "../src/frontier/sqlite.ts";
import { startSite } from "./support/site_process.ts";

const [folder, startPath = "/index.html"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Usage: npm run bench -- manual_scale -- FOLDER [START]");
  process.exit(2);
}

const site = await startSite({ name: folder, pages: { root: folder, folder: "" }, startPath });
const { origin, startUrl: start } = site;

/** The pages that links lead to, read from the disk without any of the crawl but its reader of links. */
async function walk(): Promise<Set<string>> {
  const found = new Set<string>();
  const seen = new Set([start]);
  const queue = [start];
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    const { pathname } = new URL(url);
    const path = normalize(decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    if (extname(path) !== ".html") continue;
    let html: string;
    try {
      html = await readFile(join(folder!, path), "utf8");
    } catch {
      continue;
    }
    found.add(url);
    for (const link of extractLinks(html, url).links) {
      const target = link.url.split("#", 1)[0]!;
      if (!target.startsWith(`${origin}/`) || seen.has(target)) continue;
      seen.add(target);
      queue.push(target);
    }
  }
  return found;
}

async function visit(
  stopAfter: number,
  frontier?: Frontier,
): Promise<{ urls: string[]; traps: number; seconds: number }> {
  const startedAt = performance.now();
  const options = { delayMs: 0, concurrency: 16, hostConcurrency: 16, maxBodyBytes: 100_000_000 };
  const running = crawl(start, { ...options, ...(frontier && { frontier }) });
  const urls: string[] = [];
  for await (const page of running) {
    if (page.ok) urls.push(page.url);
    if (urls.length === stopAfter) await running.stop();
  }
  const { skipsByReason } = await running.finished;
  return { urls, traps: skipsByReason.trap ?? 0, seconds: (performance.now() - startedAt) / 1_000 };
}

function report(
  name: string,
  urls: readonly string[],
  traps: number,
  seconds: number,
  expected: ReadonlySet<string>,
): void {
  const got = new Set(urls);
  const missed = [...expected].filter((url) => !got.has(url));
  const more = [...got].filter((url) => !expected.has(url));
  console.log(
    `${name}: ${urls.length} pages, ${got.size} different, ${missed.length} missed, ${more.length} more, ${traps} refused as traps, ` +
      `${seconds.toFixed(1)} s, ${Math.round(urls.length / seconds)} a second, ${Math.round(process.memoryUsage().rss / 1e6)} MB`,
  );
  for (const url of [...missed.slice(0, 3), ...more.slice(0, 3)]) console.log(`  ${url}`);
  if (missed.length + more.length + traps > 0) process.exitCode = 1;
}

const expected = await walk();
console.log(`${expected.size} pages are linked to`);
const inMemory = await visit(Number.POSITIVE_INFINITY);
report("memory", inMemory.urls, inMemory.traps, inMemory.seconds, expected);
const scratch = await mkdtemp(join(tmpdir(), "dragline-"));
try {
  const path = join(scratch, "state.db");
  const half = await visit(Math.floor(expected.size / 2), sqlite(path));
  const rest = await visit(Number.POSITIVE_INFINITY, sqlite(path));
  const traps = half.traps + rest.traps;
  report(
    "sqlite, resumed half way",
    [...half.urls, ...rest.urls],
    traps,
    half.seconds + rest.seconds,
    expected,
  );
} catch (error) {
  console.log(`sqlite: ${(error as Error).message}`);
} finally {
  await rm(scratch, { recursive: true, force: true });
  await site.close();
}
