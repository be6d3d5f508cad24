import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import { ROOT } from "../../scripts/source_files.ts";

/** Where and when something was measured. */
export interface Machine {
  /** The day, `2026-11-30`. */
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  /** Of this repository, with `+` where files differ from it; `unknown` outside of a clone. */
  readonly revision: string;
}

export function thisMachine(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    revision: revision(),
  };
}

export function describeMachine({ date, cpu, cores, memoryGb, system, revision }: Machine): string {
  return `${date}, revision ${revision}, ${cpu}, ${cores} cores, ${memoryGb} GB of memory, ${system}`;
}

function revision(): string {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty=+", "--exclude=*"], {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown";
  }
}
