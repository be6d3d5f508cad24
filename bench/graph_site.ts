/**
 * A site of any number of 1 KB pages, each made from its number as it is asked for: `node bench/graph_site.ts PAGES`
 * serves it on loopback, prints its port, and ends with its standard input. Page `n` is `/page/n`; it links to
 * `2n + 1` and `2n + 2`, so that every page can be reached, and to eight pages that a seeded hash names.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

const SEED = 0x9e3779b1;
const HASHED_LINKS = 8;
const PAGE_BYTES = 1_024;
const FILLER = "The line holds, and the spider goes on from thread to thread. ".repeat(16);

const pages = Number(process.argv[2] ?? 1_000);

/** The finaliser of MurmurHash3, over the page's number and the link's. */
function hashed(page: number, link: number): number {
  let bits = SEED ^ Math.imul(page, 0x85ebca6b) ^ Math.imul(link + 1, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) % pages;
}

function pageOf(n: number): string {
  const targets = [2 * n + 1, 2 * n + 2].filter((target) => target < pages);
  for (let link = 0; link < HASHED_LINKS; link++) targets.push(hashed(n, link));
  const links = targets.map((target) => `<a href="/page/${target}">Page ${target}</a>\n`).join("");
  const html = `<!doctype html><html><head><title>Page ${n}</title></head><body>\n${links}`;
  return `${html}<p>${FILLER.slice(0, PAGE_BYTES - html.length - 7)}</p>`;
}

const server = createServer((request, response) => {
  const { url = "" } = request;
  const number = url.startsWith("/page/") ? Number(url.slice(6)) : Number.NaN;
  if (url === "/robots.txt") {
    response.writeHead(200, { "content-type": "text/plain" }).end("User-agent: *\nDisallow: /private/\n");
  } else if (number >= 0 && number < pages) {
    const body = pageOf(number);
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8", "content-length": body.length })
      .end(body);
  } else {
    response.writeHead(404).end();
  }
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on("end", () => {
  server.close();
  server.closeAllConnections();
});
process.stdin.resume();
