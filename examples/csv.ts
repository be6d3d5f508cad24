// A table of a site's pages on standard output, with the columns of your choice.
//
//   npx tsx examples/csv.ts https://example.com/ > pages.csv
import process from "node:process";
import { crawl, toCsv } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const lines = crawl(seed, { results: "all" }).pipeThrough(
  toCsv({ fields: ["type", "url", "status", "reason", "title"] }),
);
for await (const line of lines) process.stdout.write(line);
