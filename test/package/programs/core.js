import { crawl } from "dragline";
import { openSite } from "./site.js";

const site = await openSite();
const pages = [];
for await (const page of crawl(site.home, { delayMs: 0 })) {
  const document = await page.document();
  pages.push([new URL(page.url).pathname, page.status, document.querySelector("title").textContent]);
}
site.close();
console.log(JSON.stringify(pages.sort()));
