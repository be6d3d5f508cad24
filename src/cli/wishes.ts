import type { Pattern } from "../options.ts";
import type { RecordField } from "../output/files.ts";

/** What the command itself is asked for, beside the options of the crawl. */
export interface Wishes {
  readonly input?: string;
  /** Which URLs of a host go first, by their hops. */
  readonly priority?: "breadth" | "depth";
  /** Patterns of URLs that go before all others. */
  readonly first?: readonly Pattern[];
  /** Which URLs are paced together. */
  readonly hostKey?: "host" | "domain";
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
  readonly revalidate?: string;
  readonly quiet?: boolean;
  readonly proxy?: string;
}
