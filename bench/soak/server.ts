// The hosts of a soak, in a process of their own: `server.ts SEED HOSTS`. It tells on standard output where they listen,
// and takes orders over HTTP. It ends with its standard input.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { HostileHosts } from "./hostile_hosts.ts";
import type { WitnessedCrawl } from "./witness.ts";

const [, , seed = "1", count = "5"] = process.argv;
const hosts = new HostileHosts(Number(seed));
await hosts.open(Number(count));

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}

async function obey(request: IncomingMessage): Promise<unknown> {
  switch (request.url) {
    case "/begin": {
      // JSON has no Infinity.
      const { limit, ...crawl } = JSON.parse(await textOf(request)) as WitnessedCrawl & {
        limit: number | null;
      };
      return hosts.begin({ ...crawl, limit: limit ?? Number.POSITIVE_INFINITY });
    }
    case "/end":
      return hosts.end(JSON.parse(await textOf(request)) as number);
    case "/connections":
      return hosts.connections;
    default:
      return Object.fromEntries(hosts.tally);
  }
}

const control = createServer(async (request, response) => {
  // No connection of this kind is to be found among those that a crawl left.
  response.setHeader("connection", "close");
  response.end(JSON.stringify((await obey(request)) ?? null));
});
control.listen(0, "127.0.0.1");
await once(control, "listening");
const { port } = control.address() as AddressInfo;
console.log(JSON.stringify({ origins: hosts.origins, control: `http://127.0.0.1:${port}` }));
process.stdin.resume().on("end", () => process.exit(0));
