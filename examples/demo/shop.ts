// A small shop on loopback that stays up, to try the command line and the server on without a network.
//
//   npx tsx examples/demo/shop.ts
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";

const PORT = 8787;
const TEAPOTS = 60;

const link = (path: string, text: string): string => `<a href="${path}">${text}</a>`;
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);
const shelf = (first: number): string =>
  range(first, Math.min(first + 10, TEAPOTS))
    .map((n) => link(`/teapots/${n}`, `Teapot ${n}`))
    .join(" ");

const pages = new Map<string, [title: string, body: string]>([
  [
    "/",
    [
      "The teapot shop",
      `${link("/shelves/0", "Teapots")} ${link("/team", "Team")} ${link("/contact", "Contact")}`,
    ],
  ],
  ["/team", ["Team", `Ann: ann [at] teapots-and-more [dot] com. ${link("/news", "News")}`]],
  [
    "/contact",
    ["Contact", `${link("mailto:Desk@Teapots-and-More.com", "Write")} or fill in: you@example.com`],
  ],
]);
for (const n of range(0, TEAPOTS / 10)) {
  const next = n + 1 < TEAPOTS / 10 ? link(`/shelves/${n + 1}`, "more") : "";
  pages.set(`/shelves/${n}`, [`Shelf ${n}`, `${shelf(n * 10)} ${next}`]);
}
for (const n of range(0, TEAPOTS)) {
  pages.set(`/teapots/${n}`, [`Teapot ${n}`, `Questions? desk@teapots-and-more.com ${link("/", "Home")}`]);
}

/** Opens the shop; the system chooses a port for 0. */
export async function openShop(port: number): Promise<{ server: Server; origin: string }> {
  const server = createServer(({ url = "/" }, response) => {
    const page = pages.get(url);
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    const [title, body] = page ?? ["Not found", ""];
    response.end(`<!doctype html><title>${title}</title>${body}`);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { origin } = await openShop(PORT);
  console.log(`The teapot shop is open at ${origin}/ until Ctrl-C`);
}
