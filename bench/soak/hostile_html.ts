import { NOWHERE, pick, type Scene } from "./scene.ts";

/** Pages of one host in one crawl. */
const PAGES_PER_HOST = 24;

/** Links that lead nowhere good: out of scope, into private networks, to no URL, or to one page in odd spellings. */
const BAD_LINKS: readonly string[] = [
  "javascript:void(0)",
  "mailto:desk@nook.example",
  "http://",
  "//",
  "http://[::1",
  "http://xn--zzz-/",
  `${NOWHERE}/latest/meta-data/`,
  "http://2131298569:9/",
  "http://[::ffff:7f09:909]:9/",
  "http://0x7f090909:9/",
  "http://0x7f.9.2313:9/",
  "ftp://127.9.9.9:9/",
  "/50%off",
  "/%u011f.html",
  "\n/ spa ce\t",
  "http://user:password@127.9.9.9:9/",
  "data:text/html,<p>",
  `/${"x".repeat(9000)}`,
];

function pageUrl(scene: Pick<Scene, "origins" | "crawl">, host: number, page: number): string {
  return `${scene.origins[host]}/c${scene.crawl}/p${page}`;
}

/** A page of the soak, of some host. */
export function anyPage(scene: Scene): string {
  const host = Math.floor(scene.random() * scene.origins.length);
  return pageUrl(scene, host, Math.floor(scene.random() * PAGES_PER_HOST));
}

/** Links of every kind: to pages, to what robots.txt may forbid, into traps and out of the web. */
export function links(scene: Scene, count = 8): string {
  const { crawl, random } = scene;
  const urls = Array.from({ length: count }, () => anyPage(scene));
  urls.push(
    `/c${crawl}/forbidden/${Math.floor(random() * 5)}`,
    pick(random, BAD_LINKS),
    pick(random, BAD_LINKS),
  );
  if (random() < 0.1) urls.push(`/c${crawl}/trap/www.partner.test/`, `/c${crawl}/calendar/2031/04`);
  return urls.map((url) => `<a href="${url}">${url.slice(-12)}</a>`).join("\n");
}

/** Documents that are a strain to read, each with the usual links somewhere in it. */
export const STRAINS: Readonly<Record<string, (scene: Scene) => string | Buffer>> = {
  "deep nesting": (scene) => `${"<div>".repeat(20_000)}${links(scene)}`,
  "many attributes": (scene) =>
    `<p ${Array.from({ length: 5_000 }, (_, i) => `a${i}=1`).join(" ")}>${links(scene)}`,
  "a comment without an end": (scene) => `${links(scene)}<!-- ${"-".repeat(50_000)}`,
  "a script without an end": (scene) => `${links(scene)}<script>${"<a href=/c0/never>".repeat(1000)}`,
  "a page of links": (scene) => links(scene, 3_000),
  NUL: (scene) => `\0<a\0 href="/c0/never">${links(scene)}\0`,
  "UTF-16 that says it is ASCII": (scene) => Buffer.from(`\ufeff${links(scene)}`, "utf16le"),
  "octets of no charset": (scene) => Buffer.concat([Buffer.from(links(scene)), Buffer.alloc(20_000, 0xfe)]),
  "a base elsewhere": (scene) => `<base href="${NOWHERE}/">${links(scene)}`,
  "a base that is no URL": (scene) => `<base href="http://[">${links(scene)}`,
  "noindex, nofollow": (scene) => `<meta name=robots content="noindex, nofollow">${links(scene)}`,
  "two canonicals": (scene) =>
    `<link rel=canonical href=/x><link rel=canonical href="http://[">${links(scene)}`,
  "a refresh to itself": (scene) =>
    `<meta http-equiv=refresh content="0;url=${scene.target}">${links(scene)}`,
  "a hundred thousand references": (scene) => `${"&notit;&#x110000;&#0;&amp".repeat(25_000)}${links(scene)}`,
  nothing: () => "",
};
