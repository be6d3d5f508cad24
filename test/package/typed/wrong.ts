import { crawl } from "dragline";

crawl("https://example.com/", { concurency: 4 });
crawl("https://example.com/", { delayMs: "1s" });
for await (const page of crawl("https://example.com/")) console.log(page.reason);
