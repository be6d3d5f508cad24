import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseRobots } from "../../src/web/robots.ts";

type Repeatable = string | (string | [string, number])[];

interface Vector {
  id: string;
  note?: string;
  robots?: Repeatable;
  robotsBase64?: string;
  robotsUrl?: string;
  agent: string;
  url?: Repeatable;
  allowed?: boolean;
  crawlDelay?: number | null;
  sitemaps?: string[];
  maxMs?: number;
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL("../vectors/robots.json", import.meta.url), "utf8"),
);

function joined(text: Repeatable): string {
  if (typeof text === "string") return text;
  return text.map((piece) => (typeof piece === "string" ? piece : piece[0].repeat(piece[1]))).join("");
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (octet) => octet.charCodeAt(0));
}

function check(vector: Vector): void {
  const body = vector.robotsBase64 ? bytesOf(vector.robotsBase64) : joined(vector.robots ?? "");
  const url = vector.url && joined(vector.url);
  const robotsUrl = vector.robotsUrl ?? new URL("/robots.txt", url ?? "http://site.test");
  const robots = parseRobots(body, robotsUrl);
  if (vector.sitemaps) {
    expect(robots.sitemaps).toEqual(vector.sitemaps);
  } else if (vector.crawlDelay !== undefined) {
    const seconds = vector.crawlDelay;
    expect(robots.crawlDelayMs(vector.agent)).toBe(seconds === null ? undefined : seconds * 1000);
  } else {
    expect(robots.isAllowed(url!, vector.agent)).toBe(vector.allowed);
  }
}

describe("parseRobots() passes the vector", () => {
  it("of which there are some", () => {
    expect(vectors.length).toBeGreaterThan(200);
  });

  for (const vector of vectors) {
    const name = vector.note ? `${vector.id}: ${vector.note}` : vector.id;
    // The bound in time is the vector's own: it fails when slower.
    it(name, vector.maxMs ? { timeout: vector.maxMs } : {}, () => check(vector));
  }
});
