import type { Transport } from "../fetcher.ts";
import { checkSendable } from "./sendable.ts";

/**
 * A transport by any function of the shape of `fetch`: the runtime's own, a proxy's, a cache's, a test's.
 *
 * Only URLs of http and https without credentials are sent, as some runtimes would read `file:` URLs or turn
 * credentials into a header. No cookie is kept or sent.
 *
 * @param fetch Default: the runtime's.
 *
 * @example
 * ```ts
 * const transport = fetchTransport((input, init) => fetch(`https://cache.test/?url=${input}`, init));
 * ```
 */
export function fetchTransport(fetch: typeof globalThis.fetch = globalThis.fetch): Transport {
  return {
    send({ url, method, headers, body, signal }) {
      try {
        checkSendable(url);
        const init: RequestInit = { method, headers, signal, redirect: "manual" };
        // Some runtimes refuse a body of `undefined` to a GET.
        if (body !== undefined) init.body = body;
        return fetch(url, init);
      } catch (error) {
        return Promise.reject(error);
      }
    },
  };
}
