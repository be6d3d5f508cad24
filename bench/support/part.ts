// The process of one part of the package, which it exercises until it is warm, then for the figure that it prints as
// JSON: microseconds of the processor.
import process from "node:process";
import { median } from "./summary.ts";

const WARM_UP_ROUNDS = 3;
const ROUNDS = 5;
const LINKS_A_ROUND = 2_000;

/** Loaded one by one: in an old revision not all of them may be there. */
const parts: Readonly<Record<string, () => Promise<() => number | Promise<number>>>> = {
  async engine() {
    const { engineCost } = await import("./engine_page.ts");
    return engineCost;
  },
  async links() {
    const { extractLinks } = await import("../../mod.ts");
    const { syntheticPages } = await import("./synthetic_pages.ts");
    const html = syntheticPages(1_000).get("/")!.toString();
    return () => {
      const before = process.cpuUsage();
      for (let n = 0; n < LINKS_A_ROUND; n++) extractLinks(html, "http://site.test/");
      const { user, system } = process.cpuUsage(before);
      return (user + system) / LINKS_A_ROUND;
    };
  },
  async frontier() {
    const { frontierCost } = await import("./frontier_page.ts");
    return () => frontierCost(100_000);
  },
};

const [, , name = ""] = process.argv;
const measure = await parts[name]!();
for (let round = 0; round < WARM_UP_ROUNDS; round++) await measure();
const costs: number[] = [];
for (let round = 0; round < ROUNDS; round++) costs.push(await measure());
process.stdout.write(`${JSON.stringify(median(costs))}\n`);
process.exit(0);
