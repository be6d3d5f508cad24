import type { Transport } from "../fetcher.ts";
import type { Fetch } from "../options.ts";
import { codeOf } from "../output/files_error.ts";
import type { undiciTransport } from "../transport/undici.ts";
import type { proxiedByUndici } from "../transport/undici_proxy.ts";
import { proxyFetch } from "./proxy.ts";
import { runtimeFetch } from "./runtime_fetch.ts";

/** What sends the command's requests. */
export interface Sender {
  /** For whatever the crawl itself does not ask for; and for that too where there is no transport. */
  readonly fetch: Fetch;
  readonly transport?: Transport;
}

/** What needs the package `undici`. */
export interface UndiciModules {
  readonly undiciTransport: typeof undiciTransport;
  readonly proxiedByUndici: typeof proxiedByUndici;
}

/**
 * The runtime's `fetch`, or undici's client on Node.js where that package is installed; through a proxy where one is
 * given.
 *
 * @param load gives `undefined` where undici is not there, or not for this runtime
 * @throws {UsageError} where there is no way to use a proxy
 */
export async function senderOf(
  proxy: string | undefined,
  load: () => Promise<UndiciModules | undefined> = loadUndici,
): Promise<Sender> {
  const modules = await load();
  if (proxy === undefined) {
    return { fetch: runtimeFetch, ...(modules && { transport: modules.undiciTransport() }) };
  }
  return modules === undefined ? { fetch: proxyFetch(proxy) } : modules.proxiedByUndici(proxy);
}

async function loadUndici(): Promise<UndiciModules | undefined> {
  // The others' own client is as fast.
  if ("Deno" in globalThis || "Bun" in globalThis) return undefined;
  try {
    const { undiciTransport } = await import("../transport/undici.ts");
    const { proxiedByUndici } = await import("../transport/undici_proxy.ts");
    return { undiciTransport, proxiedByUndici };
  } catch (error) {
    if (codeOf(error) === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
