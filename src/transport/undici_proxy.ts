import { ProxyAgent, fetch as undiciFetch } from "undici";
import type { Transport } from "../fetcher.ts";
import { undiciTransport } from "./undici.ts";

/**
 * What sends requests through a proxy: plain HTTP is asked of the proxy itself, HTTPS goes through a tunnel
 * (RFC 9110 §7.6.2, §9.3.6). A user and password in the URL are what the proxy is told.
 */
export function proxiedByUndici(url: string): {
  readonly transport: Transport;
  readonly fetch: typeof globalThis.fetch;
} {
  // Many proxies tunnel to the port of HTTPS alone.
  const dispatcher = new ProxyAgent({ uri: url, proxyTunnel: false });
  const fetch: typeof globalThis.fetch = (input, init) =>
    undiciFetch(input as string, { ...(init as object), dispatcher }) as unknown as Promise<Response>;
  return { transport: undiciTransport({ dispatcher }), fetch };
}
