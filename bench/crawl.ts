/**
 * Whole crawls against the least that a crawler can do, on every runtime that is installed: a bare loop of `fetch`,
 * `text()`, a regular expression for links, `new URL` and a `Set`; `crawl()` by `fetch`; on Node.js `crawl()` by undici
 * too. 32 at once, no delay; `crawl()` obeys robots.txt. `npm run bench` prints the tables of docs/performance.md, of
 * which the README has the first; `--write` puts them there. `--quick` takes one round of smaller sites, `--json FILE`
 * names where the figures are kept.
 *
 * Every client has one process for all rounds of a site: it crawls until it is warm, and waits for its turns. In a round
 * each has one, and a ratio is that of one round. The server is one process beside them.
 */
import process from "node:process";
import { bundle } from "./support/bundle.ts";
import { type Client, ClientProcess } from "./support/client_process.ts";
import { clientFigures, type RuntimeFigures, type SiteFigures, siteTable } from "./support/crawl_table.ts";
import { writeFigures } from "./support/document.ts";
import { readFlags } from "./support/flags.ts";
import { describeMachine, thisMachine } from "./support/machine.ts";
import { packageVersion, writeReport } from "./support/report.ts";
import type { Run } from "./support/run.ts";
import { installedRuntimes, type Runtime } from "./support/runtime.ts";
import { isInstalled, MANUALS, type Site, syntheticSite } from "./support/site.ts";
import { startSite } from "./support/site_process.ts";
import { inWarmRounds, WARM_UP_MS } from "./support/warm_rounds.ts";

const { quick, json, write } = readFlags(process.argv.slice(2));
const ROUNDS = quick ? 1 : 5;
const CLIENT_WARM_UP_MS = quick ? 1_000 : WARM_UP_MS;
const SMALL_PAGES = quick ? 500 : 2_000;
const LARGE_PAGES = quick ? 100 : 400;

interface Contestant {
  readonly runtime: Runtime;
  readonly client: Client;
}

const runtimes = installedRuntimes();
const contestants = runtimes.flatMap((runtime): Contestant[] => {
  const clients: readonly Client[] = runtime.isNode ? ["bare", "fetch", "undici"] : ["bare", "fetch"];
  return clients.map((client) => ({ runtime, client }));
});

async function measureSite(site: Site, script: string): Promise<SiteFigures> {
  const { startUrl, certificateFile, close } = await startSite(site);
  try {
    const starts = contestants.map(
      ({ runtime, client }) =>
        () =>
          new ClientProcess(runtime, script, { args: [client], certificateFile }),
    );
    const runs = await inWarmRounds(starts, {
      startUrl,
      rounds: ROUNDS,
      warmUpMs: CLIENT_WARM_UP_MS,
      onTurn(at, round) {
        const { runtime, client } = contestants[at]!;
        const when = round === undefined ? "warm-up" : `round ${round + 1} of ${ROUNDS}`;
        console.error(`${site.name}, ${when}: ${runtime.name}, ${client}`);
      },
    });
    return { site: site.name, pages: pagesOf(site, runs.flat()), runtimes: byRuntime(runs) };
  } finally {
    await close();
  }
}

/** The pages that all have found; where they differ, no figure means anything. */
function pagesOf(site: Site, runs: readonly Run[]): number {
  const counts = new Set(runs.map(({ pages }) => pages));
  if (counts.size > 1) throw new Error(`Of '${site.name}' not all found the same pages: ${[...counts]}`);
  return [...counts][0]!;
}

function byRuntime(runs: readonly Run[][]): RuntimeFigures[] {
  return runtimes.map((runtime) => {
    const of = (client: Client): readonly Run[] | undefined =>
      runs[contestants.findIndex((one) => one.runtime === runtime && one.client === client)];
    const bare = of("bare")!;
    const clients = (["bare", "fetch", "undici"] as const).flatMap((client) => {
      const own = of(client);
      return own ? [[client, clientFigures(own, bare)] as const] : [];
    });
    return { runtime: runtime.name, clients: Object.fromEntries(clients) };
  });
}

const machine = thisMachine();
const undici = packageVersion("undici");
const heading = `${describeMachine(machine)}; undici ${undici}; ${ROUNDS} rounds: median (least to most).`;
console.log(heading);
const scripts = await bundle(["bench/support/client.ts"]);
const sites = [false, true].flatMap((https) => [
  syntheticSite(SMALL_PAGES, 10, https),
  syntheticSite(LARGE_PAGES, 250, https),
]);
for (const manual of MANUALS) {
  if (isInstalled(manual)) sites.push(manual);
  else console.error(`left out: ${manual.name}, as Debian's package ${manual.package} is not installed`);
}
const figures: SiteFigures[] = [];
for (const site of sites) {
  const found = await measureSite(site, scripts.scriptOf("client"));
  figures.push(found);
  console.log(`\n${siteTable(found)}`);
}
scripts.remove();
if (write) {
  const tables = figures.map(siteTable);
  writeFigures("README.md", "crawl", [heading, tables[0]].join("\n\n"));
  writeFigures("docs/performance.md", "crawl", [heading, ...tables].join("\n\n"));
}
writeReport("latest", { machine, undici, rounds: ROUNDS, sites: figures }, json);
