import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

const open = new Set<string>();

/** A new folder that is gone at the end of this process at the latest, by Ctrl-C too. */
export function temporaryFolder(parent: string = tmpdir()): TemporaryFolder {
  if (open.size === 0) removeAllAtTheEnd();
  const path = mkdtempSync(join(parent, ".bench-"));
  open.add(path);
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true });
      open.delete(path);
    },
  };
}

function removeAllAtTheEnd(): void {
  process.once("exit", () => {
    for (const path of open) rmSync(path, { recursive: true, force: true });
  });
  // Without a listener a signal ends the process before its exit is told.
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
}
