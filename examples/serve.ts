// One crawl's progress in a Hono app of one's own, as Server-Sent Events. Watching costs the crawl nothing, and a
// browser that was away is told what it missed.
//
//   npx tsx examples/serve.ts https://example.com/ 8080
import process from "node:process";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { crawl } from "../mod.ts";
import { sse, watch } from "../src/server/mod.ts";

const [, , seed = "https://example.com/", port = "8080"] = process.argv;

const PAGE = `<!doctype html><title>Progress</title><output>Nothing yet</output><ol></ol><script>
  const events = new EventSource("progress");
  events.addEventListener("stats", ({ data }) => {
    document.querySelector("output").textContent = JSON.parse(data).pages + " pages";
  });
  events.addEventListener("page", ({ data }) => {
    document.querySelector("ol").append(Object.assign(document.createElement("li"), { textContent: JSON.parse(data).url }));
  });
</script>`;

const pages = crawl(seed, { maxPages: 50 });
watch(pages);
const app = new Hono().get("/", (c) => c.html(PAGE)).get("/progress", (c) => sse(pages, c.req.raw));

const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(port) }, (info) => {
  console.log(`Watch at http://127.0.0.1:${info.port}/`);
});
for await (const page of pages) console.log(page.status, page.url);
server.close();
