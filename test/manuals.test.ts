import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crawl } from "../mod.ts";

// Where Debian's packages put them, below the system's root or the folder into which they were unpacked.
const ROOT = process.env.MANUALS_ROOT ?? "/";
const MANUALS = [
  { package: "postgresql-doc-15", folder: "usr/share/doc/postgresql-doc-15/html", leastPages: 1169 },
  { package: "python3.11-doc", folder: "usr/share/doc/python3.11/html", leastPages: 526 },
] as const;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** The files of one folder over HTTP, and a log of what was asked for. */
class FolderServer {
  readonly #log: { path: string; status: number; type: string }[] = [];
  readonly #server: Server;

  constructor(folder: string) {
    this.#server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? "/", "http://manual.test").pathname);
      const answer = answerOf(folder, path);
      this.#log.push({ path, ...answer });
      response.writeHead(answer.status, { "content-type": answer.type });
      response.end(answer.status === 200 ? readFileSync(join(folder, path)) : "Not found");
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", () => resolve()));
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** The status and path of each HTML answer since the last call, sorted; robots.txt apart. */
  takePages(): string[] {
    return this.#log
      .splice(0)
      .filter(({ path, type }) => type === "text/html" && path !== "/robots.txt")
      .map(({ path, status }) => `${status} ${path}`)
      .sort();
  }
}

function answerOf(folder: string, path: string): { status: number; type: string } {
  const isFile = statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() ?? false;
  if (!isFile) return { status: 404, type: "text/html" };
  return { status: 200, type: MEDIA_TYPES[extname(path)] ?? "application/octet-stream" };
}

/** What the links lead to from `/index.html` on. The manuals write each as `<a ... href="...">`: no parser is needed. */
function reachablePages(folder: string): string[] {
  const paths = new Set(["/index.html"]);
  for (const path of paths) {
    const { status, type } = answerOf(folder, path);
    if (status !== 200 || type !== "text/html") continue;
    for (const [, href = ""] of readFileSync(join(folder, path), "utf8").matchAll(
      /<a\s[^>]*?href="([^"]*)"/g,
    )) {
      const url = new URL(href.replaceAll("&amp;", "&"), `http://manual.test${path}`);
      if (url.host === "manual.test") paths.add(decodeURIComponent(url.pathname));
    }
  }
  return [...paths]
    .map((path) => ({ path, ...answerOf(folder, path) }))
    .filter(({ type }) => type === "text/html")
    .map(({ path, status }) => `${status} ${path}`)
    .sort();
}

function isFound(page: string): boolean {
  return page.startsWith("200 ");
}

function isThere(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

// On a machine of its own the manuals may be missing; where all is to be proven they may not.
const mayBeMissing = process.env.CI !== "true";
// What wget finds is the same whichever runtime starts it.
const isNode = !("Deno" in globalThis) && !("Bun" in globalThis);

describe.each(MANUALS)(
  "crawl() of $package",
  { timeout: 120_000 },
  ({ package: name, folder, leastPages }) => {
    const manual = join(ROOT, folder);
    const isMissing = answerOf(manual, "/index.html").status !== 200;
    const expected = isMissing ? [] : reachablePages(manual);
    const server = new FolderServer(manual);
    beforeAll(() => server.listen());
    afterAll(() => server.close());

    it.skipIf(isMissing && mayBeMissing)(
      `fetches each page exactly once (needs the package ${name})`,
      async () => {
        expect(expected.length).toBeGreaterThanOrEqual(leastPages);

        const pages: string[] = [];
        const seed = `${server.origin}/index.html`;
        for await (const page of crawl(seed, { delayMs: 0, concurrency: 16, hostConcurrency: 16 })) {
          pages.push(`${page.status} ${decodeURIComponent(new URL(page.url).pathname)}`);
        }
        expect(server.takePages()).toEqual(expected);
        expect(pages.sort()).toEqual(expected);
      },
    );

    it.skipIf(!isNode || ((isMissing || !isThere("wget")) && mayBeMissing))(
      "finds the same pages as wget -r",
      async () => {
        const downloads = mkdtempSync(join(tmpdir(), "dragline-wget-"));
        try {
          await wget([
            "-q",
            "-r",
            "-l",
            "inf",
            "-e",
            "robots=off",
            "-P",
            downloads,
            `${server.origin}/index.html`,
          ]);
          // Beyond these wget asks for what is no page, say the target of `<link rev="made">`, and finds nothing there.
          expect(server.takePages().filter(isFound)).toEqual(expected.filter(isFound));
        } finally {
          rmSync(downloads, { recursive: true });
        }
      },
    );
  },
);

/** Ends with wget, whose exit code also tells of answers that were errors and so says nothing here. */
function wget(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn("wget", args, { stdio: "ignore" })
      .once("error", reject)
      .once("close", () => resolve());
  });
}
