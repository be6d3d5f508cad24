// Holds that whatever the package's entries export is documented, and that their signatures name nothing private:
// `deno doc --lint`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { runtimeBinary } from "./runtimes.ts";
import { ROOT } from "./source_files.ts";

const deno = runtimeBinary("deno");
if (!deno)
  throw new Error("Cannot check the documentation without Deno: 'npm ci --prefix test/runtimes' installs it");

const { exports } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8")) as {
  exports: Readonly<Record<string, string>>;
};
// All at once: what one entry exports is not private to the others.
const { status, stderr } = spawnSync(deno, ["doc", "--lint", ...Object.values(exports)], {
  cwd: ROOT,
  encoding: "utf8",
  env: { ...process.env, NO_COLOR: "1" },
});
const complaints = stderr.split(/^(?=error\[)/m).filter((text) => text.startsWith("error["));

/** A member may go without where its name says all: a comment that repeats it would not help. */
function isAboutMember(complaint: string): boolean {
  return /^error\[missing-jsdoc\]/.test(complaint) && /^\d+ \| +\s/m.test(complaint);
}

// Types of other packages, which document them.
const FOREIGN_TYPES: readonly string[] = ["buildConnector", "Dispatcher", "Hono"];

function isAboutForeignType(complaint: string): boolean {
  return FOREIGN_TYPES.some((name) => complaint.includes(`references private type '${name}'`));
}

const serious = complaints.filter((complaint) => !isAboutMember(complaint) && !isAboutForeignType(complaint));
for (const complaint of serious) console.error(complaint.trim());
console.log(`${serious.length} faults; ${complaints.length - serious.length} members speak for themselves`);
if (status !== 0 && complaints.length === 0) console.error(stderr);
process.exitCode = serious.length > 0 || (status !== 0 && complaints.length === 0) ? 1 : 0;
