// Bundles the built package as its users would who import the crawl alone, and weighs it, minified and gzipped: by
// Rollup, which puts what is loaded later into files of its own, and by esbuild into one, as workers are published.
import process from "node:process";
import { gzipSync } from "node:zlib";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { build as bundleIntoOne, transform } from "esbuild";
import { rollup } from "rollup";
import { ROOT } from "./source_files.ts";

/** What is loaded when the crawl is imported. */
const CORE_BUDGET_KB = 40;
/** The same with what every crawl loads as it begins: it reads the text and the HTML of pages. */
const USUAL_BUDGET_KB = 63;

const ENTRY = "entry.js";
const SOURCE = `export { crawl } from "${ROOT}/dist/mod.js";`;
// No document is built unless a reader asks for one.
const EXTERNAL = ["linkedom"];

interface Chunk {
  readonly name: string;
  readonly isEntry: boolean;
  /** Files that are loaded with it. */
  readonly imports: readonly string[];
  readonly kb: number;
}

function weigh(code: string | Uint8Array): number {
  return gzipSync(code).length / 1_000;
}

function packageOf(moduleId: string): string | undefined {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(moduleId)?.[1];
}

async function bundleIntoChunks(): Promise<Map<string, Chunk>> {
  const bundle = await rollup({
    input: ENTRY,
    external: EXTERNAL,
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? SOURCE : undefined),
      },
      nodeResolve({ browser: true }),
    ],
  });
  const { output } = await bundle.generate({ format: "es" });
  const chunks = new Map<string, Chunk>();
  for (const part of output) {
    if (part.type !== "chunk") continue;
    const { fileName, isEntry, imports, moduleIds, code } = part;
    const name = packageOf(moduleIds[0] ?? "") ?? part.name;
    const { code: minified } = await transform(code, { minify: true, target: "es2022" });
    chunks.set(fileName, { name, isEntry, imports, kb: weigh(minified) });
  }
  return chunks;
}

/** The files that are loaded with those of which one holds. */
function loadedWith(chunks: ReadonlyMap<string, Chunk>, isMeant: (chunk: Chunk) => boolean): Set<string> {
  const loaded = new Set([...chunks.keys()].filter((file) => isMeant(chunks.get(file)!)));
  for (const file of loaded) for (const next of chunks.get(file)?.imports ?? []) loaded.add(next);
  return loaded;
}

function sum(chunks: ReadonlyMap<string, Chunk>, files: ReadonlySet<string>): number {
  return [...files].reduce((total, file) => total + (chunks.get(file)?.kb ?? 0), 0);
}

/** Tells a size, and whether it is within its budget. */
function isWithin(what: string, kb: number, budgetKb: number): boolean {
  console.log(`${what}: ${kb.toFixed(1)} KB gzipped, of ${budgetKb} KB`);
  return kb > 0 && kb <= budgetKb;
}

const chunks = await bundleIntoChunks();
const core = loadedWith(chunks, ({ isEntry }) => isEntry);
const usual = loadedWith(chunks, ({ isEntry, name }) => isEntry || name.startsWith("reading"));
if (usual.size === core.size) throw new Error("Cannot tell the readers of pages from the rest of the bundle");
for (const [file, { name, kb }] of chunks) {
  const when = core.has(file) ? "at once" : usual.has(file) ? "as a crawl begins" : "where asked for";
  console.log(`${kb.toFixed(1).padStart(6)} KB ${when.padEnd(17)} ${name}`);
}
const { outputFiles } = await bundleIntoOne({
  stdin: { contents: SOURCE, resolveDir: ROOT },
  external: EXTERNAL,
  bundle: true,
  write: false,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  logLevel: "error",
});
const wholeKb = outputFiles.reduce((total, { contents }) => total + weigh(contents), 0);
console.log(`All of it, with what is seldom asked for, in one file: ${wholeKb.toFixed(1)} KB gzipped`);
const isWithinBoth = [
  isWithin("What importing the crawl loads", sum(chunks, core), CORE_BUDGET_KB),
  isWithin("With what reads its pages, as it begins", sum(chunks, usual), USUAL_BUDGET_KB),
].every(Boolean);
process.exitCode = isWithinBoth ? 0 : 1;
