import type { CrawlResult } from "../result.ts";

/** An output of results, opened step by step: what a `WritableStream` of them is made of. */
export interface ResultSink {
  /** Opens what is written to. Called once, before all else. */
  start(): Promise<void>;
  /** Called again only when the call before has ended. */
  write(result: CrawlResult): Promise<void>;
  /** Makes whole what was written. */
  close(): Promise<void>;
  /** Leaves it as it is, for a later run. */
  abort(): Promise<void>;
}
