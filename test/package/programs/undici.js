import { crawl } from "dragline";
import { undiciTransport } from "dragline/undici";
import { openSite } from "./site.js";

const site = await openSite();
const pages = [];
for await (const page of crawl(site.home, { delayMs: 0, transport: undiciTransport() }))
  pages.push(page.title);
site.close();
console.log(JSON.stringify(pages.sort()));
