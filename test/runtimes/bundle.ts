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
};
/** Tools that only run on Node. */
const TOOLS: readonly string[] = ["typescript", "esbuild"];

/** The test files that need nothing but web standards, and those that need more. */
export function sortTests(): { portable: string[]; others: string[] } {
  const files = readSourceFiles("mod.ts", "src", "test", "scripts", "examples");
  const tests = [...files.keys()].filter(
    (path) => path.endsWith(".test.ts") && !path.startsWith("test/runtimes/"),
  );
  const portable = tests.filter((path) => isPortable(path, files, new Set()));
  return { portable, others: tests.filter((path) => !portable.includes(path)) };
}

function isPortable(path: string, files: ReadonlyMap<string, string>, seen: Set<string>): boolean {
  if (seen.has(path)) return true;
  seen.add(path);
  return readImports(path, files.get(path) ?? "").every(({ specifier, typeOnly }) => {
    if (typeOnly || specifier in STAND_INS) return true;
    if (specifier.startsWith(".")) return isPortable(posix.join(posix.dirname(path), specifier), files, seen);
    return !specifier.startsWith("node:") && !TOOLS.includes(specifier);
  });
}

/** Writes the worker, with the given tests in it, and its configuration into a folder; says where the latter is. */
export async function bundleWorker(tests: readonly string[], folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(WORKER, "suite.ts")],
    outfile: join(folder, "worker.js"),
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
  const config = join(folder, "config.capnp");
  copyFileSync(join(WORKER, "config.capnp"), config);
  return config;
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
