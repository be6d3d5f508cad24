import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/source_files.ts";
import { readJson, runClient } from "./client_process.ts";
import { packageVersion } from "./report.ts";
import type { Run } from "./run.ts";
import type { Runtime } from "./runtime.ts";
import { runWget2 } from "./wget2.ts";

const FOLDER = join(ROOT, "bench/peers");

/** Where a peer begins, and where to warm up. */
export interface PeerOrder {
  readonly startUrl: string;
  readonly warmUpUrl: string;
}

/** A crawler that does the same work as Dragline, as near as it can be set. */
export interface Peer {
  readonly name: string;
  /** How it was set, and what it leaves out. */
  readonly setting: string;
  measure(order: PeerOrder): Promise<Run>;
}

interface ScriptedPeer {
  readonly name: string;
  readonly script: string;
  /** Its package in bench/peers, whose version is told. */
  readonly package: string;
  readonly setting: string;
}

const SCRIPTED: readonly ScriptedPeer[] = [
  {
    name: "Crawlee's CheerioCrawler",
    script: "crawlee_cheerio",
    package: "@crawlee/cheerio",
    setting:
      "min and max concurrency 32, storage in memory, no sessions, robots.txt obeyed, `enqueueLinks()`",
  },
  {
    name: "Crawlee's HttpCrawler",
    script: "crawlee_http",
    package: "@crawlee/http",
    setting: "the same, links by a regular expression",
  },
  {
    name: "simplecrawler",
    script: "simplecrawler",
    package: "simplecrawler",
    setting: "concurrency 32, interval 1 ms, connections kept, robots.txt obeyed",
  },
  {
    name: "node-crawler",
    script: "node_crawler",
    package: "crawler",
    setting: "32 connections, no rate limit; links, host and duplicates by our handler; reads no robots.txt",
  },
];

/** From where the scripts find their packages. */
export const PEERS_FOLDER: string = FOLDER;
/** The scripts to bundle, without ending. */
export const PEER_SCRIPTS: readonly string[] = SCRIPTED.map(({ script }) => `bench/peers/${script}.mjs`);

export function arePeersInstalled(): boolean {
  return existsSync(join(FOLDER, "node_modules"));
}

/** The peers from npm, whose scripts were bundled. */
export function scriptedPeers(runtime: Runtime, scriptOf: (entry: string) => string): Peer[] {
  return SCRIPTED.map(({ name, script, package: packageName, setting }) => ({
    name: `${name} ${packageVersion(packageName, FOLDER)}`,
    setting,
    measure: (order) => runClient(runtime, scriptOf(script), order),
  }));
}

/** Dragline itself, to be measured among them. */
export function dragline(runtime: Runtime, client: "fetch" | "undici", script: string): Peer {
  return {
    name: `Dragline by ${client}`,
    setting: "concurrency and host concurrency 32, no delay, robots.txt obeyed",
    measure: (order) => runClient(runtime, script, { client, ...order }),
  };
}

interface SystemPeer extends Peer {
  /** The program, and Debian's package that has it. */
  readonly program: string;
  readonly package: string;
}

/** The peers from Debian's packages, whether installed or not. They are not warmed up: nothing in them compiles. */
const SYSTEM: readonly SystemPeer[] = [
  {
    name: "Scrapy",
    program: "scrapy",
    package: "python3-scrapy",
    setting:
      "CONCURRENT_REQUESTS 32, no delay, robots.txt obeyed, no cookies, CrawlSpider with LinkExtractor",
    measure: ({ startUrl }) =>
      readJson("scrapy", ["runspider", join(FOLDER, "scrapy_spider.py"), "-a", `start_url=${startUrl}`]),
  },
  {
    name: "wget2",
    program: "wget2",
    package: "wget2",
    setting:
      "`-r -l inf --max-threads=32`, robots.txt obeyed; its start is measured too, and it writes files",
    measure: ({ startUrl }) => runWget2(startUrl),
  },
];

/** Those of Debian's peers that are installed, with their versions, and the names of the packages that are missing. */
export function systemPeers(): { peers: Peer[]; missing: string[] } {
  const peers: Peer[] = [];
  const missing: string[] = [];
  for (const { program, package: packageName, ...peer } of SYSTEM) {
    const version = systemVersion(program);
    if (version === undefined) missing.push(packageName);
    else peers.push({ ...peer, name: `${peer.name} ${version}` });
  }
  return { peers, missing };
}

function systemVersion(program: string): string | undefined {
  const args = program === "scrapy" ? ["version"] : ["--version"];
  const { stdout, error } = spawnSync(program, args, { encoding: "utf8" });
  return error ? undefined : /\d+(?:\.\d+)+/.exec(stdout)?.[0];
}
