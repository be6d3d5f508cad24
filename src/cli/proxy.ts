import http from "node:http";
import process from "node:process";
import type { Fetch } from "../options.ts";
import { runtimeFetch } from "./runtime_fetch.ts";
import { UsageError } from "./usage_error.ts";

interface DenoHttp {
  createHttpClient(options: { proxy: { url: string } }): object;
}

/** What Node.js has from 24.14 on. */
type ProxySetter = (variables: { http_proxy: string; https_proxy: string; no_proxy: string }) => unknown;

/**
 * The runtime's `fetch` through a proxy.
 *
 * @throws {UsageError} where this runtime has no way to do so
 */
export function proxyFetch(url: string): Fetch {
  const { Deno } = globalThis as { Deno?: DenoHttp };
  if (Deno !== undefined) {
    const client = Deno.createHttpClient({ proxy: { url } });
    return (input, init) => fetch(input, { ...init, client } as RequestInit);
  }
  if ("Bun" in globalThis) {
    return (input, init) => fetch(input, { ...init, proxy: url } as RequestInit);
  }
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: ProxySetter };
  if (setGlobalProxyFromEnv === undefined) {
    throw new UsageError(
      `--proxy needs the package undici, Node.js 24.14 or later, Deno or Bun: this is ${process.version}`,
    );
  }
  setGlobalProxyFromEnv({ http_proxy: url, https_proxy: url, no_proxy: "" });
  return runtimeFetch;
}
