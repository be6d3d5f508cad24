import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { ROOT } from "../../scripts/source_files.ts";

const paths = inject("packedFiles").map(({ path }) => path);
const plain = inject("plainProject");

describe("the archive", () => {
  it("holds the build, what is to be read, and nothing else", () => {
    const tops = new Set(paths.map((path) => path.split("/")[0]));
    expect([...tops].sort()).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "dist", "package.json"]);
    expect(paths.filter((path) => /(^|\/)(test|bench|scripts|examples)\/|\.test\./.test(path))).toEqual([]);
  });

  it("holds modules and their types alone in dist", () => {
    expect(paths.filter((path) => path.startsWith("dist/") && !/\.(js|d\.ts)$/.test(path))).toEqual([]);
  });

  it("holds all that its modules and types import", () => {
    const held = new Set(paths);
    const lacking = paths
      .filter((path) => path.startsWith("dist/"))
      .flatMap((path) => relativeImports(path).map((target) => ({ path, target })))
      .filter(({ target }) => !held.has(target));
    expect(lacking).toEqual([]);
  });

  it("has a README whose links lead to files of the repository", () => {
    const readme = readFileSync(join(plain, "node_modules/dragline/README.md"), "utf8");
    const targets = [...readme.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target]) => target!);
    const relative = targets.filter((target) => !/^[a-z]+:/.test(target));
    expect(relative).not.toEqual([]);
    expect(relative.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
  });
});

describe("a project with the package alone", () => {
  it("has no optional peer", () => {
    const peers = [
      "redis",
      "ioredis",
      "hono",
      "@hono/node-server",
      "undici",
      "vitest",
      "warcio",
      "fast-check",
    ];
    expect(peers.filter((name) => existsSync(join(plain, "node_modules", name)))).toEqual([]);
  });
});

/** The files that a module or its types import; types may name a file of types by its source. */
function relativeImports(path: string): string[] {
  const text = readFileSync(join(plain, "node_modules/dragline", path), "utf8");
  const specifiers = [...text.matchAll(/^(?:import|export)\b[^;]*?from ?["'](\.[^"']+)["']/gm)];
  const targets = specifiers.map(([, specifier]) => posix.join(posix.dirname(path), specifier!));
  return path.endsWith(".d.ts") ? targets.map((target) => target.replace(/\.[jt]s$/, ".d.ts")) : targets;
}
