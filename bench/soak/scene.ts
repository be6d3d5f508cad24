import type { Socket } from "node:net";
import { seededRandom } from "../../test/support/simulated_host.ts";

/** One request to a host that misbehaves, and all by which its answer is chosen. */
export interface Scene {
  readonly socket: Socket;
  /** The path and query as they came. */
  readonly target: string;
  /** Which host of the soak, by its number. */
  readonly host: number;
  /** The crawl that is under way, by its number. */
  readonly crawl: number;
  /** How often this crawl has asked for the target, this time included. */
  readonly hit: number;
  /** Where each host listens. */
  readonly origins: readonly string[];
  readonly hasCookie: boolean;
  /** The same for each request of one target in one crawl. */
  readonly random: () => number;
  /** To be called once an answer has gone out whole and the connection may be used again. */
  readonly onAnswered: () => void;
  /** To be called where the answer asks for a pause: milliseconds. */
  readonly onPause: (ms: number) => void;
  /** To be called where the client can no longer tell which answer on this connection is to what. */
  readonly onGarbled: () => void;
}

/**
 * Where nobody listens, out of scope and in a private network. All that a soak names is on loopback: a crawl that is
 * wrong, or that lawfully follows a seed's redirect, must reach nothing else.
 */
export const NOWHERE = "http://127.9.9.9:9";

/** Headers by their names; a list is sent as several. */
export type SceneHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Chance that depends on these values alone. */
export function chanceOf(...values: readonly (string | number)[]): () => number {
  // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
  let hash = 0x811c9dc5;
  for (const character of values.join("\n")) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  }
  return seededRandom(hash >>> 0);
}

export function pick<T>(random: () => number, among: readonly T[]): T {
  return among[Math.floor(random() * among.length)]!;
}

/** A proper answer, after which the connection stays open. */
export function respond(
  scene: Scene,
  status: number,
  headers: SceneHeaders,
  body: string | Buffer = "",
): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const lines = Object.entries({ "content-length": String(bytes.byteLength), ...headers })
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`))
    .join("");
  scene.socket.write(Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines}\r\n`, "latin1"));
  scene.socket.write(bytes, scene.onAnswered);
}

/** A proper page. */
export function respondHtml(scene: Scene, html: string | Buffer, headers: SceneHeaders = {}): void {
  respond(scene, 200, { "content-type": "text/html; charset=utf-8", ...headers }, html);
}
