/**
 * This tree, as it stands, against another revision of it, pair by pair on this machine:
 * `npm run bench -- --compare REV`. Both are run by this tree's benchmarks, with the packages that are installed here.
 * `--quick` for one round, `--json FILE` for where the figures are kept.
 */
import process from "node:process";
import { ROOT } from "../scripts/source_files.ts";
import { bundle } from "./support/bundle.ts";
import { readJson, runClient } from "./support/client_process.ts";
import { type ComparedFigures, comparedFigures, comparedTable } from "./support/compared_table.ts";
import { readFlags } from "./support/flags.ts";
import { describeMachine, thisMachine } from "./support/machine.ts";
import { writeReport } from "./support/report.ts";
import { hasUndici, revisionTree } from "./support/revision_tree.ts";
import { inRounds } from "./support/rounds.ts";
import type { Run } from "./support/run.ts";
import { ownNode } from "./support/runtime.ts";
import { syntheticSite } from "./support/site.ts";
import { startSite } from "./support/site_process.ts";

const [revision = "", ...flags] = process.argv.slice(2);
const { quick, json } = readFlags(flags);
const ROUNDS = quick ? 1 : 9;
const PAGES = quick ? 500 : 2_000;
const PARTS = {
  engine: "crawl() without a network, µs of the processor a page",
  links: "extractLinks() of 10 KB, µs of the processor",
  frontier: "frontier in memory, µs of the processor a page",
} as const;

const other = revisionTree(revision);
if (other === undefined) {
  console.error(`Cannot compare with '${revision}' as git knows no such commit`);
  process.exit(2);
}
// Now, as others may commit while it runs.
const machine = thisMachine();
const ENTRIES = ["bench/support/client.ts", "bench/support/part.ts"];
const pair = [
  { tree: ROOT, scripts: await bundle(ENTRIES) },
  { tree: other.path, scripts: await bundle(ENTRIES, { tree: other.path }) },
] as const;

/** Runs something of both trees in turn; says so and gives nothing where one of them cannot do it. */
async function measurePair<M>(
  name: string,
  measure: (scriptOf: (entry: string) => string) => Promise<M>,
): Promise<[M[], M[]] | undefined> {
  try {
    const measured = await inRounds(pair, ROUNDS, ({ scripts }, round) => {
      if (scripts === pair[0].scripts) console.error(`${name}, round ${round + 1} of ${ROUNDS}`);
      return measure(scripts.scriptOf);
    });
    return measured as [M[], M[]];
  } catch (error) {
    console.error(`left out: ${name}: ${(error as Error).message}`);
    return undefined;
  }
}

const node = ownNode();
const figures: ComparedFigures[] = [];
const site = await startSite(syntheticSite(PAGES, 10));
for (const client of pair.every(({ tree }) => hasUndici(tree))
  ? (["fetch", "undici"] as const)
  : (["fetch"] as const)) {
  const order = { client, startUrl: site.startUrl };
  const runs = await measurePair(`crawl() by ${client}`, (scriptOf) =>
    runClient(node, scriptOf("client"), order),
  );
  if (runs === undefined) continue;
  const both = (read: (run: Run) => number): [number[], number[]] => [runs[0].map(read), runs[1].map(read)];
  figures.push(
    comparedFigures(`crawl() by ${client}, pages a second`, ...both((run) => run.pagesPerSecond)),
    comparedFigures(
      `crawl() by ${client}, µs of the processor a page`,
      ...both((run) => run.cpuMicrosecondsPerPage),
    ),
    comparedFigures(`crawl() by ${client}, peak memory, MB`, ...both((run) => run.peakBytes / 1e6)),
  );
}
await site.close();
for (const [part, name] of Object.entries(PARTS)) {
  const costs = await measurePair(name, (scriptOf) =>
    readJson<number>(node.command, [scriptOf("part"), part]),
  );
  if (costs) figures.push(comparedFigures(name, ...costs));
}
console.log(`${describeMachine(machine)}; ${node.name}; ${ROUNDS} pairs: median (least to most).\n`);
console.log(comparedTable(figures, `\`${revision}\` (${other.commit})`));
writeReport("compare", { machine, node: node.name, against: other.commit, rounds: ROUNDS, figures }, json);
