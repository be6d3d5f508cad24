import type { LookupFunction } from "node:net";
import type { Transport } from "../fetcher.ts";
import { isPrivateAddress } from "../web/private_address.ts";
import { PrivateAddressError, publicLookup } from "./node_resolver.ts";
import { nodeTransport } from "./node_transport.ts";

/** Options of {@link publicTransport}. */
export interface PublicTransportOptions {
  /** Resolves names, in the form of `dns.lookup`. Default: the system's. */
  readonly lookup?: LookupFunction;
}

/**
 * A transport for Node, by its own HTTP client, that connects to public addresses only: every name is looked at once
 * it is resolved, at the point of connection and for each hop. A name that leads into a private network cannot be
 * resolved, as far as the crawl is told: its requests fail as `dns`.
 *
 * `fetch` has no such hook, and no other runtime does: there, keep the process from private networks by other means.
 *
 * @example
 * ```ts
 * import { crawl } from "dragline";
 *
 * const pages = crawl("https://example.com/", { privateAddresses: "deny", transport: publicTransport() });
 * ```
 */
export function publicTransport(options: PublicTransportOptions = {}): Transport {
  const { send, close } = nodeTransport(publicLookup(options.lookup));
  return {
    async send(request) {
      const { hostname } = new URL(request.url);
      // An address that needs no resolving is never looked up.
      if (isPrivateAddress(hostname)) throw new PrivateAddressError(hostname, hostname);
      return send(request);
    },
    ...(close && { close }),
  };
}
