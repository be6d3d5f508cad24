import type { CrawlOptions } from "../../options.ts";
import type { Kind } from "../flag_kinds.ts";
import type { Wishes } from "../wishes.ts";

/** An option of a crawl, or a part of one: `retries.max` is the `max` of `retries`. */
type OptionPath =
  | keyof CrawlOptions
  | `retries.${"max" | "baseMs" | "maxMs"}`
  | `robots.${"maxAgeMs" | "unreachableRetries" | "maxCrawlDelayMs"}`
  | "nearDuplicates.distance"
  | `keys.${"stripTrackingParams" | "sortQuery" | "trailingSlash"}`;

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

export const option = (path: OptionPath): Flag["target"] => ({ option: path });
export const wish = (name: keyof Wishes): Flag["target"] => ({ wish: name });
