// Serves the live page and its routes on Node: `npm run serve`.
import process from "node:process";
import { parseArgs } from "node:util";
import { serve } from "@hono/node-server";
import { createApp } from "./app.ts";
import { isLoopback } from "./guard.ts";
import { publicTransport } from "./public_transport.ts";

const HELP = `Usage: npm run serve -- [options]

  --port N                 where to listen; 0 takes any that is free (default 8080)
  --host NAME              on which address (default 127.0.0.1); any other than loopback needs a token
  --private-addresses      let crawls reach this machine and private networks
  --help

DRAGLINE_TOKEN             the token that clients have to send
`;

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function readArguments(): { port: number; host: string; allowsPrivate: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string", default: "8080" },
        host: { type: "string", default: "127.0.0.1" },
        "private-addresses": { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      process.exit(0);
    }
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
      fail(`Cannot listen as --port must be a number up to 65535: received '${values.port}'`);
    }
    return { port: Number(values.port), host: values.host, allowsPrivate: values["private-addresses"] };
  } catch (error) {
    fail(`${(error as Error).message}\n\n${HELP}`);
  }
}

const { port, host, allowsPrivate } = readArguments();
const token = process.env.DRAGLINE_TOKEN;
const nameInUrl = host.includes(":") ? `[${host}]` : host;
if (!token && !isLoopback(nameInUrl)) {
  fail(`Cannot listen on '${host}' without a token, as others could reach it: set DRAGLINE_TOKEN`);
}

const shutDown = new AbortController();
const app = createApp({
  ...(token && { token }),
  privateAddresses: allowsPrivate ? "allow" : "deny",
  crawl: allowsPrivate ? {} : { transport: publicTransport() },
  signal: shutDown.signal,
});
const server = serve({ fetch: app.fetch, hostname: host, port }, ({ port: bound }) => {
  console.log(`Dragline listens on http://${nameInUrl}:${bound}/ (Ctrl-C ends it)`);
});
server.on("error", (error) => fail(`Cannot listen: ${error.message}`));

process.on("SIGINT", () => {
  if (shutDown.signal.aborted) process.exit(130);
  console.log("Stopping: waiting for requests in flight; Ctrl-C again ends it at once");
  shutDown.abort();
  server.close(() => process.exit(0));
});
