import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { describe, expect, it } from "vitest";
import { failureReason } from "../../src/failure_reason.ts";
import { PrivateAddressError, publicLookup } from "../../src/server/node_resolver.ts";

/** A resolver that gives these answers, one a call. */
function resolver(...answers: (string | LookupAddress[] | Error)[]): LookupFunction {
  return (_, __, callback) => {
    const answer = answers.shift() ?? new Error("asked too often");
    if (answer instanceof Error) callback(answer, "", 0);
    else callback(null, answer, 4);
  };
}

function resolved(lookup: LookupFunction): Promise<string | LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup("a.test", {}, (error, found) => (error ? reject(error) : resolve(found)));
  });
}

describe("publicLookup()", () => {
  it("gives public addresses as they were resolved", async () => {
    const both = [
      { address: "93.184.215.14", family: 4 },
      { address: "2606:2800:21f::1", family: 6 },
    ];
    expect(await resolved(publicLookup(resolver("93.184.215.14")))).toBe("93.184.215.14");
    expect(await resolved(publicLookup(resolver(both)))).toBe(both);
  });

  it("refuses a name of which any address is private", async () => {
    for (const address of [
      "127.0.0.1",
      "10.0.0.1",
      "169.254.169.254",
      "::1",
      "fd00::1",
      "::ffff:127.0.0.1",
      "0.0.0.0",
    ]) {
      await expect(resolved(publicLookup(resolver(address))), address).rejects.toThrow(PrivateAddressError);
      const list = [
        { address: "93.184.215.14", family: 4 },
        { address, family: 4 },
      ];
      await expect(resolved(publicLookup(resolver(list))), address).rejects.toThrow(
        `'a.test' leads to ${address}`,
      );
    }
  });

  it("looks anew at what a name resolves to the next time", async () => {
    const lookup = publicLookup(resolver("93.184.215.14", "127.0.0.1"));
    expect(await resolved(lookup)).toBe("93.184.215.14");
    await expect(resolved(lookup)).rejects.toThrow("which lies in a private network");
  });

  it("passes on what went wrong, and its own refusal is one of resolving", async () => {
    await expect(resolved(publicLookup(resolver(new Error("ESERVFAIL"))))).rejects.toThrow("ESERVFAIL");
    expect(failureReason(new PrivateAddressError("a.test", "127.0.0.1"))).toBe("dns");
  });
});
