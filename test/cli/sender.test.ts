import process from "node:process";
import { describe, expect, test } from "vitest";
import { runtimeFetch } from "../../src/cli/runtime_fetch.ts";
import { senderOf } from "../../src/cli/sender.ts";
import type { Transport } from "../../src/fetcher.ts";

const isNode = !("Deno" in globalThis || "Bun" in globalThis);
const major = Number(process.versions.node?.split(".", 1)[0]);
const nowhere: Transport = { send: () => Promise.reject(new Error("no network")) };

describe("senderOf()", () => {
  test.skipIf(!isNode)("sends by undici on Node.js where it is installed", async () => {
    const { transport, fetch } = await senderOf(undefined);
    expect(transport).toBeDefined();
    expect(fetch).toBe(runtimeFetch);
  });

  test.skipIf(isNode)("sends by the runtime's fetch elsewhere", async () => {
    expect(await senderOf(undefined)).toEqual({ fetch: runtimeFetch });
  });

  test("sends by fetch where undici is not installed", async () => {
    expect(await senderOf(undefined, async () => undefined)).toEqual({ fetch: runtimeFetch });
  });

  test.skipIf(!isNode || major >= 24)(
    "says what a proxy needs where there is no way to use one",
    async () => {
      await expect(senderOf("http://127.0.0.1:1", async () => undefined)).rejects.toThrow(
        /^--proxy needs the package undici, Node\.js 24\.14 or later, Deno or Bun: this is v2/,
      );
    },
  );

  test("hands undici the proxy", async () => {
    const asked: string[] = [];
    const { transport } = await senderOf("http://127.0.0.1:1", async () => ({
      undiciTransport: () => nowhere,
      proxiedByUndici: (url) => {
        asked.push(url);
        return { transport: nowhere, fetch: runtimeFetch };
      },
    }));
    expect(transport).toBe(nowhere);
    expect(asked).toEqual(["http://127.0.0.1:1"]);
  });
});
