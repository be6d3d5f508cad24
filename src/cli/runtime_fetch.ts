import { sleepUntil, systemClock } from "../clock.ts";
import type { Fetch } from "../options.ts";

const isNode = !("Deno" in globalThis || "Bun" in globalThis);

/** The runtime's `fetch`, which uses a connection again as soon as its answer is there. */
export const runtimeFetch: Fetch = async (input, init) => {
  // Node's own takes a connection for busy for one more turn of the event loop, and would open another one.
  if (isNode) await sleepUntil(systemClock, systemClock.now());
  return fetch(input, init);
};
