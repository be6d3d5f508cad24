import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openShop } from "../../examples/demo/shop.ts";
import { run } from "../../src/cli/run.ts";
import { systemClock } from "../../src/clock.ts";
import { hasSqlite } from "../frontier/sqlite_folder.ts";
import { temporaryFolder } from "../output/folder.ts";
import { RecordedOutput } from "./recorded_output.ts";

const README = readFileSync(fileURLToPath(new URL("../../README.md", import.meta.url)), "utf8");

let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop(0);
});
afterAll(() => {
  shop.server.close();
  shop.server.closeAllConnections();
});

/** The arguments of the commands of the README's walk. */
const COMMANDS = [...README.matchAll(/^npm run --silent crawl -- (http:\/\/127\.0\.0\.1:8787\/ .*)$/gm)].map(
  ([, args = ""]) => args.split(" "),
);

/** Runs a command of the walk on a port of our own, in a folder of our own and without waiting between requests. */
async function walk(args: readonly string[], folder: string) {
  const err = new RecordedOutput();
  const here = args.map((arg) =>
    /\.(?:csv|db)$/.test(arg) ? join(folder, arg) : arg.replace("http://127.0.0.1:8787", shop.origin),
  );
  const code = await run([...here, "--delay", "0"], {
    out: new RecordedOutput(),
    err,
    clock: systemClock,
    variables: {},
    readInput: async () => "",
    onInterrupt: () => () => {},
  });
  const shown = (text: string) =>
    text.replaceAll(shop.origin, "http://127.0.0.1:8787").replaceAll(`${folder}/`, "");
  return {
    code,
    err: shown(err.text),
    read: async (file: string) => shown(await readFile(join(folder, file), "utf8")),
  };
}

/** A line without its figures of time and of octets in a time. */
const timeless = (line: string) => line.replace(/ in [\d.]+ s, [\d.,]+ a second/, "");

/** The closing lines of a run, each of which the README has too, but for its times. */
function expectShown(err: string): void {
  const lines = README.split("\n").map(timeless);
  const closing = err
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("progress: "));
  expect(closing.length).toBeGreaterThan(1);
  for (const line of closing) expect(lines).toContain(timeless(line));
}

describe("the README's walk", () => {
  test("has three commands", () => {
    expect(COMMANDS).toHaveLength(3);
  });

  test("finds the addresses and the broken link that it shows", async () => {
    const { code, err, read } = await walk(COMMANDS[0] ?? [], await temporaryFolder());
    expect(code).toBe(0);
    expectShown(err);
    const [header = "", ann = "", desk = ""] = (await read("found.csv")).split("\r\n");
    expect(README).toContain(`${header}\n${ann}\n${desk.slice(0, 80)}`);
    expect(README).toContain((await read("broken.csv")).replaceAll("\r\n", "\n"));
  });

  test.skipIf(!hasSqlite)("goes on as it shows (needs node:sqlite)", async () => {
    const folder = await temporaryFolder();
    const first = await walk(COMMANDS[1] ?? [], folder);
    expect(first.err).toContain("the same command goes on from state.db\n");
    const { code, err, read } = await walk(COMMANDS[2] ?? [], folder);
    expect(code).toBe(0);
    expectShown(err);
    const rows = (await read("pages.csv")).trimEnd().split("\r\n");
    expect(rows).toHaveLength(71);
    expect(new Set(rows.map((row) => row.split(",").slice(0, 2).join())).size).toBe(71);
  });
});
