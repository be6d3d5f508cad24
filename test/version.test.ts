import { expect, test } from "vitest";
import deno from "../deno.json" with { type: "json" };
import npm from "../package.json" with { type: "json" };
import { VERSION } from "../src/version.ts";

test("VERSION is that of package.json and deno.json", () => {
  expect(npm.version).toBe(VERSION);
  expect(deno.version).toBe(VERSION);
});
