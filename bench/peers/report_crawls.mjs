import process from "node:process";
import { reportRun } from "../support/run.ts";

/**
 * Lets a crawler warm up on a small site and measures it on the site itself: it is given where to begin, and gives the
 * number of pages.
 *
 * @param {(startUrl: string) => Promise<number>} crawl
 */
export async function reportCrawls(crawl) {
  const { startUrl, warmUpUrl } = JSON.parse(process.argv[2]);
  await reportRun(
    () => crawl(startUrl),
    () => crawl(warmUpUrl),
  );
  process.exit(0);
}
