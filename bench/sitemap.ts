// Time and peak memory of reading one sitemap of 50,000 URLs in 50 MB, each with its translations: each reader in a
// process of its own, which is all that "peak" can mean. `npm run bench -- sitemap`
import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGzip } from "node:zlib";
import { XMLParser } from "fast-xml-parser";
import { parseSitemap } from "../src/web/sitemap.ts";
import { median } from "./support/summary.ts";

const URL_COUNT = 50_000;
const RUNS = 5;
const LANGUAGES = ["de", "en", "fr", "ja", "x-default"];

interface Reading {
  urls: number;
  alternates: number;
  seconds: number;
  peakMb: number;
}

const READERS: Record<string, (path: string) => Promise<Omit<Reading, "seconds" | "peakMb">>> = {
  async "an empty process"() {
    return { urls: 0, alternates: 0 };
  },
  async dragline(path) {
    let [urls, alternates] = [0, 0];
    const body = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
    for await (const item of parseSitemap(body, "https://site.test/sitemap.xml")) {
      if (item.type === "problem") throw new Error(item.message);
      if (item.type !== "url") continue;
      urls++;
      alternates += item.alternates.length;
    }
    return { urls, alternates };
  },
  async "fast-xml-parser on the whole file"(path) {
    const parser = new XMLParser({ ignoreAttributes: false });
    const { urlset } = parser.parse(readFileSync(path, "utf8"));
    const entries: { "xhtml:link": unknown[] }[] = urlset.url;
    return { urls: entries.length, alternates: entries.flatMap((entry) => entry["xhtml:link"]).length };
  },
};

function* sitemap(): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" `;
  yield `xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`;
  for (let i = 0; i < URL_COUNT; i++) {
    const path = `products/${i}?category=${i % 97}&amp;ref=sitemap&amp;${"session=0123456789".padEnd(46, "x")}`;
    const links = LANGUAGES.map(
      (lang) => `<xhtml:link rel="alternate" hreflang="${lang}" href="https://site.test/${lang}/${path}"/>`,
    );
    yield `<url><loc>https://site.test/en/${path}</loc><lastmod>2024-01-02</lastmod>\n${links.join("\n")}\n</url>\n`;
  }
  yield "</urlset>\n";
}

/** In the child: one reading, as JSON. */
async function readOnce(name: string, path: string): Promise<void> {
  const start = performance.now();
  const found = await (READERS[name] as (path: string) => Promise<object>)(path);
  const seconds = (performance.now() - start) / 1000;
  console.log(JSON.stringify({ ...found, seconds, peakMb: process.resourceUsage().maxRSS / 1024 }));
}

function readInChild(script: string, name: string, path: string): Reading {
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, name, path], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Reading;
}

async function compare(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "dragline-bench-"));
  try {
    // A bundle, so that no TypeScript loader is measured with it.
    const script = join(directory, "sitemap.mjs");
    const { build } = await import("esbuild");
    const entryPoints = [fileURLToPath(import.meta.url)];
    await build({
      entryPoints,
      outfile: script,
      bundle: true,
      platform: "node",
      format: "esm",
      external: ["esbuild"],
    });
    const plain = join(directory, "sitemap.xml");
    const packed = `${plain}.gz`;
    await pipeline(Readable.from(sitemap()), createWriteStream(plain));
    await pipeline(createReadStream(plain), createGzip(), createWriteStream(packed));
    console.log(
      `sitemap: ${URL_COUNT} URLs, ${(statSync(plain).size / 1e6).toFixed(1)} MB; medians of ${RUNS}`,
    );
    for (const [name, path] of [
      ["an empty process", plain],
      ["dragline", plain],
      ["dragline", packed],
      ["fast-xml-parser on the whole file", plain],
    ] as const) {
      const readings = Array.from({ length: RUNS }, () => readInChild(script, name, path));
      const { urls, alternates } = readings[0] as Reading;
      const seconds = median(readings.map((reading) => reading.seconds)).toFixed(2);
      const peakMb = median(readings.map((reading) => reading.peakMb)).toFixed(0);
      const label = path === packed ? `${name}, gzip` : name;
      console.log(
        `  ${label.padEnd(36)}${seconds.padStart(6)} s ${peakMb.padStart(5)} MB peak  ${urls} + ${alternates}`,
      );
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const [name, path] = process.argv.slice(2);
if (name === undefined || path === undefined) await compare();
else await readOnce(name, path);
