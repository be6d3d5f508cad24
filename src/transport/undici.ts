/**
 * A transport for Node by undici's own client, several times cheaper a request than `fetch`. Needs the package
 * `undici`, version 7 or later.
 *
 * @module
 */
import type { buildConnector, Dispatcher } from "undici";
import type { Transport, TransportRequest, TransportResponse } from "../fetcher.ts";
import { checkSendable } from "./sendable.ts";
import { Connections } from "./undici_connections.ts";
import { Exchange } from "./undici_exchange.ts";

/** Options of {@link undiciTransport}. */
export interface UndiciTransportOptions {
  /** Most connections that are kept while they have nothing to do, over all origins: 0 or more. Default: 256. */
  maxIdleConnections?: number;
  /** What undici's connector takes: `ca`, `lookup`, `localAddress` and the like. */
  connect?: NonNullable<Parameters<typeof buildConnector>[0]>;
  /**
   * One of undici's dispatchers, such as its `ProxyAgent`, in place of connections of the transport's own. Its limits,
   * deadlines and number of connections are its own, and whoever made it closes it.
   */
  dispatcher?: Dispatcher;
}

/**
 * Sends requests by undici, over HTTP/1.1 and connections that are kept: as many to an origin as were in flight to it
 * at once, which the crawl bounds by `concurrency` and `hostConcurrency`. Outcomes are those of `fetch` on Node, but
 * that a body cut within its gzip or Brotli coding fails as `decode`, and a status of 407 is an answer. The bytes of a body
 * may be a part of a somewhat larger `ArrayBuffer`.
 *
 * For Node alone: Bun has a client of its own in place of the package, Deno's `fetch` is quick already, and both know
 * less of what is wrong with a body.
 *
 * A crawl closes idle connections at its end; the transport can be used again, and shared by several crawls.
 *
 * @throws {RangeError} where `maxIdleConnections` is no whole number of 0 or more
 * @throws {Error} on Bun
 * @throws {TypeError} where `dispatcher` is given together with options of connections
 *
 * @example
 * ```ts
 * import { crawl } from "dragline";
 *
 * for await (const page of crawl("https://example.com/", { transport: undiciTransport() })) {
 *   console.log(page.status, page.url);
 * }
 * ```
 */
export function undiciTransport(options: UndiciTransportOptions = {}): Transport {
  const { maxIdleConnections = 256, connect = {}, dispatcher } = options;
  if (!Number.isSafeInteger(maxIdleConnections) || maxIdleConnections < 0) {
    throw new RangeError(
      `Cannot send by undici as 'maxIdleConnections' must be a whole number of 0 or more: received ${String(maxIdleConnections)}`,
    );
  }
  if ("Bun" in globalThis) {
    throw new Error("Cannot send by undici as Bun has a client of its own in place of it: use 'fetch' there");
  }
  if (dispatcher === undefined) return ownTransport(new Connections(maxIdleConnections, connect));
  if (options.connect !== undefined || options.maxIdleConnections !== undefined) {
    throw new TypeError(
      "Cannot send by undici as 'dispatcher' is given together with options of connections: it has its own",
    );
  }
  return { send: (request) => sendBy(dispatcher, request) };
}

function ownTransport(connections: Connections): Transport {
  return {
    async send(request) {
      const target = targetOf(request);
      const connection = connections.take(target.origin);
      const exchange = new Exchange(
        request,
        () => void connection.destroy(),
        () => connections.giveBack(connection),
      );
      connection.dispatch(target, exchange);
      return exchange.head;
    },
    close: () => connections.close(),
  };
}

async function sendBy(dispatcher: Dispatcher, request: TransportRequest): Promise<TransportResponse> {
  const exchange = new Exchange(request, ignore, ignore);
  dispatcher.dispatch({ ...targetOf(request), headersTimeout: 0, bodyTimeout: 0 }, exchange);
  return exchange.head;
}

type Target = Dispatcher.DispatchOptions & { readonly origin: string };

/** @throws the signal's reason where it is aborted already */
function targetOf(request: TransportRequest): Target {
  const { url, method, headers, body } = request;
  checkSendable(url);
  // Where there is no signal yet, it was not aborted either.
  if (request.onAbort === undefined) request.signal.throwIfAborted();
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: pathname + search,
    method: method as Dispatcher.HttpMethod,
    headers,
    ...(body !== undefined && { body }),
  };
}

function ignore(): void {}
