// Bundles the crawl as an edge developer would, who imports that alone, and weighs it: minified and gzipped.
import { posix } from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { ROOT } from "./source_files.ts";

// What it may weigh today. The goal is 40; most of what is above it are the names of HTML's character references and
// the rules by which SVG, templates and framesets change what a tag means.
const BUDGET_KB = 66;

const { outputFiles, metafile } = await build({
  stdin: { contents: 'export { crawl } from "./src/crawl.ts";', resolveDir: ROOT, sourcefile: "entry.ts" },
  absWorkingDir: ROOT,
  outdir: ".check/bundle",
  bundle: true,
  write: false,
  minify: true,
  splitting: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  metafile: true,
  logLevel: "warning",
  // No document is built unless a reader asks for one.
  external: ["linkedom"],
}).catch(() => process.exit(1)); // what is wrong was logged

const sizesKb = new Map(
  outputFiles.map(({ path, contents }) => [posix.relative(ROOT, path), gzipSync(contents).length / 1_000]),
);

/** The chunks that are loaded at once with `entry`. */
function loadedWith(entry: string, outputs: Metafile["outputs"]): Set<string> {
  const chunks = new Set([entry]);
  for (const chunk of chunks) {
    for (const { path, kind, external } of outputs[chunk]?.imports ?? []) {
      if (kind === "import-statement" && !external) chunks.add(path);
    }
  }
  return chunks;
}

/** The packages, and the files of our own, that weigh most in a chunk. */
function heaviest(chunk: string): string {
  const bytes = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(metafile.outputs[chunk]?.inputs ?? {})) {
    const place = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;
    bytes.set(place, (bytes.get(place) ?? 0) + bytesInOutput);
  }
  const sorted = [...bytes].sort(([, a], [, b]) => b - a).slice(0, 8);
  return sorted.map(([place, size]) => `${place} ${(size / 1_000).toFixed(1)}`).join(", ");
}

const entry =
  Object.keys(metafile.outputs).find((path) => metafile.outputs[path]?.entryPoint === "entry.ts") ?? "";
const atOnce = loadedWith(entry, metafile.outputs);
let coreKb = 0;
for (const [chunk, kb] of sizesKb) {
  if (atOnce.has(chunk)) coreKb += kb;
  const when = atOnce.has(chunk) ? "at once" : "on demand";
  console.log(`${kb.toFixed(1).padStart(6)} KB ${when.padEnd(9)}  before gzip: ${heaviest(chunk)}`);
}
console.log(`The core weighs ${coreKb.toFixed(1)} KB gzipped, of ${BUDGET_KB} KB`);
process.exitCode = coreKb > 0 && coreKb <= BUDGET_KB ? 0 : 1;
