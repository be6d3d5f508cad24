// Requests through proxies, each host by one of them, on Node.js. It needs `npm install undici`.
//
//   npx tsx examples/recipes/proxy.ts https://example.com/ http://127.0.0.1:3128 http://127.0.0.1:3129
import process from "node:process";
import { ProxyAgent, type RequestInit as UndiciInit, fetch as undiciFetch } from "undici";
import { crawl, type Fetch } from "../../mod.ts";

const [, , seed = "https://example.com/", ...proxies] = process.argv;
const agents = proxies.map((url) => new ProxyAgent(url));

/** The same host always goes by the same proxy: that is one visitor to it, at one pace. */
function agentOf(url: string): ProxyAgent {
  const sum = [...new URL(url).host].reduce((total, character) => total + character.charCodeAt(0), 0);
  return agents[sum % agents.length]!;
}

const fetchByProxy: Fetch = async (input, init) => {
  const url = String(input);
  const response = await undiciFetch(url, { ...(init as UndiciInit), dispatcher: agentOf(url) });
  return response as unknown as Response;
};

for await (const page of crawl(seed, { fetch: fetchByProxy })) console.log(page.status, page.url);
await Promise.all(agents.map((agent) => agent.close()));
