import { describe, expect, it } from "vitest";
import { readSourceFiles } from "../scripts/source_files.ts";
import { CLOCK_FILES, findSleepsAndOnly, findTimeAndChance } from "../scripts/time_and_chance.ts";

describe("src/", () => {
  it("reads time and chance in its clock alone", () => {
    const files = readSourceFiles("mod.ts", "src");
    expect(files.size).toBeGreaterThan(20);
    const readings = [...files].flatMap(([path, text]) => findTimeAndChance(path, text));
    expect(readings.filter((reading) => !CLOCK_FILES.some((file) => reading.startsWith(`${file}:`)))).toEqual(
      [],
    );
    expect(readings).not.toEqual([]);
  });
});

describe("test/", () => {
  it("neither sleeps nor runs only a part", () => {
    const files = readSourceFiles("test");
    expect(files.size).toBeGreaterThan(20);
    expect([...files].flatMap(([path, text]) => findSleepsAndOnly(path, text))).toEqual([]);
  });
});

describe("findTimeAndChance()", () => {
  it.each([
    "Date.now()",
    "globalThis.Date.now()",
    "new Date()",
    "new Date",
    "Date()",
    "performance.now()",
    "globalThis.performance.now()",
    "setTimeout(() => {}, 5)",
    "globalThis.setTimeout",
    "setInterval(() => {}, 5)",
    "AbortSignal.timeout(5)",
    "Math.random()",
    "crypto.randomUUID()",
    "crypto.getRandomValues(bytes)",
  ])("catches %s", (text) => {
    expect(findTimeAndChance("src/a.ts", `const bytes = 1;\nexport const a = ${text};`)).toEqual([
      expect.stringMatching(/^src\/a\.ts:2: /),
    ]);
  });

  it("catches a module of timers", () => {
    expect(
      findTimeAndChance("src/a.ts", 'import { setTimeout as wait } from "node:timers/promises";'),
    ).not.toEqual([]);
  });

  it("leaves other dates, members of the same name, comments and strings alone", () => {
    const text = `
      // Date.now() and Math.random()
      export const a = [new Date(5), Date.parse("1"), Date.UTC(1970), "setTimeout(", host.performance, clock.setTimeout];
      export const b = { setTimeout: 1, performance: 2 };`;
    expect(findTimeAndChance("src/a.ts", text)).toEqual([]);
  });
});

describe("findSleepsAndOnly()", () => {
  it.each([
    "it.only('a', () => {})",
    "describe.only('a', () => {})",
    "test.only('a', () => {})",
    "vi.useFakeTimers()",
    "await new Promise((resolve) => setTimeout(resolve, 50))",
    "await new Promise((r) => { setTimeout(r, ms); })",
    'import { setTimeout as sleep } from "node:timers/promises";',
  ])("catches %s", (text) => {
    expect(findSleepsAndOnly("test/a.test.ts", text)).toHaveLength(1);
  });

  it("leaves a turn of the event loop and a server's slow answer alone", () => {
    const text = `
      const { setImmediate } = await import("node:timers/promises");
      await new Promise((resolve) => setTimeout(resolve, 0));
      server.on("request", (_, response) => setTimeout(() => response.end("late"), 50));`;
    expect(findSleepsAndOnly("test/a.test.ts", text)).toEqual([]);
  });
});
