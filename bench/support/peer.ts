import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/source_files.ts";
import { ClientProcess, type CrawlOrder } from "./client_process.ts";
import { readJson } from "./read_json.ts";
import { packageVersion } from "./report.ts";
import type { Run } from "./run.ts";
import type { Runtime } from "./runtime.ts";
import { runWget2 } from "./wget2.ts";

const FOLDER = join(ROOT, "bench/peers");

/** A crawler that does the same work as Dragline, as near as it can be set. */
export interface Peer {
  readonly name: string;
  /** How it was set, and what it leaves out. */
  readonly setting: string;
  /** Whether it has one process for all rounds, which is to be warm; else each crawl starts one. */
  readonly staysWarm: boolean;
  start(): StartedPeer;
}

export interface StartedPeer {
  crawl(order: CrawlOrder): Promise<Run>;
  end(): Promise<void>;
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
    staysWarm: true,
    start: () => new ClientProcess(runtime, scriptOf(script)),
  }));
}

/** Dragline itself, to be measured among them. */
export function dragline(runtime: Runtime, client: "fetch" | "undici", script: string): Peer {
  return {
    name: `Dragline by ${client}`,
    setting: "concurrency and host concurrency 32, no delay, robots.txt obeyed",
    staysWarm: true,
    start: () => new ClientProcess(runtime, script, { args: [client] }),
  };
}

interface SystemPeer {
  readonly name: string;
  readonly setting: string;
  /** One crawl, by a process of its own. */
  crawl(startUrl: string): Promise<Run>;
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
    crawl: (startUrl) =>
      readJson("scrapy", ["runspider", join(FOLDER, "scrapy_spider.py"), "-a", `start_url=${startUrl}`]),
  },
  {
    name: "wget2",
    program: "wget2",
    package: "wget2",
    setting:
      "`-r -l inf --max-threads=32`, robots.txt obeyed; its start is measured too, and it writes files",
    crawl: runWget2,
  },
];

/** Those of Debian's peers that are installed, with their versions, and the names of the packages that are missing. */
export function systemPeers(): { peers: Peer[]; missing: string[] } {
  const peers: Peer[] = [];
  const missing: string[] = [];
  for (const { name, setting, crawl, program, package: packageName } of SYSTEM) {
    const version = systemVersion(program);
    if (version === undefined) {
      missing.push(packageName);
      continue;
    }
    const start = (): StartedPeer => ({ crawl: ({ startUrl }) => crawl(startUrl), end: async () => {} });
    peers.push({ name: `${name} ${version}`, setting, staysWarm: false, start });
  }
  return { peers, missing };
}

function systemVersion(program: string): string | undefined {
  const args = program === "scrapy" ? ["version"] : ["--version"];
  const { stdout, error } = spawnSync(program, args, { encoding: "utf8" });
  return error ? undefined : /\d+(?:\.\d+)+/.exec(stdout)?.[0];
}
