import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Run } from "./run.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const POLL_MS = 10;
// What Linux counts a process's time in, on every platform that Node.js runs on: a hundredth of a second.
const TICK_MICROSECONDS = 10_000;

/**
 * One recursive run of wget2, which can only write what it finds to the disk. What it took is read from Linux's own
 * account of the process, every hundredth of a second, as Node.js tells nothing of a child's.
 */
export async function runWget2(startUrl: string): Promise<Run> {
  const { path: folder, remove } = temporaryFolder();
  try {
    const startedAt = performance.now();
    const args = ["-q", "-r", "-l", "inf", "--max-threads=32", "--no-config", "-P", folder, startUrl];
    const child = spawn("wget2", args, { stdio: "ignore" });
    const account = { cpuMicroseconds: 0, peakBytes: 0 };
    const poll = setInterval(() => Object.assign(account, readAccount(child.pid!) ?? account), POLL_MS);
    await new Promise<void>((resolve, reject) => child.once("error", reject).once("close", () => resolve()));
    clearInterval(poll);
    const elapsedMs = performance.now() - startedAt;
    const pages = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name !== "robots.txt",
    ).length;
    return {
      pages,
      pagesPerSecond: (pages * 1_000) / elapsedMs,
      cpuMicrosecondsPerPage: account.cpuMicroseconds / pages,
      peakBytes: account.peakBytes,
    };
  } finally {
    remove();
  }
}

function readAccount(pid: number): { cpuMicroseconds: number; peakBytes: number } | undefined {
  try {
    // proc(5): after the name, which ends with the last parenthesis, utime and stime are the twelfth and thirteenth.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    // It has ended, and only its entry is left.
    if (kilobytes === undefined) return undefined;
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { cpuMicroseconds: ticks * TICK_MICROSECONDS, peakBytes: Number(kilobytes) * 1_024 };
  } catch {
    return undefined;
  }
}
