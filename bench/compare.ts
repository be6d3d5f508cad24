/**
 * This tree, as it stands, against another revision of it, pair by pair on this machine:
 * `npm run bench -- --compare REV`. Both are run by this tree's benchmarks, with the packages that are installed here.
 * Of whole crawls each tree has one process for all rounds, and is warm. `--quick` for one round, `--json FILE` for
 * where the figures are kept.
 */
import process from "node:process";
import { ROOT } from "../scripts/source_files.ts";
import { bundle } from "./support/bundle.ts";
import { type Client, ClientProcess } from "./support/client_process.ts";
import { type ComparedFigures, comparedFigures, comparedTable } from "./support/compared_table.ts";
import { readFlags } from "./support/flags.ts";
import { describeMachine, thisMachine } from "./support/machine.ts";
import { readJson } from "./support/read_json.ts";
import { writeReport } from "./support/report.ts";
import { hasUndici, revisionTree } from "./support/revision_tree.ts";
import { inRounds } from "./support/rounds.ts";
import type { Run } from "./support/run.ts";
import { ownNode } from "./support/runtime.ts";
import { syntheticSite } from "./support/site.ts";
import { startSite } from "./support/site_process.ts";
import { inWarmRounds, WARM_UP_MS } from "./support/warm_rounds.ts";

const [revision = "", ...flags] = process.argv.slice(2);
const { quick, json } = readFlags(flags);
const ROUNDS = quick ? 1 : 9;
const CLIENT_WARM_UP_MS = quick ? 1_000 : WARM_UP_MS;
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

const sayRound = (name: string, round: number): void =>
  console.error(`${name}, round ${round + 1} of ${ROUNDS}`);

/** Says so and gives nothing where one of the trees cannot do it. */
async function ofBoth<M>(name: string, measure: () => Promise<M[][]>): Promise<[M[], M[]] | undefined> {
  try {
    return (await measure()) as [M[], M[]];
  } catch (error) {
    console.error(`left out: ${name}: ${(error as Error).message}`);
    return undefined;
  }
}

async function compareCrawls(client: Client, startUrl: string): Promise<ComparedFigures[]> {
  const name = `crawl() by ${client}`;
  const runs = await ofBoth(name, () =>
    inWarmRounds(
      pair.map(
        ({ scripts }) =>
          () =>
            new ClientProcess(node, scripts.scriptOf("client"), { args: [client] }),
      ),
      {
        startUrl,
        rounds: ROUNDS,
        warmUpMs: CLIENT_WARM_UP_MS,
        onTurn(at, round) {
          if (at === 0 && round !== undefined) sayRound(name, round);
        },
      },
    ),
  );
  if (runs === undefined) return [];
  const both = (read: (run: Run) => number): [number[], number[]] => [runs[0].map(read), runs[1].map(read)];
  const peaks = both((run) => run.peakBytes / 1e6).map((ofRounds) => [Math.max(...ofRounds)]);
  return [
    comparedFigures(`${name}, pages a second`, ...both((run) => run.pagesPerSecond)),
    comparedFigures(`${name}, µs of the processor a page`, ...both((run) => run.cpuMicrosecondsPerPage)),
    comparedFigures(`${name}, peak memory, MB`, peaks[0]!, peaks[1]!),
  ];
}

const node = ownNode();
const figures: ComparedFigures[] = [];
const site = await startSite(syntheticSite(PAGES, 10));
const clients = pair.every(({ tree }) => hasUndici(tree))
  ? (["fetch", "undici"] as const)
  : (["fetch"] as const);
for (const client of clients) figures.push(...(await compareCrawls(client, site.startUrl)));
await site.close();
for (const [part, name] of Object.entries(PARTS)) {
  const costs = await ofBoth(name, () =>
    inRounds(pair, ROUNDS, ({ tree, scripts }, round) => {
      if (tree === ROOT) sayRound(name, round);
      return readJson<number>(node.command, [scripts.scriptOf("part"), part]);
    }),
  );
  if (costs) figures.push(comparedFigures(name, ...costs));
}
console.log(`${describeMachine(machine)}; ${node.name}; ${ROUNDS} pairs: median (least to most).\n`);
console.log(comparedTable(figures, `\`${revision}\` (${other.commit})`));
writeReport("compare", { machine, node: node.name, against: other.commit, rounds: ROUNDS, figures }, json);
