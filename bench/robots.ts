/**
 * robots.txt beside robots-parser, in one run: medians of five, each after a warm-up.
 *
 *     npm run bench -- robots
 */
import robotsParser from "robots-parser";
import { parseRobots } from "../src/web/robots.ts";
import { median } from "./support/summary.ts";

const ORIGIN = "https://shop.example";
const ROBOTS_URL = `${ORIGIN}/robots.txt`;
const AGENT = "otterbot";
const SLICE_MS = 200;
const MAX_OCTETS = 500 * 1024;

interface Reader {
  isAllowed(url: string, agent: string): boolean | undefined;
}

// Its types declare a module where there is a function.
const parseByPackage = robotsParser as unknown as (url: string, body: string) => Reader;
const parsers: readonly (readonly [string, (body: string) => Reader])[] = [
  ["dragline", (body) => parseRobots(body, ROBOTS_URL)],
  ["robots-parser", (body) => parseByPackage(ROBOTS_URL, body)],
];

/** A rule as shops have it: a folder, every fifth a parameter, some an ending. */
function ruleOf(at: number): string {
  if (at % 5 === 0) return `Disallow: /*?filter[f${at}]=`;
  if (at % 7 === 0) return `Allow: /shop/c${at}/index.html$`;
  return `Disallow: /shop/c${at}/private-${at * 31}/`;
}

function fileOf(rules: number): string {
  return ["User-agent: *", ...Array.from({ length: rules }, (_, at) => ruleOf(at))].join("\n");
}

const urls = Array.from({ length: 500 }, (_, at) => {
  if (at % 3 === 0) return `${ORIGIN}/shop/c${at}/private-${at * 31}/page-${at}.html`;
  if (at % 3 === 1) return `${ORIGIN}/shop/c${at}/offers/page?filter[f${at}]=red&page=${at}`;
  return `${ORIGIN}/blog/2026/11/an-article-about-otters-${at}`;
});

function medianOfFive(measure: () => number): number {
  measure();
  return median(Array.from({ length: 5 }, measure));
}

/** Lookups a second. */
function lookupsPerSecond(reader: Reader): number {
  return medianOfFive(() => {
    let lookups = 0;
    const start = performance.now();
    while (performance.now() - start < SLICE_MS) {
      for (let at = 0; at < 20; at++) reader.isAllowed(urls[lookups++ % urls.length]!, AGENT);
    }
    return (lookups * 1000) / (performance.now() - start);
  });
}

function elapsedMs(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function filled(line: (at: number) => string): string {
  let file = "User-agent: *\n";
  for (let at = 0; file.length < MAX_OCTETS; at++) file += `${line(at)}\n`;
  return file.slice(0, MAX_OCTETS);
}

const big: Readonly<Record<string, string>> = {
  "short literals": filled((at) => `Allow:/${at.toString(36)}`),
  "real-looking rules": filled(ruleOf),
  "two stars each": filled((at) => `Disallow:/*a*${at.toString(36)}$`),
  "a thousand stars each": filled(() => `Disallow:/${"*a".repeat(1000)}*b$`),
  "250,000 stars in one": `User-agent: *\nDisallow:/${"*a".repeat(250_000)}*b$\n`,
  "near misses": filled((at) => `Disallow:/*${"a".repeat(30)}${at.toString(36)}`),
  "agents and groups": filled((at) => `User-agent:*\nUser-agent:a${at}\nDisallow:/${at}`),
};
const long: readonly string[] = ["a", "ab", "|", "ü", "%41", "/", "?a=", "aaaaaaaaab"].map(
  (piece) => `${ORIGIN}/${piece.repeat(60_000 / piece.length)}`,
);

const table = (rows: readonly (readonly string[])[]): void => {
  for (const [name, ...cells] of rows) {
    console.log(`  ${name!.padEnd(26)}${cells.map((cell) => cell.padStart(16)).join("")}`);
  }
};

const rounded = (value: number): string => Math.round(value).toLocaleString("en");

console.log("robots.txt: lookups a second");
table([
  ["", ...parsers.map(([name]) => name)],
  ...[20, 200, 5000].map((rules) => [
    `${rules} rules`,
    ...parsers.map(([, parse]) => rounded(lookupsPerSecond(parse(fileOf(rules))))),
  ]),
]);

console.log("robots.txt: milliseconds to load");
table([
  ["", ...parsers.map(([name]) => name)],
  ...[20, 5000].map((rules) => [
    `${rules} rules`,
    ...parsers.map(([, parse]) => medianOfFive(() => elapsedMs(() => parse(fileOf(rules)))).toFixed(2)),
  ]),
]);

// robots-parser is left out here: one such lookup takes it seconds.
console.log(
  "robots.txt of 500 KiB: milliseconds to load; of the slowest lookup of a URL of 60,000 characters",
);
table(
  Object.entries(big).map(([name, body]) => {
    const octets = new TextEncoder().encode(body);
    const load = medianOfFive(() => elapsedMs(() => parseRobots(octets, ROBOTS_URL)));
    const robots = parseRobots(octets, ROBOTS_URL);
    const slowest = Math.max(
      ...long.map((url) => medianOfFive(() => elapsedMs(() => robots.isAllowed(url, AGENT)))),
    );
    return [name, load.toFixed(1), slowest.toFixed(2)];
  }),
);
