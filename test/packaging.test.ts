import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../scripts/source_files.ts";
import { VERSION } from "../src/version.ts";

function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

interface NpmManifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { types: string; default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

const npm = JSON.parse(readText("package.json")) as NpmManifest;
const jsr = JSON.parse(readText("deno.json")) as {
  version: string;
  exports: Readonly<Record<string, string>>;
};

/** The source from which a built file comes. */
function sourceOf(built: string): string {
  return built.replace("./dist/", "./").replace(/\.js$/, ".ts");
}

describe("package.json and deno.json", () => {
  it("have the version that the source names", () => {
    expect([npm.version, jsr.version]).toEqual([VERSION, VERSION]);
  });

  it("export the same modules, each built from the source that the other names", () => {
    const modules = Object.entries(npm.exports).filter(([name]) => name !== "./package.json");
    const sources = modules.map(([name, target]) => [
      name,
      typeof target === "object" && sourceOf(target.default),
    ]);
    expect(Object.fromEntries(sources)).toEqual(jsr.exports);
  });

  it("name types beside each module", () => {
    for (const target of Object.values(npm.exports)) {
      if (typeof target === "object") expect(target.types).toBe(target.default.replace(/\.js$/, ".d.ts"));
    }
  });

  it("name only what is there", () => {
    const places = [...Object.values(jsr.exports), ...Object.values(npm.bin).map(sourceOf), ...npm.files];
    const built = "dist";
    expect(places.filter((path) => path !== built && !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("let the command be run", () => {
    for (const path of Object.values(npm.bin))
      expect(readText(sourceOf(path))).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

describe("CHANGELOG.md", () => {
  it("tells of the version at hand", () => {
    expect(readText("CHANGELOG.md")).toContain(`## ${VERSION}`);
  });
});
