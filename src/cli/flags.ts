import type { Flag, FlagGroup } from "./flags/flag.ts";
import { HOW_FAST } from "./flags/how_fast.ts";
import { HOW_TO_ASK } from "./flags/how_to_ask.ts";
import { RESULTS } from "./flags/results.ts";
import { WHAT_SITES_WANT } from "./flags/what_sites_want.ts";
import { WHAT_TO_TAKE } from "./flags/what_to_take.ts";
import { WHERE_TO_GO } from "./flags/where_to_go.ts";

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
