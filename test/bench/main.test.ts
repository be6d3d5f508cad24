import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

/** The machine's own Node, whatever runs the test. */
function bench(...args: string[]): { code: number | null; error: string } {
  const { status, stderr } = spawnSync("node", ["--import", "tsx", "bench/main.ts", ...args], {
    encoding: "utf8",
  });
  return { code: status, error: stderr };
}

describe("npm run bench", () => {
  it("names the benchmarks there are, where it knows none of that name", () => {
    const { code, error } = bench("links", "nonsense");
    expect(code).toBe(2);
    expect(error).toMatch(/^Cannot run 'nonsense': there are crawl, .*links, .*peers/);
  });

  it("refuses a revision that git does not know, and the lack of one", () => {
    expect(bench("--compare", "no-such-revision")).toEqual({
      code: 2,
      error: "Cannot compare with 'no-such-revision' as git knows no such commit\n",
    });
    expect(bench("--compare")).toEqual({
      code: 2,
      error: "Cannot compare as '--compare' names no revision\n",
    });
  });
});
