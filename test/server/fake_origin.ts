import { type Loopback, loopback } from "../support/loopback.ts";

/** A site on loopback whose first page links to so many others. */
export function fakeOrigin(count: number): Promise<Loopback> {
  const links = Array.from({ length: count }, (_, i) => `<a href="/${i + 1}">${i + 1}</a>`).join("");
  return loopback((request, response) => {
    response.writeHead(request.url === "/robots.txt" ? 404 : 200, {
      "content-type": "text/html; charset=utf-8",
    });
    response.end(`<title>Page ${request.url}</title>${links}`);
  });
}
