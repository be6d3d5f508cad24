import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { ROOT } from "../../scripts/source_files.ts";

/** What `npm pack` says of a file in the archive. */
export interface PackedFile {
  readonly path: string;
  readonly size: number;
}

declare module "vitest" {
  export interface ProvidedContext {
    /** A project into which the archive alone was installed. */
    plainProject: string;
    /** One with every optional peer beside it, and the types of Node. */
    fullProject: string;
    packedFiles: readonly PackedFile[];
  }
}

interface Manifest {
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

// Outside of the repository: what is installed there would else be found from here.
const folder = mkdtempSync(join(tmpdir(), "dragline-package-"));

/** Packs, and installs the archive into two projects; called by vitest, once. */
export function setup({ provide }: TestProject): void {
  const packed = npm(ROOT, "pack", "--json", "--pack-destination", folder);
  // What the build prints before it is no JSON.
  const [archive] = JSON.parse(packed.slice(packed.search(/^\[/m))) as [
    { filename: string; files: PackedFile[] },
  ];
  const path = join(folder, archive.filename);
  provide("packedFiles", archive.files);
  provide("plainProject", project("plain", path));
  provide("fullProject", project("full", path, ...peers()));
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** The optional peers as this repository tests with them. */
function peers(): string[] {
  const text = readFileSync(join(ROOT, "package.json"), "utf8");
  const { peerDependencies, devDependencies } = JSON.parse(text) as Manifest;
  return [...Object.keys(peerDependencies), "@types/node", "vite"].map(
    (name) => `${name}@${devDependencies[name]}`,
  );
}

function project(name: string, ...packages: readonly string[]): string {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), JSON.stringify({ name, private: true, type: "module" }));
  npm(place, "install", "--save-exact", "--prefer-offline", ...packages);
  for (const part of ["programs", "typed", "worker"])
    cpSync(join(ROOT, "test/package", part), join(place, part), { recursive: true });
  return place;
}

function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}
