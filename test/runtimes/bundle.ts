import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { readImports } from "../../scripts/imports.ts";
import { filesBelow, ROOT, readSourceFiles } from "../../scripts/source_files.ts";

const WORKER = fileURLToPath(new URL("worker", import.meta.url));

/** What stands in for a module that a worker lacks. */
const STAND_INS: Readonly<Record<string, string>> = {
  vitest: join(WORKER, "vitest.ts"),
  "node:fs": join(WORKER, "node_fs.ts"),
  "node:timers": join(WORKER, "node_timers.ts"),
  "node:timers/promises": join(WORKER, "node_timers_promises.ts"),
};
/** What a worker has itself when it is asked to be compatible with Node. */
const COMPATIBLE: readonly string[] = ["node:buffer", "node:crypto", "node:path", "node:zlib"];
/** What counts by putting something in the place of globals, which cannot be done to a worker's. */
const STUBBING: readonly string[] = ["test/crawl_costs.test.ts"];
/** Tools that only run on Node. */
const TOOLS: readonly string[] = ["typescript", "esbuild"];

/** The test files by what they need: web standards alone, a worker that is compatible with Node, or Node itself. */
export interface SortedTests {
  readonly plain: readonly string[];
  readonly compat: readonly string[];
  readonly node: readonly string[];
}

export function sortTests(): SortedTests {
  const files = readSourceFiles("mod.ts", "src", "test", "scripts", "examples", "bench");
  const tests = [...files.keys()].filter(
    (path) => path.endsWith(".test.ts") && !path.startsWith("test/runtimes/"),
  );
  const sorted: Record<keyof SortedTests, string[]> = { plain: [], compat: [], node: [] };
  for (const path of tests) {
    const need = STUBBING.includes(path) ? "node" : needOf(packagesOf(path, files));
    sorted[need].push(path);
  }
  return sorted;
}

function needOf(packages: ReadonlySet<string>): keyof SortedTests {
  const missing = [...packages].filter(
    (name) => !(name in STAND_INS) && (name.startsWith("node:") || TOOLS.includes(name)),
  );
  if (missing.length === 0) return "plain";
  return missing.every((name) => COMPATIBLE.includes(name)) ? "compat" : "node";
}

/** All that a file imports from outside of the repository, itself or by way of others. */
function packagesOf(entry: string, files: ReadonlyMap<string, string>): Set<string> {
  const packages = new Set<string>();
  const reached = new Set([entry]);
  for (const path of reached) {
    for (const { specifier, typeOnly } of readImports(path, files.get(path) ?? "")) {
      if (typeOnly) continue;
      if (specifier.startsWith(".")) reached.add(posix.join(posix.dirname(path), specifier));
      else packages.add(specifier);
    }
  }
  return packages;
}

/** Writes the workers, with their tests in them, and their configuration into a folder; says where the latter is. */
export async function bundleWorkers({ plain, compat }: SortedTests, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await bundleWorker(plain, join(folder, "plain.js"), []);
  await bundleWorker(compat, join(folder, "compat.js"), COMPATIBLE);
  const config = join(folder, "config.capnp");
  copyFileSync(join(WORKER, "config.capnp"), config);
  return config;
}

async function bundleWorker(
  tests: readonly string[],
  outfile: string,
  external: readonly string[],
): Promise<void> {
  await build({
    entryPoints: [join(WORKER, "suite.ts")],
    outfile,
    external: [...external],
    absWorkingDir: ROOT,
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "import"],
    alias: { ...STAND_INS },
    keepNames: true,
    logLevel: "warning",
    plugins: [bundledFiles(tests), fileUrls()],
  });
}

/** The modules `bundled:tests` and `bundled:files`. */
function bundledFiles(tests: readonly string[]): Plugin {
  const loaders = tests.map(
    (path) => `${JSON.stringify(path)}: () => import(${JSON.stringify(join(ROOT, path))})`,
  );
  const data = filesBelow("test").filter(
    (path) => !path.endsWith(".ts") && !path.startsWith("test/runtimes/"),
  );
  const contents: Readonly<Record<string, string>> = {
    tests: `export default {${loaders.join(",\n")}};`,
    files: `export default ${JSON.stringify(Object.fromEntries(data.map((path) => [`/${path}`, readFileSync(join(ROOT, path), "base64")])))};`,
  };
  return {
    name: "bundled-files",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^bundled:/ }, ({ path }) => ({
        path: path.replace("bundled:", ""),
        namespace: "bundled",
      }));
      onLoad({ filter: /./, namespace: "bundled" }, ({ path }) => ({
        contents: contents[path] ?? "",
        resolveDir: ROOT,
      }));
    },
  };
}

/** Gives each test its own `import.meta.url`, from which it finds its data: a worker's modules have none. */
function fileUrls(): Plugin {
  return {
    name: "file-urls",
    setup({ onLoad }) {
      onLoad({ filter: /\/test\/.*\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, "utf8").replaceAll(
          "import.meta.url",
          JSON.stringify(`file:///${posix.relative(ROOT, path)}`),
        ),
        loader: "ts",
      }));
    },
  };
}
