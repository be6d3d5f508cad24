import type { Transport } from "../../src/fetcher.ts";
import { fetchTransport } from "../../src/transport/fetch.ts";
import { undiciTransport } from "../../src/transport/undici.ts";

/** Every transport that this runtime can use. */
export const TRANSPORTS: readonly { name: string; make: () => Transport }[] = [
  { name: "fetch", make: () => fetchTransport() },
  { name: "undici", make: () => undiciTransport() },
];
