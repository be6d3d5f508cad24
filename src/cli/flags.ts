import type { CrawlOptions } from "../options.ts";
import type { RecordField } from "../output/files.ts";
import {
  bloomOf,
  contentTypesOf,
  delayOf,
  headerOf,
  hostConcurrencyOf,
  patternOf,
  webUrl,
} from "./flag_forms.ts";
import {
  BYTES,
  choiceKind,
  countKind,
  durationKind,
  formKind,
  type Kind,
  listKind,
  manyKind,
  SWITCH,
  textKind,
} from "./flag_kinds.ts";

/** An option of a crawl, or a part of one: `retries.max` is the `max` of `retries`. */
type OptionPath =
  | keyof CrawlOptions
  | `retries.${"max" | "baseMs" | "maxMs"}`
  | `robots.${"maxAgeMs" | "unreachableRetries" | "maxCrawlDelayMs"}`
  | `keys.${"stripTrackingParams" | "sortQuery" | "trailingSlash"}`;

/** What the command itself is asked for, beside the options of the crawl. */
export interface Wishes {
  readonly input?: string;
  readonly jsonl?: string;
  readonly csv?: string;
  readonly fields?: readonly RecordField[];
  readonly out?: string;
  readonly offline?: boolean;
  readonly warc?: string;
  readonly links?: string;
  readonly emails?: string;
  readonly verifyMx?: boolean;
  readonly dnsOverHttps?: string;
  readonly replace?: boolean;
  readonly resume?: string;
  readonly quiet?: boolean;
  readonly proxy?: string;
}

/** One flag, from which parsing, help, variables, files of options and the manual are made. */
export interface Flag {
  /** Without its dashes. */
  readonly name: string;
  readonly kind: Kind;
  /** Where its value goes. */
  readonly target: { readonly option: OptionPath } | { readonly wish: keyof Wishes };
  readonly meaning: string;
  /** In words; none where there is nothing to say. */
  readonly default?: string;
  /** What may stand behind the flag. */
  readonly example?: string;
}

/** Flags that belong together. */
export interface FlagGroup {
  readonly title: string;
  readonly flags: readonly Flag[];
}

const option = (path: OptionPath): Flag["target"] => ({ option: path });
const wish = (name: keyof Wishes): Flag["target"] => ({ wish: name });

const PATTERN = manyKind("PATTERN", "a pattern: a glob, or an expression between slashes", patternOf);
const FILE = textKind("FILE");

const WHERE_TO_GO: readonly Flag[] = [
  {
    name: "input",
    kind: FILE,
    target: wish("input"),
    meaning: "URLs to start from, one a line; - is standard input; # begins a comment",
    example: "seeds.txt",
  },
  {
    name: "scope",
    kind: choiceKind(
      "SCOPE",
      Object.fromEntries(["origin", "host", "domain", "prefix", "any"].map((scope) => [scope, scope])),
    ),
    target: option("scope"),
    meaning: "which links belong: origin, host, domain, prefix, any",
    default: "host",
    example: "domain",
  },
  {
    name: "include",
    kind: PATTERN,
    target: option("include"),
    meaning: "only URLs that match: a glob, where * is anything, or /expression/; may be repeated",
    example: "*/docs/*",
  },
  {
    name: "exclude",
    kind: PATTERN,
    target: option("exclude"),
    meaning: "no URLs that match; may be repeated",
    example: "*.pdf",
  },
  {
    name: "follow",
    kind: SWITCH,
    target: option("follow"),
    meaning: "follow links",
    default: "on",
  },
  {
    name: "sitemaps",
    kind: SWITCH,
    target: option("sitemaps"),
    meaning: "take URLs from the sitemaps that robots.txt names, else from /sitemap.xml",
    default: "off",
  },
  {
    name: "sitemap",
    kind: manyKind("URL", "a URL of http or https", webUrl),
    target: option("sitemaps"),
    meaning: "take URLs from this sitemap; may be repeated",
    example: "https://example.com/sitemap.xml",
  },
  {
    name: "max-depth",
    kind: countKind(0, "limit"),
    target: option("maxDepth"),
    meaning: "follow links up to N hops from a URL given here",
    default: "no limit",
    example: "3",
  },
  {
    name: "max-pages",
    kind: countKind(1, "limit"),
    target: option("maxPages"),
    meaning: "end after N pages",
    default: "no limit",
    example: "200",
  },
  {
    name: "max-requests",
    kind: countKind(1, "limit"),
    target: option("maxRequests"),
    meaning: "end after N requests, those for robots.txt, each hop and each attempt counted",
    default: "no limit",
    example: "1000",
  },
  {
    name: "max-duration",
    kind: durationKind(1),
    target: option("maxDurationMs"),
    meaning: "start nothing more after this time",
    default: "no limit",
    example: "10m",
  },
  {
    name: "max-pages-per-host",
    kind: countKind(1, "limit"),
    target: option("maxPagesPerHost"),
    meaning: "take at most N pages of one host",
    default: "no limit",
    example: "50",
  },
  {
    name: "private-addresses",
    kind: choiceKind("RULE", { seeds: "seeds", allow: "allow", deny: "deny" }),
    target: option("privateAddresses"),
    meaning: "links to private addresses: seeds (where a URL given here is one), allow, deny",
    default: "seeds",
    example: "deny",
  },
];

const HOW_FAST: readonly Flag[] = [
  {
    name: "concurrency",
    kind: countKind(1),
    target: option("concurrency"),
    meaning: "requests in flight over all hosts",
    default: "8",
    example: "32",
  },
  {
    name: "host-concurrency",
    kind: formKind("N", "a whole number of at least 1, or adaptive:N", hostConcurrencyOf),
    target: option("hostConcurrency"),
    meaning: "requests in flight to one host: N fixes it, adaptive:N is a ceiling",
    default: "adaptive:4",
    example: "adaptive:2",
  },
  {
    name: "delay",
    kind: formKind("TIME", "a length of time such as 250ms or 2s, or two as in 250ms..30s", delayOf),
    target: option("delayMs"),
    meaning: "least time between two starts to one host; LEAST..MOST bounds how far refusals widen it",
    default: "250ms",
    example: "1s",
  },
  {
    name: "timeout",
    kind: durationKind(1),
    target: option("timeoutMs"),
    meaning: "for one request, to the last byte",
    default: "10s",
    example: "30s",
  },
  {
    name: "retries",
    kind: countKind(0),
    target: option("retries.max"),
    meaning: "more attempts after 408, 429, 5xx and faults of the network",
    default: "2",
    example: "5",
  },
  {
    name: "retry-base",
    kind: durationKind(0),
    target: option("retries.baseMs"),
    meaning: "wait before the first of them; each wait is twice the one before",
    default: "500ms",
    example: "2s",
  },
  {
    name: "retry-max",
    kind: durationKind(0),
    target: option("retries.maxMs"),
    meaning: "longest of these waits",
    default: "30s",
    example: "2m",
  },
  {
    name: "max-retry-after",
    kind: durationKind(0),
    target: option("maxRetryAfterMs"),
    meaning: "skip a host that asks for a longer pause",
    default: "1h",
    example: "10m",
  },
  {
    name: "max-host-failures",
    kind: countKind(1, "limit"),
    target: option("maxHostFailures"),
    meaning: "skip a host after N faults in a row",
    default: "20",
    example: "5",
  },
  {
    name: "grace",
    kind: durationKind(0),
    target: option("graceMs"),
    meaning: "after the first Ctrl-C, how long what is in flight may still run",
    default: "no limit",
    example: "5s",
  },
];

const WHAT_SITES_WANT: readonly Flag[] = [
  {
    name: "robots",
    kind: SWITCH,
    target: option("robots"),
    meaning: "obey robots.txt",
    default: "on",
  },
  {
    name: "max-crawl-delay",
    kind: durationKind(0),
    target: option("robots.maxCrawlDelayMs"),
    meaning: "skip a host whose robots.txt asks for a longer crawl-delay",
    default: "5m",
    example: "30s",
  },
  {
    name: "robots-max-age",
    kind: durationKind(1),
    target: option("robots.maxAgeMs"),
    meaning: "fetch a robots.txt again after this time",
    default: "1d",
    example: "1h",
  },
  {
    name: "robots-retries",
    kind: countKind(0, "limit"),
    target: option("robots.unreachableRetries"),
    meaning: "more attempts for a robots.txt that cannot be had",
    default: "3",
    example: "1",
  },
  {
    name: "directives",
    kind: SWITCH,
    target: option("directives"),
    meaning: "obey nofollow in X-Robots-Tag, meta robots and rel",
    default: "on",
  },
];

const HOW_TO_ASK: readonly Flag[] = [
  {
    name: "user-agent",
    kind: textKind("TEXT"),
    target: option("userAgent"),
    meaning: "sent with every request; its part before / is looked up in robots.txt",
    default: "dragline/VERSION",
    example: "MyBot/1.0 (+https://example.com/bot)",
  },
  {
    name: "header",
    kind: manyKind("'NAME: VALUE'", "a header such as 'Accept-Language: de'", headerOf),
    target: option("headers"),
    meaning:
      "sent with every request, a Cookie or Authorization to the origins given here alone; may be repeated",
    example: "Accept-Language: de",
  },
  {
    name: "cookies",
    kind: SWITCH,
    target: option("cookies"),
    meaning: "keep cookies for the crawl",
    default: "off",
  },
  {
    name: "proxy",
    kind: formKind("URL", "a URL of http or https", webUrl),
    target: wish("proxy"),
    meaning: "send every request through this proxy; on Node.js it needs version 24.14",
    example: "http://127.0.0.1:3128",
  },
  {
    name: "max-redirects",
    kind: countKind(0, "limit"),
    target: option("maxRedirects"),
    meaning: "hops of one redirect chain",
    default: "10",
    example: "3",
  },
];

const WHAT_TO_TAKE: readonly Flag[] = [
  {
    name: "content-types",
    kind: formKind("TYPES", "media types with a comma between, or any", contentTypesOf),
    target: option("contentTypes"),
    meaning: "media types whose body is read, with a comma between; image/* is all of a kind; or any",
    default: "HTML, XHTML, XML, plain text",
    example: "text/html,application/pdf",
  },
  {
    name: "max-body",
    kind: BYTES,
    target: option("maxBodyBytes"),
    meaning: "longest body; a longer one is a failure, too-large",
    default: "10MiB",
    example: "2MB",
  },
  {
    name: "traps",
    kind: SWITCH,
    target: option("traps"),
    meaning: "leave links alone whose URLs show that they never end",
    default: "on",
  },
  {
    name: "near-duplicates",
    kind: choiceKind("WAY", { mark: true, skip: { skip: true }, no: false }),
    target: option("nearDuplicates"),
    meaning: "pages with nearly the same text as one before: mark (their links are not followed), skip, no",
    default: "no",
    example: "skip",
  },
  {
    name: "strip-tracking",
    kind: SWITCH,
    target: option("keys.stripTrackingParams"),
    meaning: "URLs that differ in utm_source and the like alone count as one",
    default: "off",
  },
  {
    name: "sort-query",
    kind: SWITCH,
    target: option("keys.sortQuery"),
    meaning: "URLs whose query has the same parts in another order count as one",
    default: "off",
  },
  {
    name: "trailing-slash",
    kind: choiceKind("WAY", { keep: "keep", drop: "drop" }),
    target: option("keys.trailingSlash"),
    meaning: "keep, or drop: /a/ and /a count as one",
    default: "keep",
    example: "drop",
  },
  {
    name: "bloom",
    kind: formKind("N", "a whole number of at least 1", bloomOf),
    target: option("seen"),
    meaning: "remember up to N URLs by a Bloom filter: a tenth of the memory, 1% of new URLs lost",
    default: "exact",
    example: "1000000",
  },
];

const RESULTS: readonly Flag[] = [
  {
    name: "jsonl",
    kind: FILE,
    target: wish("jsonl"),
    meaning: "results as JSON Lines; - is standard output",
    example: "crawl.jsonl",
  },
  {
    name: "csv",
    kind: FILE,
    target: wish("csv"),
    meaning: "results as CSV; - is standard output",
    example: "crawl.csv",
  },
  {
    name: "fields",
    kind: listKind("NAMES", "names of fields with a comma between", (word) => /^\w+$/.test(word)),
    target: wish("fields"),
    meaning: "what --jsonl and --csv tell of a result, in this order",
    default: "all that is small",
    example: "url,status,title",
  },
  {
    name: "out",
    kind: textKind("FOLDER"),
    target: wish("out"),
    meaning: "pages as files",
    example: "site",
  },
  {
    name: "offline",
    kind: SWITCH,
    target: wish("offline"),
    meaning: "with --out: links between the saved pages lead from file to file",
    default: "off",
  },
  {
    name: "warc",
    kind: formKind("FILE", "a path that ends in .warc.gz", (text) =>
      text.endsWith(".warc.gz") ? text : undefined,
    ),
    target: wish("warc"),
    meaning: "pages as a web archive; needs the package warcio",
    example: "site.warc.gz",
  },
  {
    name: "links",
    kind: FILE,
    target: wish("links"),
    meaning: "broken links with the pages on which they stand, as CSV",
    example: "broken.csv",
  },
  {
    name: "emails",
    kind: formKind("FILE", "a path that ends in .csv or .json", (text) =>
      /\.(?:csv|json)$/i.test(text) ? text : undefined,
    ),
    target: wish("emails"),
    meaning: "e-mail addresses with the pages on which they stand, as CSV or JSON",
    example: "found.csv",
  },
  {
    name: "verify-mx",
    kind: SWITCH,
    target: wish("verifyMx"),
    meaning: "with --emails: leave out addresses of domains that do not exist",
    default: "off",
  },
  {
    name: "dns-over-https",
    kind: formKind("URL", "a URL of https", (text) => (text.startsWith("https:") ? webUrl(text) : undefined)),
    target: wish("dnsOverHttps"),
    meaning: "with --verify-mx: ask this resolver in place of the system's (RFC 8484)",
    example: "https://dns.example.com/dns-query",
  },
  {
    name: "replace",
    kind: SWITCH,
    target: wish("replace"),
    meaning: "write output files anew; without it they are continued, and nothing stands in them twice",
    default: "off",
  },
  {
    name: "resume",
    kind: FILE,
    target: wish("resume"),
    meaning: "keep the crawl in this file, and go on with it where it is there",
    example: "state.db",
  },
  {
    name: "quiet",
    kind: SWITCH,
    target: wish("quiet"),
    meaning: "write nothing to standard error but the summary, as one line of JSON",
    default: "off",
  },
];

/** All flags but `--config`, `--help` and `--version`, in the order of the help. */
export const FLAG_GROUPS: readonly FlagGroup[] = [
  { title: "Where to go", flags: WHERE_TO_GO },
  { title: "How fast", flags: HOW_FAST },
  { title: "What sites want", flags: WHAT_SITES_WANT },
  { title: "How to ask", flags: HOW_TO_ASK },
  { title: "What to take", flags: WHAT_TO_TAKE },
  { title: "Results", flags: RESULTS },
];

/** The same without their groups. */
export const FLAGS: readonly Flag[] = FLAG_GROUPS.flatMap(({ flags }) => flags);
