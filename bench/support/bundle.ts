import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { ROOT } from "../../scripts/source_files.ts";
import { temporaryFolder } from "./temporary_folder.ts";

export interface Bundle {
  /** The path of an entry's script, by its name without ending. */
  scriptOf(entry: string): string;
  /** Removes them; so does the end of this process. */
  remove(): void;
}

interface BundleOptions {
  /** Where `mod.ts` and `src/` are taken from. Default: this repository. */
  readonly tree?: string;
  /** The folder from which the scripts find their packages. Default: the tree. */
  readonly home?: string;
}

/**
 * Scripts that every runtime starts as they are, so that no loader of TypeScript is measured with them. Packages stay
 * outside, and what is loaded only when used stays apart.
 *
 * @param entries Paths from the root of the repository.
 */
export async function bundle(
  entries: readonly string[],
  { tree = ROOT, home = tree }: BundleOptions = {},
): Promise<Bundle> {
  // Below the home, as packages are looked for upwards from the script.
  const { path: folder, remove } = temporaryFolder(home);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [...entries],
    outdir: folder,
    entryNames: "[name]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
    plugins: [sourcesFrom(tree)],
  });
  return { scriptOf: (entry) => join(folder, `${basename(entry)}.mjs`), remove };
}

/** Takes what is imported of `mod.ts` and `src/` from another tree. What is missing there fails when it is loaded. */
function sourcesFrom(tree: string): Plugin {
  return {
    name: "sources-from",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.\/\.\.\/(?:mod\.ts|src\/)/ }, ({ path }) => {
        const there = join(tree, path.slice("../../".length));
        return existsSync(there) ? { path: there } : { path: there, external: true };
      });
    },
  };
}
