import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ROOT } from "../../scripts/source_files.ts";

const RESULTS = join(ROOT, "bench/results");

/** Keeps figures as JSON, in `bench/results` unless a file is named, and says where. */
export function writeReport(name: string, figures: object, file?: string): void {
  const path = file === undefined ? join(RESULTS, `${name}.json`) : resolve(file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`);
  console.error(`figures in ${path}`);
}

/** The version of a package that is installed here, or below another folder. */
export function packageVersion(name: string, root: string = ROOT): string {
  const file = join(root, "node_modules", name, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
