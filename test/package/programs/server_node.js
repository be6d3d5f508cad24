import { crawl } from "dragline";
import { publicTransport } from "dragline/server/node";
import { openSite } from "./site.js";

const site = await openSite();
// Asked for by an address that is private, and by a name that leads there.
const seeds = [site.home, site.home.replace("127.0.0.1", "localhost")];
const options = { transport: publicTransport(), robots: false, retries: { max: 0 }, results: "all" };
const results = [];
for await (const result of crawl(seeds, options)) results.push(`${result.type} ${result.reason}`);
site.close();
console.log(JSON.stringify(results));
