import { refuseUnknown, wholeNumberOrInfinity, wrongType } from "./option_rules.ts";
import type { Pattern } from "./options.ts";
import type { Page } from "./page.ts";
import { compilePattern } from "./scope.ts";
import { isOneOf } from "./web/content_type.ts";

/** What is done with a page. A promise that it gives is waited for, and what it throws ends the crawl. */
export type PageHandler = (page: Page) => unknown;

/**
 * One way through a router: a page takes it where all of `url`, `tag` and `type` that are given hold. At least one of
 * them is.
 */
export interface Route {
  /** The page's final URL: a glob text, matched against the whole of it, or a `RegExp`, searched in it; or any of a list. */
  readonly url?: Pattern | readonly Pattern[];
  /** The tag of the seed that the page is the answer to; or any of a list. */
  readonly tag?: string | readonly string[];
  /** The page's media type, say `text/html`, or `image/*` for all of a kind; or any of a list. */
  readonly type?: string | readonly string[];
  readonly handle: PageHandler;
}

/** Where each page goes. */
export interface Routes {
  /** The first one that fits takes the page, alone. */
  readonly routes: readonly Route[];
  /** Takes the pages that fit no route. Default: they are passed over. */
  readonly fallback?: PageHandler;
  /** Handlers that run side by side, 1 and up. Default: 8. */
  readonly concurrency?: number;
}

/**
 * Hands each page of a crawl to the handler of its URL, tag or media type: `crawl(seeds).pipeTo(router({ ... }))`.
 *
 * Handlers run side by side, and while `concurrency` of them do no further page is read, so that slow handlers slow
 * the crawl. A page counts as read when the next one is asked for, and that is as soon as a handler is free: with a
 * `concurrency` of 1 no page counts before its handler has ended well; otherwise up to `concurrency - 1` pages do
 * whose handlers are still at work, and a resumed crawl does not deliver those again.
 *
 * When a handler fails, the crawl ends: `pipeTo` rejects with an error that names the page and has what was thrown
 * as its `cause`. Handlers at work cannot be called off. The stream closes, or gives way to an abort, when they have
 * ended. (workerd's own `pipeTo` is fulfilled where a handler fails while no page is being written; the crawl ends
 * there too, and its `finished` says `cancelled`.)
 *
 * @throws {TypeError} at once, naming the route that is none
 * @throws {RangeError} at once, where `concurrency` is no whole number of at least 1, nor `Infinity`
 *
 * @example
 * ```ts
 * import { crawl, router } from "dragline";
 *
 * const shop = router({
 *   routes: [
 *     { url: "https://shop.example/item/*", handle: (page) => console.log("item", page.title) },
 *     { type: "application/pdf", handle: (page) => console.log("manual", page.url, page.body.length) },
 *   ],
 *   fallback: (page) => console.log("other", page.status, page.url),
 *   concurrency: 4,
 * });
 * await crawl("https://shop.example/", { contentTypes: "any" }).pipeTo(shop);
 * ```
 */
export function router(routes: Routes): WritableStream<Page> {
  const { routes: ways, fallback, concurrency } = checked(routes);
  const running = new Set<Promise<void>>();
  let failed: { readonly error: Error } | undefined;
  let onEnd: (() => void) | undefined;

  async function run(handle: PageHandler, page: Page, controller: WritableStreamDefaultController) {
    try {
      await handle(page);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      failed ??= { error: new Error(`Cannot handle '${page.url}': ${message}`, { cause }) };
      controller.error(failed.error);
    }
  }

  function begin(handle: PageHandler, page: Page, controller: WritableStreamDefaultController): void {
    const handling = run(handle, page, controller).finally(() => {
      running.delete(handling);
      onEnd?.();
    });
    running.add(handling);
  }

  return new WritableStream<Page>({
    async write(page, controller) {
      const handle = ways.find(({ takes }) => takes(page))?.handle ?? fallback;
      if (handle === undefined) return;
      begin(handle, page, controller);
      // As long as this is not fulfilled, nobody asks the crawl for more.
      while (running.size >= concurrency && failed === undefined) {
        await new Promise<void>((resolve) => {
          onEnd = resolve;
        });
      }
      // Not every pipe heeds the controller: that of workerd is fulfilled then.
      if (failed !== undefined) throw failed.error;
    },
    async close() {
      await Promise.all(running);
      // A stream that is about to close no longer heeds its controller.
      if (failed !== undefined) throw failed.error;
    },
    async abort() {
      await Promise.all(running);
    },
  });
}

interface CheckedRoute {
  readonly takes: (page: Page) => boolean;
  readonly handle: PageHandler;
}

function checked(options: Routes): {
  readonly routes: readonly CheckedRoute[];
  readonly fallback: PageHandler | undefined;
  readonly concurrency: number;
} {
  refuseUnknown("", options, { routes: true, fallback: true, concurrency: true });
  const { routes, fallback, concurrency = 8 } = options;
  if (!Array.isArray(routes)) throw wrongType("routes", "a list of routes", routes);
  if (fallback !== undefined && typeof fallback !== "function") {
    throw wrongType("fallback", "a function", fallback);
  }
  wholeNumberOrInfinity("concurrency", concurrency, 1);
  return { routes: routes.map(checkedRoute), fallback, concurrency };
}

function checkedRoute(route: Route, index: number): CheckedRoute {
  const name = `routes[${index}]`;
  if (typeof route !== "object" || route === null) throw wrongType(name, "a route", route);
  refuseUnknown(`${name}.`, route, { url: true, tag: true, type: true, handle: true });
  const { url, tag, type, handle } = route;
  if (typeof handle !== "function") throw wrongType(`${name}.handle`, "a function", handle);
  if (url === undefined && tag === undefined && type === undefined) {
    throw new TypeError(
      `Cannot crawl as '${name}' must have a 'url', 'tag' or 'type': what takes all the rest is 'fallback'`,
    );
  }
  const urls = list(`${name}.url`, url, "glob texts or regular expressions", isPattern)?.map(compilePattern);
  const tags = list(`${name}.tag`, tag, "texts", isText);
  const types = list(`${name}.type`, type, 'media types such as "text/html" or "image/*"', isMediaType);
  const lowerTypes = types?.map((each) => each.toLowerCase());
  return {
    handle,
    takes: ({ url, contentType, request: { tag } }) =>
      (urls === undefined || urls.some((pattern) => pattern.test(url))) &&
      (tags === undefined || (tag !== undefined && tags.includes(tag))) &&
      (lowerTypes === undefined || (contentType !== undefined && isOneOf(contentType, lowerTypes))),
  };
}

/** A condition as a list of its values, none of which may be missing or of the wrong kind. */
function list<T>(
  name: string,
  value: T | readonly T[] | undefined,
  rule: string,
  isRight: (value: unknown) => boolean,
): readonly T[] | undefined {
  if (value === undefined) return undefined;
  const values = (Array.isArray(value) ? value : [value]) as readonly T[];
  if (values.length === 0) throw wrongType(name, `${rule}, at least one`, value);
  for (const each of values) if (!isRight(each)) throw wrongType(name, rule, each);
  return values;
}

function isPattern(value: unknown): boolean {
  return typeof value === "string" || value instanceof RegExp;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isMediaType(value: unknown): boolean {
  return typeof value === "string" && /^[^\s/;]+\/[^\s/;]+$/.test(value);
}
