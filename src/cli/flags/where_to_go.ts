import { patternOf, webUrl } from "../flag_forms.ts";
import { choiceKind, countKind, durationKind, manyKind, SWITCH, textKind } from "../flag_kinds.ts";
import { type Flag, option, wish } from "./flag.ts";

const PATTERN = manyKind("PATTERN", "a pattern: a glob, or an expression between slashes", patternOf);
const FILE = textKind("FILE");

export const WHERE_TO_GO: readonly Flag[] = [
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
    name: "priority",
    kind: choiceKind("WAY", { breadth: "breadth", depth: "depth" }),
    target: wish("priority"),
    meaning: "which URLs of a host go first: breadth, those with the fewest hops; depth, those with the most",
    default: "breadth",
    example: "depth",
  },
  {
    name: "first",
    kind: PATTERN,
    target: wish("first"),
    meaning: "URLs that match go before the others of their host; may be repeated",
    example: "*/products/*",
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
    kind: durationKind(1, "limit"),
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
