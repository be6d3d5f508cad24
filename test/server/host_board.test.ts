import { describe, expect, it } from "vitest";
import type { CrawlEvent } from "../../src/event.ts";
import { HostBoard } from "../../src/server/host_board.ts";

function started(host: string): CrawlEvent {
  return { type: "started", atMs: 0, kind: "page", url: `https://${host}/`, host, attempt: 1 };
}

function ended(host: string): CrawlEvent {
  return { type: "ended", atMs: 0, kind: "page", url: `https://${host}/`, host, responseMs: 1, bytes: 1 };
}

describe("HostBoard", () => {
  it("tells a host's pace, why it changed, and what is in flight", () => {
    const board = new HostBoard({ limit: 1, gapMs: 250 });
    board.take(started("a.test"));
    expect(board.takeChanged()).toEqual([
      { host: "a.test", limit: 1, gapMs: 250, inFlight: 1, pages: 0, failures: 0 },
    ]);
    board.take(ended("a.test"));
    board.take({
      type: "paced",
      atMs: 0,
      host: "a.test",
      why: "retry-after",
      limit: { from: 1, to: 1 },
      gapMs: { from: 250, to: 500 },
      pausedUntilMs: 9000,
    });
    expect(board.takeChanged()).toMatchObject([
      { gapMs: 500, why: "retry-after", pausedUntilMs: 9000, inFlight: 0 },
    ]);
    expect(board.takeChanged()).toEqual([]);
  });

  it("keeps the thousand hosts of which something was heard last", () => {
    const board = new HostBoard({ limit: 1, gapMs: 0 });
    for (let i = 0; i < 1000; i++) board.take(started(`${i}.test`));
    board.take(ended("0.test"));
    board.take(started("1000.test"));
    const hosts = board.standings.map(({ host }) => host);
    expect(hosts).toHaveLength(1000);
    expect(hosts).not.toContain("1.test");
    expect(hosts.slice(-2)).toEqual(["0.test", "1000.test"]);
    expect(board.takeChanged()).toHaveLength(1000);
    board.take(ended("1.test"));
    expect(board.standings.at(-1)).toMatchObject({ host: "1.test", inFlight: 0 });
  });
});
