// A small web on loopback, crawled politely and told line by line: `npm run demo`.
import { type CrawlEvent, crawl } from "../../mod.ts";
import { closingLines } from "./closing.ts";
import { Places } from "./places.ts";
import { paint, row } from "./screen.ts";
import { openHost } from "./serve.ts";
import { demoPages, HOSTS, type HostName, type Origins } from "./site.ts";
import { storyLine } from "./story.ts";

const names = Object.keys(HOSTS) as HostName[];
const hosts = new Map(await Promise.all(names.map(async (name) => [name, await openHost()] as const)));
const origins = Object.fromEntries([...hosts].map(([name, { origin }]) => [name, origin])) as Origins;
const pages = demoPages(origins);
for (const [name, host] of hosts) host.show(pages[name]);

console.log(paint("bold", "A small web on this machine, crawled politely"));
for (const name of names) console.log(row([`  ${name}`, 11], [origins[name], 24, "dim"], [HOSTS[name], 0]));
console.log();

const places = new Places(origins);
const events: CrawlEvent[] = [];
const results = crawl(
  names.map((name) => `${origins[name]}/`),
  {
    sitemaps: true,
    results: "all",
    onEvent(event) {
      events.push(event);
      const line = storyLine(event, results.stats.startedAtMs, places);
      if (line !== undefined) console.log(line);
    },
  },
);
for await (const _ of results) {
  // Every result is told by its event.
}

console.log();
for (const line of closingLines(events, results.stats, places)) console.log(line);
await Promise.all([...hosts.values()].map((host) => host.close()));
