import { countKind, durationKind, SWITCH } from "../flag_kinds.ts";
import { type Flag, option } from "./flag.ts";

export const WHAT_SITES_WANT: readonly Flag[] = [
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
