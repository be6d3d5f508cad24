import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Loopback, loopback } from "../support/loopback.ts";
import { commandOf, PROGRAM_RUNTIMES, type ProgramRuntime, run } from "./runtime_commands.ts";

const project = inject("plainProject");
const BIN = "node_modules/dragline/dist/src/cli/main.js";

/** The command as it is called from a project in which it is installed. */
const COMMANDS: Readonly<Record<ProgramRuntime, readonly string[]>> = {
  node: ["npx", "--no", "--", "dragline"],
  node24: commandOf("node24", "node_modules/.bin/dragline"),
  deno: commandOf("deno", BIN),
  bun: commandOf("bun", "run", "--bun", "dragline"),
};

let site: Loopback;
beforeAll(async () => {
  site = await loopback(({ url }, response) => {
    const html = url === "/" ? '<title>Home</title><a href="/a">a</a>' : "<title>A</title>";
    response.writeHead(url === "/robots.txt" ? 404 : 200, { "content-type": "text/html" }).end(html);
  });
});
afterAll(() => site.close());

for (const runtime of PROGRAM_RUNTIMES) {
  describe(`the command dragline on ${runtime}`, () => {
    it("tells its flags by --help", async () => {
      const { code, stdout } = await run([...COMMANDS[runtime], "--help"], project);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Usage: dragline URL/m);
      expect(stdout).toContain("--max-pages");
    });

    it("crawls, a page a line", async () => {
      const { code, stdout, stderr } = await run([...COMMANDS[runtime], `${site.origin}/`], project);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("2 pages") });
      const lines = stdout.trim().split("\n");
      expect(lines).toHaveLength(2);
      expect(lines.map((line) => line.includes(site.origin))).toEqual([true, true]);
    });

    it("ends with 2 for a flag that there is not", async () => {
      const { code, stdout } = await run([...COMMANDS[runtime], "--max-pagse", "1", site.origin], project);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    });
  });
}
