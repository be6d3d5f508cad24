// Crawlee's CheerioCrawler: a DOM of each page, links by enqueueLinks() within the same host.
import { CheerioCrawler } from "@crawlee/cheerio";
import { answerOrders } from "../support/answer_orders.ts";
import { freshConfiguration, OPTIONS } from "./crawlee.mjs";

answerOrders(async (startUrl) => {
  let pages = 0;
  const requestHandler = async ({ enqueueLinks }) => {
    pages++;
    await enqueueLinks({ strategy: "same-hostname" });
  };
  await new CheerioCrawler({ ...OPTIONS, requestHandler }, freshConfiguration()).run([startUrl]);
  return pages;
});
