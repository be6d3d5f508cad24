import { crawl } from "dragline";

const SITE = {
  "https://a.test/robots.txt": "User-agent: *\nDisallow: /private/\n",
  "https://a.test/": '<title>Home</title><a href="/a">a</a><a href="/private/b">b</a>',
  "https://a.test/a": "<title>A</title>",
};

/** A web in memory, of the shape of `fetch`. */
async function fakeFetch(url) {
  const body = SITE[url];
  return new Response(body, { status: body ? 200 : 404, headers: { "content-type": "text/html" } });
}

/** The pages of the site, each read by the lexical reader and as a document. */
async function pages() {
  const found = [];
  for await (const page of crawl("https://a.test/", { fetch: fakeFetch, delayMs: 0 })) {
    const document = await page.document();
    found.push([page.url, page.title, document.querySelector("title").textContent]);
  }
  return found;
}

export default { fetch: async () => Response.json(await pages()) };
