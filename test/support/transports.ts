import type { Transport } from "../../src/fetcher.ts";
import { fetchTransport } from "../../src/transport/fetch.ts";
import { undiciTransport } from "../../src/transport/undici.ts";

// Bun has a client of its own in place of the package, and Deno's zlib takes a cut Brotli body for a whole one.
const isNode = !("Bun" in globalThis) && !("Deno" in globalThis);

/** Every transport that is meant for this runtime. */
export const TRANSPORTS: readonly { name: string; make: () => Transport }[] = [
  { name: "fetch", make: () => fetchTransport() },
  ...(isNode ? [{ name: "undici", make: () => undiciTransport() }] : []),
];
