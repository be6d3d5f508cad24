import { expect } from "vitest";
import type { Frontier, Lease } from "../frontier/frontier.ts";
import type { HostPace } from "../politeness/host.ts";
import type { CrawlRequest } from "../request.ts";

export const NOW_MS: number = Date.UTC(2026, 10, 30);
export const PACE: HostPace = { limit: 1, gapMs: 250 };
export const A1 = "https://a.test/1";
export const A2 = "https://a.test/2";
export const A3 = "https://a.test/3";
export const B1 = "https://b.test/1";

/** Gives a new, empty store. */
export type OpenFrontier = () => Frontier | Promise<Frontier>;

let orders = 0;

/** A request of a URL; each has the next order of acceptance. */
export function requestOf(url: string, parts: Partial<CrawlRequest> = {}): CrawlRequest {
  const { host } = new URL(url);
  return { url, key: url, host, depth: 0, priority: 0, order: ++orders, ...parts };
}

export function urlsOf(requests: readonly CrawlRequest[]): string[] {
  return requests.map(({ url }) => url);
}

/** A new store with these requests, or requests of these URLs. */
export async function openWith(
  open: OpenFrontier,
  ...requests: readonly (string | CrawlRequest)[]
): Promise<Frontier> {
  const frontier = await open();
  await frontier.add(
    requests.map((request) => (typeof request === "string" ? requestOf(request) : request)),
    NOW_MS,
  );
  return frontier;
}

/** The lease of a host that is due, which there must be. */
export async function leaseOne(frontier: Frontier, nowMs: number = NOW_MS): Promise<Lease> {
  const [lease] = await frontier.lease(1, nowMs);
  expect(lease).toBeDefined();
  return lease!;
}
