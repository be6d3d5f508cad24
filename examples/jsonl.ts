// A crawl is a ReadableStream: it goes through TransformStreams, here to JSON Lines on standard output.
//
//   npx tsx examples/jsonl.ts https://example.com/ > pages.jsonl
import process from "node:process";
import { crawl, type Page } from "../mod.ts";

const [, , seed = "https://example.com/"] = process.argv;

const toRecord = new TransformStream<
  Page,
  { url: string; status: number; title: string | undefined; links: string[] }
>({
  transform({ url, status, title, links }, controller) {
    controller.enqueue({ url, status, title, links: links.map((link) => link.url) });
  },
});

const toLine = new TransformStream<unknown, string>({
  transform: (value, controller) => controller.enqueue(`${JSON.stringify(value)}\n`),
});

// A write that is slow slows the crawl, through all of the pipe.
const standardOutput = new WritableStream<string>({
  write: (line) =>
    new Promise((resolve, reject) => {
      process.stdout.write(line, (error) => (error ? reject(error) : resolve()));
    }),
});

await crawl(seed).pipeThrough(toRecord).pipeThrough(toLine).pipeTo(standardOutput);
