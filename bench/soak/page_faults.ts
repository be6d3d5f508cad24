import { brotliCompressSync, gzipSync } from "node:zlib";
import { MISDEEDS } from "../../test/support/misbehaving_server.ts";
import { anyPage, links, STRAINS } from "./hostile_html.ts";
import { NOWHERE, pick, respond, respondHtml, type Scene, type SceneHeaders } from "./scene.ts";

/** Does something to a request that no proper host would. */
export type Fault = (scene: Scene) => void;

const MEBI = 2 ** 20;
const GZIP_BOMB = gzipSync(Buffer.alloc(64 * MEBI));
const BR_BOMB = brotliCompressSync(Buffer.alloc(64 * MEBI));
const HTML: SceneHeaders = { "content-type": "text/html" };
const TEXT_LENGTH = 200;

/** Every form of Retry-After, and the milliseconds for which it asks: none where it is no such header. */
const RETRY_AFTER: readonly { readonly value: () => string; readonly ms: number }[] = [
  { value: () => "2", ms: 2000 },
  { value: () => "0", ms: 0 },
  { value: () => new Date(Date.now() + 3000).toUTCString(), ms: 2000 },
  { value: () => "Wed, 21 Oct 2015 07:28:00 GMT", ms: 0 },
  { value: () => "soon", ms: 0 },
  { value: () => "-5", ms: 0 },
  { value: () => "1e3", ms: 0 },
  { value: () => "1.5", ms: 0 },
  { value: () => "9".repeat(40), ms: 0 },
  { value: () => "86400", ms: 0 },
];

function refuse(scene: Scene, status: number): void {
  if (scene.random() < 0.3) {
    respond(scene, status, HTML, "<p>refused");
    return;
  }
  const { value, ms } = pick(scene.random, RETRY_AFTER);
  if (ms > 0) scene.onPause(ms);
  respond(scene, status, { ...HTML, "retry-after": value() }, "<p>refused");
}

/** Refuses the first request of a target only. */
function refuseOnce(scene: Scene, status: number): void {
  if (scene.hit > 1) respondHtml(scene, links(scene));
  else refuse(scene, status);
}

function redirect(
  scene: Scene,
  location: string,
  status = pick(scene.random, [301, 302, 303, 307, 308]),
): void {
  respond(scene, status, { ...HTML, location }, "<p>over there");
}

/** Faults that are of this soak alone; those of the socket are `MISDEEDS`. */
const FAULTS: Readonly<Record<string, Fault>> = {
  "429": (scene) => refuseOnce(scene, 429),
  "503": (scene) => refuseOnce(scene, 503),
  "503 for ever": (scene) => refuse(scene, 503),
  "500": (scene) => respond(scene, 500, HTML, links(scene)),
  "500 once": (scene) => (scene.hit > 1 ? respondHtml(scene, links(scene)) : respond(scene, 500, HTML)),
  "404 with a long body": (scene) => respond(scene, 404, HTML, "<p>gone".repeat(30_000)),
  "410": (scene) => respond(scene, 410, HTML),
  "204": (scene) => respond(scene, 204, HTML),
  "304 unasked": (scene) => respond(scene, 304, HTML),
  "100 and 103 before": (scene) => {
    scene.socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n");
    respondHtml(scene, links(scene));
  },
  "redirect to a page": (scene) => redirect(scene, anyPage(scene)),
  "redirect to itself": (scene) => redirect(scene, scene.target),
  "redirect behind a cookie": (scene) =>
    scene.hasCookie
      ? respondHtml(scene, links(scene))
      : respond(scene, 302, { ...HTML, location: scene.target, "set-cookie": "seen=1; path=/" }),
  "redirect without an end": (scene) => redirect(scene, `${scene.target}x`),
  "redirect into what is forbidden": (scene) => redirect(scene, `/c${scene.crawl}/forbidden/redirected`),
  "redirect out of scope": (scene) => redirect(scene, `${NOWHERE}/`),
  "redirect to a private address": (scene) => redirect(scene, "http://[::ffff:7f09:909]:9/latest/meta-data/"),
  "redirect to no URL": (scene) => redirect(scene, "http://["),
  "redirect to another scheme": (scene) => redirect(scene, "file:///etc/passwd"),
  "redirect without Location": (scene) => respond(scene, 302, HTML),
  "redirect to octets": (scene) => redirect(scene, `/c${scene.crawl}/\u00c3\u00a9`),
  "redirect with Retry-After": (scene) => {
    scene.onPause(2000);
    respond(scene, 302, { ...HTML, location: anyPage(scene), "retry-after": "2" });
  },
  "gzip bomb": (scene) => respondHtml(scene, GZIP_BOMB, { "content-encoding": "gzip" }),
  "brotli bomb": (scene) => respondHtml(scene, BR_BOMB, { "content-encoding": "br" }),
  "more than is taken": (scene) => respondHtml(scene, Buffer.alloc(4 * MEBI, "<p>x")),
  "good gzip": (scene) => respondHtml(scene, gzipSync(links(scene)), { "content-encoding": "gzip" }),
  "good gzip in two members": (scene) =>
    respondHtml(scene, Buffer.concat([gzipSync("<p>"), gzipSync(links(scene))]), {
      "content-encoding": "gzip",
    }),
  "length too long": (scene) => {
    scene.socket.end(
      `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 9999\r\n\r\n${links(scene)}`,
    );
  },
  "length too short": (scene) => {
    scene.onGarbled();
    respondHtml(scene, links(scene), { "content-length": String(TEXT_LENGTH) });
  },
  "no type": (scene) => respond(scene, 200, {}, `<!doctype html>${links(scene)}`),
  "a PDF of 5 MiB": (scene) =>
    respond(scene, 200, { "content-type": "application/pdf" }, Buffer.alloc(5 * MEBI)),
  "an unknown charset": (scene) =>
    respondHtml(scene, links(scene), { "content-type": "text/html; charset=x-none" }),
  "a header of 20 KB": (scene) => respondHtml(scene, links(scene), { "x-long": "x".repeat(20_000) }),
  "2,500 headers": (scene) => respondHtml(scene, links(scene), { "x-many": Array<string>(2_500).fill("x") }),
  "fifty cookies": (scene) =>
    respondHtml(scene, links(scene), {
      "set-cookie": Array.from({ length: 50 }, (_, i) => `c${i}=${"x".repeat(40)}`),
    }),
  "closed after a proper answer": (scene) => {
    respondHtml(scene, links(scene));
    setTimeout(() => scene.socket.destroy(), 1);
  },
  "reset after a proper answer": (scene) => {
    respondHtml(scene, links(scene));
    setTimeout(() => scene.socket.resetAndDestroy(), 1);
  },
  "an answer too many": (scene) => {
    scene.onGarbled();
    respondHtml(scene, links(scene));
    scene.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n<p>");
  },
  "nofollow in the head": (scene) => respondHtml(scene, links(scene), { "x-robots-tag": "nofollow" }),
};

const STRAIN_FAULTS: Readonly<Record<string, Fault>> = Object.fromEntries(
  Object.entries(STRAINS).map(([name, html]) => [name, (scene: Scene) => respondHtml(scene, html(scene))]),
);
const SOCKET_FAULTS: Readonly<Record<string, Fault>> = Object.fromEntries(
  Object.entries(MISDEEDS).map(([name, misdeed]) => [name, ({ socket }: Scene) => misdeed(socket)]),
);

/** Everything that a page may do, by its name. */
export const PAGE_FAULTS: Readonly<Record<string, Fault>> = { ...FAULTS, ...STRAIN_FAULTS, ...SOCKET_FAULTS };
