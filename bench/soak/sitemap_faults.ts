import { gzipSync } from "node:zlib";
import { MISDEEDS } from "../../test/support/misbehaving_server.ts";
import { anyPage } from "./hostile_html.ts";
import type { Fault } from "./page_faults.ts";
import { respond, type Scene } from "./scene.ts";

const XML = { "content-type": "application/xml" };
const GZIP_BOMB = gzipSync(Buffer.from(`<urlset>${" ".repeat(60_000_000)}`));

function urlset(scene: Scene, count = 5): string {
  const urls = Array.from({ length: count }, () => `<url><loc>${anyPage(scene)}</loc></url>`);
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>`;
}

/** Everything that a sitemap may be, by its name. */
export const SITEMAP_FAULTS: Readonly<Record<string, Fault>> = {
  good: (scene) => respond(scene, 200, XML, urlset(scene)),
  "gzip by content": (scene) => respond(scene, 200, XML, gzipSync(urlset(scene))),
  "cut gzip": (scene) => respond(scene, 200, XML, gzipSync(urlset(scene, 500)).subarray(0, 900)),
  "gzip bomb": (scene) => respond(scene, 200, XML, GZIP_BOMB),
  "20,000 URLs": (scene) => respond(scene, 200, XML, urlset(scene, 20_000)),
  "an index that lists itself": (scene) => {
    const own = ["/sitemap.xml", "/sitemap.xml#2", "/sitemap.xml?again", "http://["];
    const entries = own.map(
      (url) => `<sitemap><loc>${url.replace(/^\//, `${scene.origins[scene.host]}/`)}</loc></sitemap>`,
    );
    respond(scene, 200, XML, `<sitemapindex>${entries.join("")}</sitemapindex>`);
  },
  "not well-formed": (scene) =>
    respond(scene, 200, XML, `\n${urlset(scene).replace("</urlset>", "<loc>&<url>")}`),
  "a billion laughs": (scene) =>
    respond(
      scene,
      200,
      XML,
      `<!DOCTYPE x [<!ENTITY a "${"l".repeat(999)}"><!ENTITY b "&a;&a;">]>${urlset(scene)}&b;`,
    ),
  "a page of HTML": (scene) => respond(scene, 200, XML, "<!doctype html><p>Welcome"),
  "no answer": ({ socket }) => MISDEEDS["never-answers"](socket),
  drip: ({ socket }) => MISDEEDS["slow-body"](socket),
  "404": (scene) => respond(scene, 404, XML),
  nothing: (scene) => respond(scene, 200, XML),
};
