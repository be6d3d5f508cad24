import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { commandOf, PROGRAM_RUNTIMES, type ProgramRuntime, run } from "./runtime_commands.ts";

const plain = inject("plainProject");
const full = inject("fullProject");
const { exports } = JSON.parse(readFileSync(join(full, "node_modules/dragline/package.json"), "utf8")) as {
  exports: Readonly<Record<string, unknown>>;
};

const TITLES = ["A", "Home"];
const NO_SQLITE = [expect.stringMatching(/no node:sqlite: Node\.js has it from 22\.13 on/)];

/** What each program prints, by the project in which it finds what it needs. */
const PROGRAMS: readonly {
  readonly program: string;
  readonly module: string;
  readonly project: string;
  readonly prints: (runtime: ProgramRuntime) => unknown;
  readonly on?: readonly ProgramRuntime[];
}[] = [
  {
    program: "core",
    module: ".",
    project: plain,
    prints: () => [
      ["/", 200, "Home"],
      ["/a", 200, "A"],
    ],
  },
  { program: "files", module: "./files", project: plain, prints: () => TITLES },
  {
    program: "sqlite",
    module: "./sqlite",
    project: plain,
    prints: (runtime) => (runtime === "node" ? NO_SQLITE : [["Home"], ["A"]]),
  },
  { program: "testing", module: "./testing", project: plain, prints: () => [["Back"], true] },
  {
    program: "redis",
    module: "./redis",
    project: plain,
    prints: () => expect.stringMatching(/npm install (io)?redis/),
  },
  {
    program: "redis_clients",
    module: "./redis",
    project: full,
    prints: () => ["function", "function", "function"],
  },
  { program: "warc", module: "./warc", project: full, prints: () => 2 },
  { program: "server", module: "./server", project: full, prints: () => [201, ["Home", "A"]] },
  {
    program: "server_node",
    module: "./server/node",
    project: full,
    prints: () => ["failure dns", "failure dns"],
    on: ["node", "node24"],
  },
  { program: "undici", module: "./undici", project: full, prints: () => TITLES, on: ["node", "node24"] },
];

for (const runtime of PROGRAM_RUNTIMES) {
  describe(`the package on ${runtime}`, () => {
    for (const { program, module, project, prints, on = PROGRAM_RUNTIMES } of PROGRAMS) {
      it.skipIf(!(module in exports) || !on.includes(runtime))(
        `runs ${program}.js, by ${module.replace(".", "dragline")}`,
        async () => {
          const { code, stdout, stderr } = await run(commandOf(runtime, `programs/${program}.js`), project);
          expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("Error") });
          expect(JSON.parse(stdout)).toEqual(prints(runtime));
        },
      );
    }

    it("says which package is missing, where one is", async () => {
      const names = ["server", "testing/frontier", "undici"];
      const { stdout, stderr } = await run(commandOf(runtime, "programs/missing.js", ...names), plain);
      expect(stdout, stderr).not.toBe("");
      expect(JSON.parse(stdout)).toEqual({
        server: expect.stringContaining("'hono'"),
        "testing/frontier": expect.stringMatching(/'(vitest|fast-check)'/),
        // Bun answers to that name itself, with less than the package has.
        ...(runtime !== "bun" && { undici: expect.stringContaining("undici") }),
        warc: expect.stringContaining("npm install warcio"),
      });
    });
  });
}

describe("dragline/testing/frontier", () => {
  it("is a suite that vitest runs in a project of its own", async () => {
    const { code, stdout } = await run(
      commandOf("node", "node_modules/vitest/vitest.mjs", "run", "--reporter=json"),
      full,
    );
    expect(code).toBe(0);
    const { numPassedTests } = JSON.parse(stdout) as { numPassedTests: number };
    expect(numPassedTests).toBeGreaterThan(20);
  });
});
