// Crawlee's HttpCrawler, which reads no HTML: links by a regular expression, as in the bare loop.
import { HttpCrawler } from "@crawlee/http";
import { answerOrders } from "../support/answer_orders.ts";
import { freshConfiguration, OPTIONS } from "./crawlee.mjs";

answerOrders(async (startUrl) => {
  let pages = 0;
  const requestHandler = async ({ body, request, enqueueLinks }) => {
    pages++;
    const hrefs = [...String(body).matchAll(/<a\s[^>]*href="([^"#]*)/g)].map(([, href]) => href);
    await enqueueLinks({ urls: hrefs, baseUrl: request.loadedUrl, strategy: "same-hostname" });
  };
  await new HttpCrawler({ ...OPTIONS, requestHandler }, freshConfiguration()).run([startUrl]);
  return pages;
});
