// node-crawler: it follows no links, keeps to no host, knows no URL again and reads no robots.txt, so the handler does
// the first three, by its cheerio; the fourth is not done.
import Crawler from "crawler";
import { answerOrders } from "../support/answer_orders.ts";

const AT_ONCE = 32;

answerOrders(
  (startUrl) =>
    new Promise((resolve) => {
      const { origin } = new URL(startUrl);
      const seen = new Set([startUrl]);
      let pages = 0;
      const crawler = new Crawler({
        maxConnections: AT_ONCE,
        rateLimit: 0,
        retries: 0,
        silence: true,
        callback(error, { $, options }, done) {
          if (!error) pages++;
          $?.("a[href]").each((_, element) => {
            const url = new URL($(element).attr("href"), options.url);
            url.hash = "";
            if (url.origin !== origin || seen.has(url.href)) return;
            seen.add(url.href);
            crawler.add(url.href);
          });
          done();
        },
      });
      crawler.on("drain", () => resolve(pages));
      crawler.add(startUrl);
    }),
);
