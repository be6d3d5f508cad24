// The worker: runs the test file that a request names, or crawls from the seed that it names.

import tests from "bundled:tests";
import { type File, startTests, type Task, type VitestRunner } from "@vitest/runner";
import { crawl } from "../../../mod.ts";

/** What became of one test, or of a suite that broke outside of its tests. */
export interface Outcome {
  readonly name: string;
  readonly skipped: boolean;
  readonly errors: readonly string[];
}

/** What a crawl from within the worker found. */
export interface CrawlReport {
  readonly pages: readonly { url: string; status: number; title?: string; links: readonly string[] }[];
  readonly finishReason?: string;
}

const runner: VitestRunner = {
  importFile: (path) => tests[path]?.(),
  config: {
    root: "/",
    setupFiles: [],
    name: "workerd",
    passWithNoTests: false,
    testNamePattern: undefined,
    allowOnly: false,
    sequence: { seed: 1, hooks: "stack", setupFiles: "list" },
    chaiConfig: undefined,
    maxConcurrency: 5,
    testTimeout: 10_000,
    hookTimeout: 10_000,
    retry: 0,
    includeTaskLocation: false,
    tags: [],
    tagsFilter: undefined,
    strictTags: false,
  },
};

function outcomesOf(task: File | Task): Outcome[] {
  const errors = (task.result?.errors ?? []).map(({ stack, message }) => `${message}\n${stack ?? ""}`);
  const outcome = {
    name: task.fullTestName ?? task.name,
    skipped: task.mode === "skip" || task.mode === "todo",
    errors,
  };
  if (task.type === "test") return [outcome];
  return [...(errors.length > 0 ? [outcome] : []), ...task.tasks.flatMap(outcomesOf)];
}

async function runTests(path: string): Promise<Outcome[]> {
  const files = await startTests([path], runner);
  return files.flatMap(outcomesOf);
}

async function report(seed: string): Promise<CrawlReport> {
  const run = crawl(seed, { delayMs: 0 });
  const pages = [];
  for await (const { url, status, title, links } of run) {
    pages.push({
      url,
      status,
      ...(title === undefined ? {} : { title }),
      links: links.map((link) => link.url),
    });
  }
  const { finishReason } = await run.finished;
  return { pages, ...(finishReason === undefined ? {} : { finishReason }) };
}

const worker: { fetch(request: Request): Promise<Response> } = {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/tests") return Response.json(await runTests(searchParams.get("file") ?? ""));
    if (pathname === "/crawl") return Response.json(await report(searchParams.get("seed") ?? ""));
    return new Response("Not found", { status: 404 });
  },
};
export default worker;
