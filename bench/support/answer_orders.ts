import process from "node:process";
import { createInterface } from "node:readline";
import type { CrawlOrder } from "./client_process.ts";
import { measureRun } from "./run.ts";

/**
 * The process of a client, until its standard input ends: each line is a {@link CrawlOrder}, answered by one line, a
 * `Run` as JSON. Between them it has nothing to do. A crawl that fails ends the process.
 *
 * @param crawl Is given where to begin, and gives the number of pages.
 */
export function answerOrders(crawl: (startUrl: string) => Promise<number>): void {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", async (line) => {
    const { startUrl, leastMs } = JSON.parse(line) as CrawlOrder;
    const run = await measureRun(() => crawl(startUrl), leastMs);
    process.stdout.write(`${JSON.stringify(run)}\n`);
  });
  lines.on("close", () => process.exit(0));
}
