import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "../src/version.ts";

test("VERSION is that of package.json and deno.json", () => {
  const versionOf = (file: string): unknown =>
    JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8")).version;
  expect(versionOf("package.json")).toBe(VERSION);
  expect(versionOf("deno.json")).toBe(VERSION);
});
