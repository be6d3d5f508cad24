import type { Clock } from "../clock.ts";
import type { Fetch } from "../options.ts";
import type { JobSources } from "./job.ts";
import type { MailResolver } from "./mail_domains.ts";
import type { Output } from "./output.ts";

/** What the command needs of the process around it. */
export interface Surroundings extends JobSources {
  /** Standard output: results alone. */
  readonly out: Output;
  /** Standard error: all the rest. */
  readonly err: Output;
  readonly clock: Clock;
  /** Calls the listener at each Ctrl-C; gives the way to take it off again. */
  onInterrupt(listener: () => void): () => void;
  /** The runtime's own by default. */
  readonly fetch?: Fetch;
  /** The runtime's own by default. */
  readonly resolver?: MailResolver;
}
