// Holds that code in the documents which is a file's is that file's, that every link leads somewhere, and that the
// README leads to every document. `npx tsx scripts/check_documents.ts --write` brings the code up to date.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { brokenLinks, unreached, withEmbedded } from "./documents.ts";
import { filesBelow, ROOT } from "./source_files.ts";

const { exports } = JSON.parse(read("deno.json")) as { exports: Record<string, string> };
const names = new Map(
  Object.entries(exports).map(([name, path]) => [path.replace("./", ""), name.replace(/^\./, "dragline")]),
);
const paths = [
  ...["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
  ...[...filesBelow("docs"), ...filesBelow("examples")].filter((path) => path.endsWith(".md")),
];
const documents = new Map(paths.map((path) => [path, read(path)]));
const faults: string[] = [];

for (const [path, text] of documents) {
  const embedded = withEmbedded(text, read, names);
  if (embedded === text) continue;
  if (process.argv.includes("--write")) writeFileSync(join(ROOT, path), embedded);
  else faults.push(`${path} shows code that is no longer its file's: run this script with --write`);
}
faults.push(...brokenLinks(documents, (path) => existsSync(join(ROOT, path))));
for (const path of unreached(documents, "README.md")) faults.push(`README.md does not lead to ${path}`);

for (const fault of faults) console.error(fault);
console.log(`${paths.length} documents, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
