import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runtimeBinary } from "../scripts/runtimes.ts";
import { ROOT } from "../scripts/source_files.ts";
import { type RunningWorkers, startWorkers } from "./runtimes/workerd.ts";
import { type Loopback, loopback } from "./support/loopback.ts";

const FOLDER = join(ROOT, ".check/edge");
const binary = runtimeBinary("workerd");
const isNode = !("Bun" in globalThis) && !("Deno" in globalThis);

// The other runtimes are installed by `npm run test:runtimes`.
describe.skipIf(binary === undefined || !isNode)("in workerd", () => {
  let workers: RunningWorkers;
  let site: Loopback;

  beforeAll(async () => {
    site = await loopback(({ url = "" }, response) => {
      response.writeHead(url === "/robots.txt" ? 404 : 200, { "content-type": "text/html" });
      const next = Number(url.slice(1)) + 1;
      response.end(`<title>Page ${url}</title>${next <= 5 ? `<a href="/${next}">on</a>` : ""}`);
    });
    mkdirSync(FOLDER, { recursive: true });
    for (const file of ["config.capnp", "kv.js"])
      copyFileSync(join(ROOT, "test/edge", file), join(FOLDER, file));
    await build({
      entryPoints: ["worker", "worker_resume"].map((name) => join(ROOT, `examples/${name}.ts`)),
      outdir: FOLDER,
      bundle: true,
      format: "esm",
      platform: "neutral",
      mainFields: ["module", "main"],
      conditions: ["workerd", "worker", "import"],
      logLevel: "warning",
    });
    workers = await startWorkers(binary!, join(FOLDER, "config.capnp"), 2);
  });
  afterAll(async () => {
    workers?.stop();
    await site?.close();
  });

  const invoke = async <T>(worker: string): Promise<T> => {
    const url = `${workers.origins.get(worker)}/?url=${encodeURIComponent(`${site.origin}/0`)}`;
    const response = await fetch(url);
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  };

  test("examples/worker.ts crawls a site in one invocation", async () => {
    interface Answer {
      readonly pages: readonly { readonly title: string }[];
      readonly finishReason: string;
    }
    const { pages, finishReason } = await invoke<Answer>("worker");
    expect(finishReason).toBe("done");
    expect(pages.map(({ title }) => title)).toEqual([0, 1, 2, 3, 4, 5].map((n) => `Page /${n}`));
  });

  test("examples/worker_resume.ts crawls it over several, each page once", async () => {
    interface Answer {
      readonly titles: Readonly<Record<string, string>>;
      readonly finishReason: string;
      readonly queued: number;
    }
    const before = site.targets.length;
    const answers: Answer[] = [];
    for (let i = 0; i < 3; i++) answers.push(await invoke<Answer>("worker_resume"));
    expect(answers.map(({ finishReason, queued }) => [finishReason, queued])).toEqual([
      ["max-requests", 1],
      ["max-requests", 1],
      ["done", 0],
    ]);
    expect(answers.flatMap(({ titles }) => Object.values(titles))).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => `Page /${n}`),
    );
    const asked = site.targets.slice(before).filter((target) => target !== "/robots.txt");
    expect(asked).toEqual(["/0", "/1", "/2", "/3", "/4", "/5"]);
  });
});
