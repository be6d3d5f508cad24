// Builds what npm gets, in `dist/`: a module for each that package.json names, with what they share in chunks, as each
// file costs an importer some 0.2 ms; and the types. Nothing is minified: it is read in stack traces.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { transform } from "esbuild";
import { type GetModuleInfo, type Plugin, rollup } from "rollup";
import { ROOT } from "./source_files.ts";

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
}

// What is loaded together makes one chunk: all that the named module imports, and that none before it does. What
// remains is cut by who uses it.
const CHUNKS = { core: "src/crawl.ts", reading: "src/page_readers.ts", sitemaps: "src/sitemap_feed.ts" };

/** The sources of the modules that users import or run, by the names that the build has for them. */
function entryPoints({ exports, bin }: Manifest): Record<string, string> {
  const modules = Object.values(exports).flatMap((target) =>
    typeof target === "object" ? [target.default] : [],
  );
  const names = [...modules, ...Object.values(bin)].map((path) => path.replace(/^\.\/dist\/|\.js$/g, ""));
  return Object.fromEntries(names.map((name) => [name, join(ROOT, `${name}.ts`)]));
}

/** The module and all that it imports, but what it loads later. */
function importedBy(root: string, moduleOf: GetModuleInfo): Set<string> {
  const reached = new Set([root]);
  for (const id of reached) for (const imported of moduleOf(id)?.importedIds ?? []) reached.add(imported);
  return reached;
}

function chunkOf(id: string, moduleOf: GetModuleInfo): string | undefined {
  const found = Object.entries(CHUNKS).find(([, root]) => importedBy(join(ROOT, root), moduleOf).has(id));
  return found?.[0];
}

const typescript: Plugin = {
  name: "typescript",
  async transform(code, sourcefile) {
    const { code: javascript } = await transform(code, { loader: "ts", sourcefile, target: "es2022" });
    return { code: javascript, map: null };
  },
};

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
rmSync(join(ROOT, "dist"), { recursive: true, force: true });
const bundle = await rollup({
  input: entryPoints(manifest),
  external: (id) => !/^[./]/.test(id),
  plugins: [typescript],
});
await bundle.write({
  dir: join(ROOT, "dist"),
  chunkFileNames: "chunks/[name]-[hash].js",
  manualChunks: (id, { getModuleInfo }) => chunkOf(id, getModuleInfo),
  hoistTransitiveImports: false,
});

const types = spawnSync("tsc", ["-p", "tsconfig.build.json"], { cwd: ROOT, stdio: "inherit" });
if (types.error) console.error(types.error.message);
process.exitCode = types.status ?? 1;
