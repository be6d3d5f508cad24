import { once } from "node:events";
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import type { Transport, TransportRequest, TransportResponse } from "../fetcher.ts";

// A host may close an idle connection before; that is a reset, which is tried again at once.
const IDLE_SOCKET_MS = 15_000;

/** A transport by Node's own HTTP client, which, unlike `fetch`, has a hook into how names are resolved. */
export function nodeTransport(lookup: LookupFunction): Transport {
  const connection = { lookup, keepAlive: true, timeout: IDLE_SOCKET_MS };
  const http = new Agent(connection);
  const https = new HttpsAgent(connection);
  return {
    async send(sent) {
      const url = new URL(sent.url);
      const init = { method: sent.method, headers: Object.fromEntries(sent.headers), signal: sent.signal };
      const outgoing =
        url.protocol === "https:"
          ? httpsRequest(url, { ...init, agent: https })
          : httpRequest(url, { ...init, agent: http });
      return answerTo(outgoing, sent);
    },
    async close() {
      for (const { freeSockets } of [http, https]) {
        // destroy() of an agent would also cut what other crawls have under way.
        for (const idle of Object.values(freeSockets)) for (const socket of idle ?? []) socket.destroy();
      }
    },
  };
}

async function answerTo(
  outgoing: ClientRequest,
  { method, body }: TransportRequest,
): Promise<TransportResponse> {
  // What goes wrong after the head errors the body; without a listener it would end the process.
  outgoing.on("error", () => {});
  outgoing.end(body);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const status = incoming.statusCode ?? 0;
  const stream = hasBody(method, status) ? Readable.toWeb(decoded(incoming)) : null;
  if (stream === null) incoming.resume();
  const response = new Response(stream as ReadableStream<Uint8Array> | null);
  return {
    status,
    headers: headersOf(incoming),
    body: response.body,
    arrayBuffer: () => response.arrayBuffer(),
  };
}

/** RFC 9110 §6.4.1 */
function hasBody(method: string, status: number): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304;
}

/** The two codings that the crawl asks for are undone here, as `fetch` does; others are left as they came. */
function decoded(incoming: IncomingMessage): Readable {
  const coding = incoming.headers["content-encoding"]?.toLowerCase();
  if (coding !== "gzip" && coding !== "br") return incoming;
  const decoder = coding === "gzip" ? createGunzip() : createBrotliDecompress();
  // The decoder's own stream errors with what went wrong.
  pipeline(incoming, decoder, () => {});
  return decoder;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  return headers;
}
