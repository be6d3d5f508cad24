import type { LookupFunction } from "node:net";
import { describe, expect, it } from "vitest";
import { crawl } from "../../src/crawl.ts";
import { publicTransport } from "../../src/server/public_transport.ts";
import { gather } from "../support/fake_crawl.ts";
import { loopback } from "../support/loopback.ts";

// The hook is that of Node's own client.
const isNode = !("Bun" in globalThis) && !("Deno" in globalThis);

/** Resolves every name to this machine. */
const toLoopback: LookupFunction = (_, options, callback) =>
  callback(null, options.all ? [{ address: "127.0.0.1", family: 4 }] : "127.0.0.1", 4);

describe.skipIf(!isNode)("publicTransport()", () => {
  it("connects to no private address, however a name or a number leads there", async () => {
    const site = await loopback((_, response) => response.end());
    const { port } = new URL(site.origin);
    const transport = publicTransport({ lookup: toLoopback });
    for (const host of [
      "rebound.example",
      "127.0.0.1",
      "localhost",
      "0x7f.1",
      "[::ffff:7f00:1]",
      "2130706433",
    ]) {
      const sent = transport.send({
        url: `http://${host}:${port}/`,
        method: "GET",
        headers: new Headers(),
        signal: new AbortController().signal,
      });
      await expect(sent, host).rejects.toThrow("which lies in a private network");
    }
    const results = await gather(
      crawl(`http://rebound.example:${port}/`, {
        transport,
        privateAddresses: "deny",
        results: "all",
        retries: { max: 0 },
        robots: false,
      }),
    );
    expect(results).toMatchObject([{ type: "failure", reason: "dns" }]);
    expect(site.connections).toBe(0);
    await site.close();
  });
});
