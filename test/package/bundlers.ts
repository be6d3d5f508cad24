import { join } from "node:path";
import commonjsPlugin from "@rollup/plugin-commonjs";
import { nodeResolve } from "@rollup/plugin-node-resolve";
import { build as esbuild } from "esbuild";
import { rollup } from "rollup";
import { build as vite } from "vite";

// Its types are those of a CommonJS module, which it is not.
const commonjs = commonjsPlugin as unknown as (typeof commonjsPlugin)["default"];

/** Bundles an entry for a worker, as one module: gives where that was written. */
export type Bundler = (project: string, entry: string, outfile: string) => Promise<void>;

// What a worker's bundler asks of a package's exports, before what it asks of all.
const CONDITIONS = ["workerd", "worker", "browser"];

/** Each by its own defaults, but for what makes the one file. */
export const BUNDLERS: Readonly<Record<"esbuild" | "rollup" | "vite", Bundler>> = {
  async esbuild(project, entry, outfile) {
    await esbuild({
      absWorkingDir: project,
      entryPoints: [entry],
      outfile: join(project, outfile),
      bundle: true,
      format: "esm",
      platform: "browser",
      conditions: CONDITIONS,
      logLevel: "warning",
    });
  },
  async rollup(project, entry, outfile) {
    const bundle = await rollup({
      input: join(project, entry),
      plugins: [nodeResolve({ browser: true, exportConditions: CONDITIONS, rootDir: project }), commonjs()],
      onLog(level, log, handler) {
        // A package that cannot be found is only a warning to Rollup.
        handler(level === "warn" && log.code === "UNRESOLVED_IMPORT" ? "error" : level, log);
      },
      logLevel: "warn",
    });
    await bundle.write({ file: join(project, outfile), format: "es", inlineDynamicImports: true });
    await bundle.close();
  },
  async vite(project, entry, outfile) {
    await vite({
      root: project,
      configFile: false,
      logLevel: "warn",
      resolve: { conditions: CONDITIONS },
      build: {
        outDir: join(project, outfile, ".."),
        emptyOutDir: false,
        minify: false,
        lib: { entry: join(project, entry), formats: ["es"], fileName: () => outfile.split("/").at(-1)! },
        rolldownOptions: { output: { codeSplitting: false } },
      },
    });
  },
};
