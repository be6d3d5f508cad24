import { describe, expect, test } from "vitest";
import { startScript } from "./cli/run_script.ts";

describe("the demo", () => {
  test("ends with 0, explains each wait and each skip, and colours nothing outside of a terminal", async () => {
    const { code, stdout, stderr } = await startScript("examples/demo/main.ts").ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain("\x1b");

    const waits = section(stdout, "Why it waited");
    expect(waits).toContainEqual(expect.stringMatching(/^ {2}shop +(?:1\.9|2\.\d)\d s {2}.*Retry-After/));
    expect(waits).toContainEqual(expect.stringMatching(/^ {2}library +(?:0\.99|1\.\d\d) s {2}.*Crawl-delay/));
    expect(waits).toContainEqual(expect.stringMatching(/^ {2}garden +0\.2\d s {2}.*delayMs/));
    expect(waits).toContainEqual(expect.stringMatching(/\/fountain\.html was asked for again, after 500$/));
    expect(waits).toContainEqual(expect.stringMatching(/^ {2}ruin .*robots\.txt/));

    const skips = section(stdout, "What it left alone, and why").map((line) => line.trim().split(/ {2,}/));
    expect(skips.map(([host, path, reason]) => [host, path, reason]).sort()).toEqual([
      ["elsewhere", "https://example.com/", "scope"],
      ["garden", "/guestbook.html", "nofollow"],
      ["garden", "/plan.pdf", "content-type"],
      ["garden", "/shed/tools.html", "robots"],
      ["garden", "/spring.html", "seen"],
      ["ruin", "/", "robots-unreachable"],
    ]);
  });
});

/** The lines below a heading, up to the next empty one. */
function section(text: string, heading: string): string[] {
  const lines = text.split("\n");
  const start = lines.indexOf(heading) + 1;
  expect(start).toBeGreaterThan(0);
  return lines.slice(start, lines.indexOf("", start));
}
