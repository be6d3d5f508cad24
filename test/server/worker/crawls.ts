// The server in a worker: one Durable Object has all crawls, as nothing else in a worker outlives a request.
import { createApp } from "../../../src/server/app.ts";

interface Namespace {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: Request): Promise<Response> };
}

/** What a client of the object may ask beside the app's routes. */
export class Crawls {
  readonly #app: ReturnType<typeof createApp> = createApp({
    privateAddresses: "allow",
    limits: { minDelayMs: 0 },
    heartbeatMs: 200,
  });

  fetch(request: Request): Response | Promise<Response> {
    return this.#app.fetch(request);
  }
}

const worker: { fetch(request: Request, env: { readonly CRAWLS: Namespace }): Promise<Response> } = {
  fetch: (request, { CRAWLS }) => CRAWLS.get(CRAWLS.idFromName("all")).fetch(request),
};
export default worker;
