import { once } from "node:events";
import { createServer } from "node:http";

const PAGES = {
  "/": '<title>Home</title><a href="/a">a</a><a href="/private/b">b</a>',
  "/a": '<title>A</title><a href="/">home</a>',
  "/private/b": "<title>B</title>",
};

/** Two pages on loopback, and a third that robots.txt forbids. */
export async function openSite() {
  const server = createServer((request, response) => {
    if (request.url === "/robots.txt") return response.end("User-agent: *\nDisallow: /private/\n");
    const html = PAGES[request.url];
    response.writeHead(html ? 200 : 404, { "content-type": "text/html" }).end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    home: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
