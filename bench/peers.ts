/**
 * Dragline beside other crawlers that are set to do the same work, as near as each can be: links followed on the host,
 * each page once, robots.txt obeyed, 32 at once, no delay. `npm run bench -- peers`; `--quick` for one round of fewer
 * pages, `--json FILE` for where the figures are kept, `--write` to put them into docs/performance.md.
 *
 * Those from npm are a package of their own: `npm ci --prefix bench/peers`. wget2 and Scrapy are measured where they
 * are installed, and start anew in each round. Those in JavaScript have one process for all rounds, which warms up on a
 * smaller site. Whoever has not found every page is told of with the number that it found.
 */
import process from "node:process";
import { bundle } from "./support/bundle.ts";
import { writeFigures } from "./support/document.ts";
import { readFlags } from "./support/flags.ts";
import { describeMachine, thisMachine } from "./support/machine.ts";
import {
  arePeersInstalled,
  dragline,
  PEER_SCRIPTS,
  PEERS_FOLDER,
  type Peer,
  type StartedPeer,
  scriptedPeers,
  systemPeers,
} from "./support/peer.ts";
import { peerFigures, peerTable } from "./support/peer_table.ts";
import { packageVersion, writeReport } from "./support/report.ts";
import { inRounds } from "./support/rounds.ts";
import type { Run } from "./support/run.ts";
import { ownNode } from "./support/runtime.ts";
import { syntheticSite } from "./support/site.ts";
import { startSite } from "./support/site_process.ts";
import { LEAST_MS, RESUME_MS, WARM_UP_MS } from "./support/warm_rounds.ts";

const { quick, json, write } = readFlags(process.argv.slice(2));
const ROUNDS = quick ? 1 : 5;
const PAGES = quick ? 300 : 2_000;
const PEER_WARM_UP_MS = quick ? 1_000 : WARM_UP_MS;
const WARM_UP_PAGES = quick ? 100 : 1_000;

const machine = thisMachine();
const node = ownNode();
const own = await bundle(["bench/support/client.ts"]);
const peers = [
  dragline(node, "undici", own.scriptOf("client")),
  dragline(node, "fetch", own.scriptOf("client")),
];
let scripts: Awaited<ReturnType<typeof bundle>> | undefined;
if (arePeersInstalled()) {
  scripts = await bundle(PEER_SCRIPTS, { home: PEERS_FOLDER });
  peers.push(...scriptedPeers(node, scripts.scriptOf));
} else {
  console.error("left out: the peers from npm, as `npm ci --prefix bench/peers` was not run");
}
const { peers: others, missing } = systemPeers();
peers.push(...others);
for (const name of missing) console.error(`left out: Debian's ${name}, which is not installed`);

const warmUp = await startSite(syntheticSite(WARM_UP_PAGES, 10));
const site = await startSite(syntheticSite(PAGES, 10));
const started = new Map<Peer, StartedPeer>();
const failed = new Set<Peer>();

/** What a peer gives, or nothing once it has failed. */
async function attempt<T>(peer: Peer, what: () => Promise<T>): Promise<T[]> {
  if (failed.has(peer)) return [];
  try {
    return [await what()];
  } catch (error) {
    // Dragline itself must not fail; another may not run here, say for the version of Node.js.
    if (peer === peers[0]) throw error;
    failed.add(peer);
    console.error(`left out: ${peer.name}: ${(error as Error).message}`);
    return [];
  }
}

async function startPeer(peer: Peer): Promise<void> {
  const one = peer.start();
  started.set(peer, one);
  if (!peer.staysWarm) return;
  console.error(`peers, warm-up: ${peer.name}`);
  await one.crawl({ startUrl: warmUp.startUrl, leastMs: PEER_WARM_UP_MS });
}

async function measureAll(): Promise<Run[][]> {
  try {
    for (const peer of peers) await attempt(peer, () => startPeer(peer));
    const runs = await inRounds(peers, ROUNDS, (peer, round) =>
      attempt(peer, async () => {
        console.error(`peers, round ${round + 1} of ${ROUNDS}: ${peer.name}`);
        const one = started.get(peer)!;
        if (peer.staysWarm) await one.crawl({ startUrl: warmUp.startUrl, leastMs: RESUME_MS });
        return one.crawl({ startUrl: site.startUrl, leastMs: LEAST_MS });
      }),
    );
    return runs.map((ofPeer) => ofPeer.flat());
  } finally {
    await Promise.all([...started.values()].map((peer) => peer.end()));
    await Promise.all([site.close(), warmUp.close()]);
  }
}

const runs = await measureAll();
own.remove();
scripts?.remove();

const figures = peers.flatMap((peer, at) =>
  failed.has(peer) ? [] : [peerFigures(peer.name, peer.setting, runs[at]!, runs[0]!)],
);
const text = [
  `${describeMachine(machine)}; ${node.name}; ${ROUNDS} rounds: median (least to most).`,
  `**${PAGES.toLocaleString("en")} pages of 10 KB, 51 links each, HTTP**`,
  peerTable(figures, PAGES),
  "How each was set:",
  figures.map(({ name, setting }) => `- ${name}: ${setting}.`).join("\n"),
].join("\n\n");
console.log(text);
if (write) writeFigures("docs/performance.md", "peers", text);
writeReport(
  "peers",
  { machine, node: node.name, undici: packageVersion("undici"), pages: PAGES, figures },
  json,
);
