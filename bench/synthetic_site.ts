/**
 * A site of 10 KB pages with 51 links each, made from the path: `npx tsx bench/synthetic_site.ts PAGES` serves it on
 * loopback, prints its port, and ends with its standard input.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

const LINKS = 50;
const PAGE_BYTES = 10_240;

const pages = Number(process.argv[2] ?? 2_000);
const filler = `<p>${"The line holds, and the spider goes on from thread to thread. ".repeat(3)}</p>\n`;

function page(n: number): string {
  const links: string[] = [`<a href="/">Home</a>`];
  for (let i = 1; i <= LINKS; i++) {
    const to = (n * LINKS + i) % pages;
    links.push(`<li><a href="/page/${to}" class="link">Page ${to}</a></li>`);
  }
  const head = `<!doctype html><html><head><meta charset="utf-8"><title>Page ${n}</title></head><body><ul>`;
  const body = `${head}${links.join("\n")}</ul>\n`;
  return `${body}${filler.repeat(Math.ceil((PAGE_BYTES - body.length) / filler.length))}</body></html>`;
}

const bodies = new Map<string, Buffer>();
for (let n = 0; n < pages; n++) bodies.set(n === 0 ? "/" : `/page/${n}`, Buffer.from(page(n)));
bodies.set("/page/0", bodies.get("/")!);

const server = createServer((request, response) => {
  const body = bodies.get(request.url ?? "");
  if (request.url === "/robots.txt") {
    response.writeHead(200, { "content-type": "text/plain" }).end("User-agent: *\nDisallow: /private/\n");
  } else if (body === undefined) {
    response.writeHead(404).end();
  } else {
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8", "content-length": body.length })
      .end(body);
  }
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on("end", () => {
  server.close();
  server.closeAllConnections();
});
process.stdin.resume();
