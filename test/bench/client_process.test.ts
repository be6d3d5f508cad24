import { describe, expect, it } from "vitest";
import { ClientProcess } from "../../bench/support/client_process.ts";
import { ownNode } from "../../bench/support/runtime.ts";
import { inWarmRounds } from "../../bench/support/warm_rounds.ts";

const ORDER = { startUrl: "http://site.test/", leastMs: 0 };

// Answers the n-th order by n pages, with its process beside them, until its input ends.
const ANSWERING = `
let pages = 0;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { startUrl, leastMs } = JSON.parse(line);
  console.log(JSON.stringify({ pages: ++pages, pid: process.pid, startUrl, leastMs }));
})`;
const SILENT = "process.stdin.resume(); setInterval(() => {}, 1_000);";
const FAILING = `process.stdin.once("data", () => { throw new Error("no such site"); });`;

function client(code: string, limits: { answerLimitMs?: number; endLimitMs?: number } = {}): ClientProcess {
  return new ClientProcess({ ...ownNode(), name: "client", args: ["-e", code] }, "-", limits);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("ClientProcess", () => {
  it("answers every order from one process, which end() ends", async () => {
    const one = client(ANSWERING);
    const first = (await one.crawl(ORDER)) as unknown as { pages: number; pid: number };
    const second = await one.crawl({ ...ORDER, leastMs: 7 });
    expect(first).toEqual({ ...ORDER, pages: 1, pid: first.pid });
    expect(second).toEqual({ ...ORDER, pages: 2, pid: first.pid, leastMs: 7 });
    await one.end();
    expect(isAlive(first.pid)).toBe(false);
    await one.end();
  });

  it("is killed where no answer comes in time, and says so", async () => {
    const one = client(SILENT, { answerLimitMs: 50 });
    await expect(one.crawl(ORDER)).rejects.toThrow("Cannot measure 'client' as no answer came within 50 ms");
    await one.end();
  });

  it("says what the process said of the error that ended it", async () => {
    const one = client(FAILING);
    await expect(one.crawl(ORDER)).rejects.toThrow(
      /^Cannot measure 'client' as it ended with 1: .*no such site/s,
    );
    await one.end();
    await expect(one.crawl(ORDER)).rejects.toThrow("Cannot measure 'client' as it ended with 1");
  });

  it("says that it could not be started", async () => {
    const one = new ClientProcess(
      { name: "client", command: "no-such-command", args: [], isNode: true },
      "-",
    );
    await expect(one.crawl(ORDER)).rejects.toThrow("no-such-command");
    await one.end();
  });

  it("is killed where it does not end with its input", async () => {
    const one = client(SILENT, { endLimitMs: 50 });
    await one.end();
    await expect(one.crawl(ORDER)).rejects.toThrow("it ended with SIGKILL");
  });
});

describe("inWarmRounds()", () => {
  it("warms every client up, then measures the second of its crawls in each round by the same process", async () => {
    const turns: string[] = [];
    const runs = await inWarmRounds([() => client(ANSWERING), () => client(ANSWERING)], {
      startUrl: ORDER.startUrl,
      rounds: 2,
      warmUpMs: 50,
      onTurn: (at, round) => turns.push(`${at}:${round}`),
    });
    expect(turns).toEqual(["0:undefined", "1:undefined", "0:0", "1:0", "1:1", "0:1"]);
    expect(runs.map((ofOne) => ofOne.map(({ pages }) => pages))).toEqual([
      [3, 5],
      [3, 5],
    ]);
  });

  it("ends all clients where one fails", async () => {
    const good = client(ANSWERING);
    const { pid } = (await good.crawl(ORDER)) as unknown as { pid: number };
    const rounds = inWarmRounds([() => good, () => client(FAILING)], { startUrl: ORDER.startUrl, rounds: 1 });
    await expect(rounds).rejects.toThrow("no such site");
    expect(isAlive(pid)).toBe(false);
  });
});
