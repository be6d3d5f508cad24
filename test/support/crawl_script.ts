import process from "node:process";
import { crawl } from "../../src/crawl.ts";
import { loopback } from "./loopback.ts";

// Crawls an endless site of its own in one of several ways, and then has nothing left to do: the process must end by
// itself, without a warning.
const way = process.argv[2];
const server = await loopback(({ url = "" }, response) => {
  if (url === "/robots.txt") return void response.writeHead(404).end();
  // The body's second half never comes.
  if (url.endsWith("hang")) return void response.writeHead(200, { "content-type": "text/html" }).write("<p>");
  const hanging = way === "budget" ? [] : [`${url}hang`];
  const links = [`${url}0`, `${url}1`, ...hanging].map((href) => `<a href="${href}">x</a>`).join("");
  response.writeHead(200, { "content-type": "text/html" }).end(links);
});
process.on("warning", ({ name }) => console.log(`warning ${name}`));
const controller = new AbortController();
const { signal } = controller;
const options = { delayMs: 0, hostConcurrency: 8, concurrency: 8, timeoutMs: 600_000, traps: false, signal };
const pages = crawl(`${server.origin}/p`, { ...options, ...(way === "budget" && { maxPages: 300 }) });
let read = 0;
try {
  for await (const _ of pages) {
    read++;
    if (way === "break" && read === 5) break;
    if (way === "abort" && read === 5) controller.abort(new Error("enough"));
    if (way === "throw" && read === 5) throw new Error("enough");
  }
} catch (error) {
  console.log(`caught ${(error as Error).message}`);
}
const { finishReason, inFlight } = await pages.finished;
console.log(`read ${read}, ${finishReason}, ${inFlight} in flight`);
await server.released();
console.log(`${server.unanswered} unanswered`);
// A timer that the crawl left behind would keep the process for ten minutes.
await server.close();
