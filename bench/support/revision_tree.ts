import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/source_files.ts";
import { temporaryFolder } from "./temporary_folder.ts";

export interface RevisionTree {
  readonly path: string;
  /** The commit, in short. */
  readonly commit: string;
  remove(): void;
}

/**
 * The files of a revision in a folder of their own, with the packages that are installed here. `undefined` where git
 * knows no such commit.
 */
export function revisionTree(revision: string): RevisionTree | undefined {
  const found = spawnSync("git", ["rev-parse", "--verify", "--quiet", "--short", `${revision}^{commit}`], {
    cwd: ROOT,
    encoding: "utf8",
  });
  if (found.error) throw found.error;
  if (found.status !== 0) return undefined;
  const commit = found.stdout.trim();
  const { path, remove } = temporaryFolder();
  const archive = join(path, ".archive.tar");
  execFileSync("git", ["archive", "--output", archive, commit], { cwd: ROOT });
  execFileSync("tar", ["-xf", archive, "-C", path]);
  symlinkSync(join(ROOT, "node_modules"), join(path, "node_modules"), "junction");
  return { path, commit, remove };
}

/** Whether a tree can send requests by undici. */
export function hasUndici(tree: string): boolean {
  return existsSync(join(tree, "src/transport/undici.ts"));
}
