import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { CrawlRegistry, RegisteredCrawl } from "./crawl_registry.ts";
import { guard } from "./guard.ts";
import { pageResponse } from "./page.ts";
import { fieldProblem, Problem, problemResponse } from "./problem.ts";
import type { ResultType } from "./result_reader.ts";
import { type ServerOptions, type ServerSettings, settleServer } from "./server_options.ts";
import { sse } from "./sse.ts";
import { readSubmission } from "./submission.ts";

/**
 * A Hono app that starts, shows and stops crawls over HTTP, with a live page at its root. Its `fetch` serves on Node
 * (with `@hono/node-server`), Deno, Bun and, within a Durable Object, on workerd; `route()` mounts it in another app.
 *
 * | Route | Does |
 * |---|---|
 * | `GET /` | the live page |
 * | `POST /crawls` | `{ seeds, options?, start? }`: starts a crawl; 201 and its `Location` |
 * | `GET /crawls`, `GET /crawls/:id` | what is known of them, as JSON |
 * | `GET /crawls/:id/events` | Server-Sent Events, as {@link sse} tells them |
 * | `GET /crawls/:id/pages` | results as JSON Lines, from the oldest kept on; `?type=page,failure,skip`, `?follow=false` |
 * | `DELETE /crawls/:id` | stops one gently |
 *
 * The server reads each crawl itself and keeps the newest 4 MiB of its pages and failures. Whoever reads `/pages` is
 * waited for: a slow reader slows its crawl, and nothing piles up. A reader that takes nothing for `idleMs` is let go.
 * With `start: "read"` a crawl begins with its first reader, who then misses nothing; otherwise the header
 * `Dragline-Dropped` says how many lines had gone before.
 *
 * Every error is a problem (RFC 9457): 400 names the fields, 401 and 403 say who may ask, 404, 405, 409 where a crawl
 * is over already, 413, 415, 429 where too many run.
 *
 * Without a token it answers only requests that name this machine by a name of loopback. Clients get no farther than
 * `limits`, and to no private address.
 *
 * @throws {TypeError | RangeError} at once, naming the option that is wrong
 *
 * @example
 * ```ts
 * const app = createApp({ token: "a-long-random-secret", maxCrawls: 2 });
 * export const fetch = app.fetch;
 * ```
 */
export function createApp(options: ServerOptions = {}): Hono {
  const settings = settleServer(options);
  const { registry, deadlines, clock } = settings;
  const app = new Hono();
  app.onError((error) => problemResponse(asProblem(error)));
  app.notFound((c) => problemResponse(new Problem(404, `There is nothing at '${c.req.path}'`)));
  app.use(methodNotAllowed({ app, onMethodNotAllowed }));
  app.get("/", () => pageResponse());

  app.use("/crawls/*", guard(settings));
  app.post("/crawls", bodyLimit({ maxSize: settings.maxSubmissionBytes, onError: refuseBody }), async (c) => {
    requireJson(c);
    const { limits, allowsPrivate } = settings;
    const started = registry.start(readSubmission(await c.req.text(), limits, allowsPrivate));
    const location = `${new URL(c.req.url).pathname.replace(/\/$/, "")}/${started.id}`;
    return json(shown(started), 201, { location });
  });
  app.get("/crawls", () => json(registry.list().map(shown)));
  app.get("/crawls/:id", (c) => {
    const found = registry.get(c.req.param("id"));
    return json({ ...shown(found), history: found.feed.history });
  });
  app.delete("/crawls/:id", (c) => json(shown(registry.stop(c.req.param("id"))), 202));
  app.get("/crawls/:id/events", (c) =>
    sse(registry.get(c.req.param("id")).crawl, c.req.raw, { clock, ...deadlines }),
  );
  app.get("/crawls/:id/pages", (c) => readPages(c, c.req.param("id"), registry));
  endWith(settings);
  return app;
}

function readPages(c: Context, id: string, registry: CrawlRegistry): Response {
  const { results } = registry.get(id);
  const types = resultTypes(c.req.query("type") ?? "page,failure");
  const follow = c.req.query("follow") ?? "true";
  if (follow !== "true" && follow !== "false") throw queryProblem("follow", '"true" or "false"', follow);
  const body = results.read({ types, follows: follow === "true", signal: c.req.raw.signal });
  if (follow === "true") registry.begin(id);
  return new Response(body, {
    headers: {
      "content-type": "application/x-ndjson; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      "dragline-dropped": String(results.dropped),
    },
  });
}

function resultTypes(text: string): ReadonlySet<ResultType> {
  const types = text.split(",");
  if (types.every(isResultType)) return new Set(types);
  throw queryProblem("type", "a list of page, failure and skip", text);
}

function isResultType(type: string): type is ResultType {
  return type === "page" || type === "failure" || type === "skip";
}

function queryProblem(name: string, rule: string, value: string): Problem {
  return fieldProblem([
    { pointer: `#/query/${name}`, detail: `'${name}' must be ${rule}: received '${value}'` },
  ]);
}

/** A crawl as the routes show it. */
function shown({ id, submission, crawl, feed, results }: RegisteredCrawl): object {
  return {
    id,
    seeds: submission.seeds.map(({ url }) => String(url)),
    options: submission.options,
    stats: crawl.stats,
    watchers: feed.watchers,
    readers: results.readers,
  };
}

function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** A form of another site can send text, but no JSON unless this server allows it, which it does not. */
function requireJson(c: Context): void {
  const type = c.req.header("content-type") ?? "";
  if (/^application\/json *(?:;|$)/i.test(type)) return;
  throw new Problem(415, "The body must be sent as 'content-type: application/json'");
}

function refuseBody(): never {
  throw new Problem(413, "The body is longer than this server takes");
}

function onMethodNotAllowed(c: Context, methods: readonly string[]): Response {
  const detail = `${c.req.method} is not allowed here`;
  return problemResponse(new Problem(405, detail, { headers: { allow: methods.join(", ") } }));
}

function asProblem(error: Error): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException) return new Problem(error.status, error.message);
  // What broke is the server's affair: a client could not use it.
  console.error(error);
  return new Problem(500, "The server failed to answer this");
}

function endWith({ registry, signal }: ServerSettings): void {
  signal?.addEventListener("abort", () => void registry.stopAll(), { once: true });
}
