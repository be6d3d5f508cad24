import { gzipSync } from "node:zlib";
import { MISDEEDS } from "../../test/support/misbehaving_server.ts";
import { NOWHERE, respond, type Scene } from "./scene.ts";

/** What a host's robots.txt does, and what may be fetched of the host then. */
export interface RobotsFault {
  /** `none` of its pages, `rules`: none of those that are forbidden, `all` of them; `unsure`: by what came before a cut. */
  readonly allows: "none" | "rules" | "all" | "unsure";
  readonly crawlDelayMs?: number;
  readonly act: (scene: Scene) => void;
}

const GZIP_BOMB = gzipSync(Buffer.alloc(2 ** 25));
const RULES = "User-agent: *\nDisallow: /*/forbidden/\n";

function text(scene: Scene, body: string | Buffer, status = 200): void {
  respond(scene, status, { "content-type": "text/plain" }, body);
}

function sitemapLines({ origins, host }: Scene): string {
  return ["/sitemap.xml", "javascript:void(0)", `${NOWHERE}/sitemap.xml`, `${origins[host]}/sitemap.xml`]
    .map((url) => `Sitemap: ${url}\n`)
    .join("");
}

/** Every state of a robots.txt, by its name. */
export const ROBOTS_FAULTS: Readonly<Record<string, RobotsFault>> = {
  rules: { allows: "rules", act: (scene) => text(scene, RULES) },
  "rules and sitemaps": { allows: "rules", act: (scene) => text(scene, RULES + sitemapLines(scene)) },
  "rules with a byte order mark": {
    allows: "rules",
    act: (scene) => text(scene, `\ufeff${RULES.replaceAll("\n", "\r")}`),
  },
  "rules in UTF-16": {
    allows: "rules",
    act: (scene) => text(scene, Buffer.from(`\ufeff${RULES}`, "utf16le")),
  },
  "rules with typos": {
    allows: "rules",
    act: (scene) => text(scene, "useragent: *\nDissalow: /*/forbidden/\n"),
  },
  "rules behind rubbish": {
    allows: "rules",
    act: (scene) => text(scene, `${"rubbish\n".repeat(40_000)}${RULES}`),
  },
  "rules and a crawl-delay": {
    allows: "rules",
    crawlDelayMs: 300,
    act: (scene) => text(scene, `${RULES}Crawl-delay: 0.3\n`),
  },
  "a crawl-delay of a day": {
    allows: "none",
    act: (scene) => text(scene, "User-agent: *\nCrawl-delay: 86400\n"),
  },
  "all forbidden": { allows: "none", act: (scene) => text(scene, "User-agent: *\nDisallow: /\n") },
  "404": { allows: "all", act: (scene) => text(scene, RULES, 404) },
  "403": { allows: "all", act: (scene) => text(scene, RULES, 403) },
  "a page of HTML": { allows: "all", act: (scene) => text(scene, "<!doctype html><p>Welcome") },
  "stars against the clock": {
    allows: "unsure",
    act: (scene) => text(scene, `User-agent: *\nDisallow: /${"*a".repeat(10_000)}$\n`),
  },
  "a megabyte of rules": {
    allows: "unsure",
    act: (scene) => text(scene, RULES + "Disallow: /x\n".repeat(80_000)),
  },
  "gzip bomb": {
    allows: "unsure",
    act: (scene) => respond(scene, 200, { "content-encoding": "gzip" }, GZIP_BOMB),
  },
  "500": { allows: "none", act: (scene) => text(scene, "", 500) },
  "429": { allows: "none", act: (scene) => text(scene, "", 429) },
  "500 once": { allows: "rules", act: (scene) => text(scene, RULES, scene.hit > 1 ? 200 : 500) },
  "reset once": {
    allows: "rules",
    act: (scene) => (scene.hit > 1 ? text(scene, RULES) : void scene.socket.resetAndDestroy()),
  },
  reset: { allows: "none", act: ({ socket }) => MISDEEDS["reset-before-head"](socket) },
  "no answer": { allows: "none", act: ({ socket }) => MISDEEDS["never-answers"](socket) },
  drip: { allows: "none", act: ({ socket }) => MISDEEDS["slow-head"](socket) },
  "no HTTP": { allows: "none", act: ({ socket }) => MISDEEDS["no-http"](socket) },
  "redirect to itself": {
    allows: "none",
    act: (scene) => respond(scene, 301, { location: "/robots.txt" }),
  },
  "redirect to rules": {
    allows: "rules",
    act: (scene) => respond(scene, 301, { location: "/moved/robots.txt" }),
  },
};

/** What is at the end of a redirect from a robots.txt. */
export function movedRobots(scene: Scene): void {
  text(scene, RULES);
}
