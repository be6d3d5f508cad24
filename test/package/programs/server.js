import { createApp } from "dragline/server";
import { openSite } from "./site.js";

const site = await openSite();
const app = createApp({ privateAddresses: "allow" });
const started = await app.request("/crawls", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ seeds: site.home }),
});
const pages = await app.request(`${started.headers.get("location")}/pages`);
const lines = (await pages.text())
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
site.close();
console.log(
  JSON.stringify([started.status, lines.filter(({ type }) => type === "page").map(({ title }) => title)]),
);
