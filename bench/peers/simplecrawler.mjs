// simplecrawler: it takes one URL from its queue at each tick of a timer, so the tick is a millisecond, the least that
// a timer can do. Connections are kept. Robots.txt is obeyed; its own regular expressions find links of every kind.
import http from "node:http";
import Crawler from "simplecrawler";
import { answerOrders } from "../support/answer_orders.ts";

const AT_ONCE = 32;

answerOrders(
  (startUrl) =>
    new Promise((resolve) => {
      let pages = 0;
      const crawler = new Crawler(startUrl);
      crawler.interval = 1;
      crawler.maxConcurrency = AT_ONCE;
      crawler.respectRobotsTxt = true;
      crawler.downloadUnsupported = false;
      crawler.httpAgent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
      crawler.on("fetchcomplete", () => pages++);
      crawler.on("complete", () => {
        crawler.httpAgent.destroy();
        resolve(pages);
      });
      crawler.start();
    }),
);
