import { describe, expect, test } from "vitest";
import { parseCommand } from "../../src/cli/arguments.ts";
import { choose } from "../../src/cli/given.ts";
import { complaintOf } from "./complaint.ts";

const SITE = "https://a.test/";

/** What the arguments choose. */
function chosen(...args: string[]) {
  const command = parseCommand([SITE, ...args]);
  if (command.type !== "crawl") throw new Error(`'${args.join(" ")}' is no crawl`);
  return choose([command.flags]);
}

const complaint = (...args: string[]) => complaintOf(() => parseCommand(args));

describe("parseCommand()", () => {
  test("takes every URL as a seed, in its order, between the flags too", () => {
    const command = parseCommand([SITE, "--max-pages", "5", "http://b.test/x?y"]);
    expect(command).toMatchObject({ type: "crawl", seeds: [SITE, "http://b.test/x?y"] });
  });

  test("takes a value after an equals sign, and the last of a flag that is given twice", () => {
    expect(chosen("--delay=5", "--delay=7").options).toEqual({ delayMs: 7 });
  });

  test("gathers the values of a flag that may be repeated", () => {
    expect(chosen("--exclude", "*.pdf", "--exclude=/\\.zip$/i").options).toEqual({
      exclude: ["*.pdf", /\.zip$/i],
    });
    expect(chosen("--header", "A: 1", "--header", "B: 2").options).toEqual({ headers: { A: "1", B: "2" } });
  });

  test("turns a switch on, and off", () => {
    expect(chosen("--cookies", "--no-robots").options).toEqual({ cookies: true, robots: false });
    expect(chosen("--no-cookies", "--robots").options).toEqual({ cookies: false, robots: true });
    expect(chosen("-q").wishes).toEqual({ quiet: true });
  });

  test("leaves the defaults to crawl()", () => {
    expect(chosen()).toEqual({ options: {}, wishes: {} });
  });

  test.each([["--help"], ["-h"], ["--wat", "--help"]])("answers %s with the help", (...args) => {
    expect(parseCommand(args)).toEqual({ type: "help" });
  });

  test.each(["--version", "-V"])("answers %s with the version", (flag) => {
    expect(parseCommand([flag, SITE])).toEqual({ type: "version" });
  });

  test("names the nearest flag to one that does not exist, and none where none is near", () => {
    const nearest = {
      "--max-page": "--max-pages",
      "--concurency": "--concurrency",
      "--email": "--emails",
      "--usr-agent": "--user-agent",
      "--no-robot": "--no-robots",
    };
    for (const [typed, meant] of Object.entries(nearest)) {
      expect(complaint(SITE, typed, "5")).toBe(`there is no option ${typed}, did you mean ${meant}?`);
    }
    expect(complaint(SITE, "--zzzzzzzzzz")).toBe("there is no option --zzzzzzzzzz");
    expect(complaint(SITE, "-x")).toBe("there is no option -x");
  });

  test("wants a value behind a flag, and none behind a switch", () => {
    expect(complaint(SITE, "--scope")).toBe("--scope needs a value: --scope SCOPE");
    expect(complaint(SITE, "--config")).toBe("--config needs a value: --config FILE");
    expect(complaint(SITE, "--cookies=maybe")).toBe("--cookies takes no value: received 'maybe'");
    expect(complaint(SITE, "--no-max-pages")).toMatch(/^there is no option --no-max-pages/);
  });
});
