// Prints the tables of docs/politeness.md: npx tsx bench/politeness.ts [seeds]
import {
  CELLS,
  type Efficiency,
  meanOf,
  measureRateLimited,
  measureShedding,
  measureSteady,
  measureTurning,
  RATE_CELLS,
  type Refusing,
} from "../test/support/pace_cells.ts";

const seeds = Array.from({ length: Number(process.argv[2] ?? 8) }, (_, at) => at + 1);

print(
  "A host that stays as it is",
  "places | sigma | throughput | least | average limit | highest | p95",
  CELLS.map((cell) => {
    const runs = seeds.map((seed) => measureSteady(cell, seed));
    return [cell.places, cell.sigma, ...efficiency(runs), worst(runs, "p95").toFixed(2)];
  }),
);
print(
  "A host that turns five times slower and back",
  "places | sigma | throughput | least | average limit | highest",
  CELLS.map((cell) => {
    const runs = seeds.map((seed) => measureTurning(cell, seed));
    return [cell.places, cell.sigma, ...efficiency(runs)];
  }),
);
print(
  "A host that sheds load with 503",
  "places | sigma | refused at most | served | least",
  CELLS.map((cell) => {
    const runs = seeds.map((seed) => measureShedding(cell, seed));
    return [cell.places, cell.sigma, ...treatment(runs)];
  }),
);
print(
  "A host that limits to r requests a second with 429",
  "r | burst | Retry-After | refused at most | served | least",
  RATE_CELLS.map((rate) => {
    const runs = seeds.map((seed) => measureRateLimited(rate, seed));
    return [rate.perSecond, rate.burst, rate.retryAfter ? "yes" : "no", ...treatment(runs)];
  }),
);

function efficiency(runs: readonly Efficiency[]): string[] {
  const throughputs = runs.map(({ throughput }) => throughput);
  return [
    meanOf(throughputs).toFixed(2),
    Math.min(...throughputs).toFixed(2),
    meanOf(runs.map(({ averageLimit }) => averageLimit)).toFixed(1),
    worst(runs, "highestLimit").toFixed(0),
  ];
}

function treatment(runs: readonly Refusing[]): string[] {
  const served = runs.map((run) => run.served);
  return [
    `${(100 * Math.max(...runs.map(({ refused }) => refused))).toFixed(1)}%`,
    meanOf(served).toFixed(2),
    Math.min(...served).toFixed(2),
  ];
}

function worst(runs: readonly Efficiency[], figure: keyof Efficiency): number {
  return Math.max(...runs.map((run) => run[figure]));
}

function print(title: string, columns: string, rows: readonly (readonly (string | number)[])[]): void {
  console.log(`\n${title}; ${seeds.length} seeds\n`);
  console.log(`| ${columns} |\n|${" ---: |".repeat(columns.split("|").length)}`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
}
