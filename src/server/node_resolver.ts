import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { isPrivateAddress } from "../web/private_address.ts";

/** A name leads into a private network. Its `code` is that of a name that cannot be resolved: in public, it cannot. */
export class PrivateAddressError extends Error {
  override readonly name: string = "PrivateAddressError";
  readonly code: string = "ENOTFOUND";

  constructor(hostname: string, address: string) {
    super(`'${hostname}' leads to ${address}, which lies in a private network`);
  }
}

/**
 * Resolves names as `net.connect` and `http.request` ask for it, and refuses those of which any address is private. As
 * what it gives is what is connected to, a name that resolves to another address the next time gains nothing.
 *
 * @param lookup resolves. Default: the system's, `dns.lookup`.
 */
export function publicLookup(lookup: LookupFunction = systemLookup as LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, found, family) => {
      if (error) return callback(error, found, family);
      const hidden = addressesOf(found).find(isPrivateAddress);
      if (hidden === undefined) callback(null, found, family);
      else callback(new PrivateAddressError(hostname, hidden), found, family);
    });
  };
}

function addressesOf(found: string | LookupAddress[]): string[] {
  return typeof found === "string" ? [found] : found.map(({ address }) => address);
}
