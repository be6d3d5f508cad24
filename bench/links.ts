// The link scanner beside htmlparser2, parse5 and linkedom on a 10 KB page with 50 links, and alone on hostile
// documents of a megabyte. `npm run bench -- links`
import { Parser } from "htmlparser2";
import { parseHTML } from "linkedom";
import { type DefaultTreeAdapterMap, parse } from "parse5";
import { HtmlScanner } from "../src/web/html.ts";
import { extractLinks, readHtml } from "../src/web/links.ts";
import { HOSTILE_HTML } from "../test/web/hostile_html.ts";
import { median } from "./support/summary.ts";

const RUNS = 5;
const URL_OF_PAGE = "https://site.test/dir/page.html";

const ITEMS = Array.from(
  { length: 50 },
  (_, i) =>
    `<div class="item"><h3 class="title">Item number ${i}</h3><p>Some text about the item which goes on for a while, ` +
    `as text does.</p><a class="link" href="/page/${i}.html?x=1&amp;y=2">Read more about ${i}</a></div>\n`,
);
const PAGE = `<!doctype html><html><head><meta charset="utf-8"><title>Items</title></head><body>${ITEMS.join("")}</body></html>`;

/** The href of each link, as written. */
const HREFS: Record<string, () => number> = {
  HtmlScanner: () => {
    const scanner = new HtmlScanner(PAGE);
    let count = 0;
    while (scanner.nextTag()) {
      if (scanner.kind === "start" && scanner.name === "a" && scanner.attribute("href") !== undefined)
        count++;
    }
    return count;
  },
  htmlparser2: () => {
    let count = 0;
    const parser = new Parser({
      onopentag(name, { href }) {
        if (name === "a" && href !== undefined) count++;
      },
    });
    parser.end(PAGE);
    return count;
  },
};

/** Each link with its absolute URL, its rel and its text. */
const LINKS: Record<string, () => number> = {
  extractLinks: () => extractLinks(PAGE, URL_OF_PAGE).links.length,
  htmlparser2: () => {
    const links: { url: string; rel: string[]; text: string }[] = [];
    let open: { url: string; rel: string[]; text: string } | undefined;
    const parser = new Parser({
      onopentag(name, { href, rel = "" }) {
        if (name !== "a" || href === undefined) return;
        open = { url: new URL(href, URL_OF_PAGE).href, rel: rel.split(/\s+/), text: "" };
        links.push(open);
      },
      ontext(text) {
        if (open) open.text += text;
      },
      onclosetag(name) {
        if (name === "a") open = undefined;
      },
    });
    parser.end(PAGE);
    return links.length;
  },
  parse5: () => {
    const links: { url: string; text: string }[] = [];
    type Node = DefaultTreeAdapterMap["node"];
    const textOf = (node: Node): string => {
      if ("value" in node) return node.value;
      return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
    };
    const visit = (node: Node): void => {
      if ("tagName" in node && node.tagName === "a") {
        const href = node.attrs.find(({ name }) => name === "href")?.value;
        if (href !== undefined) links.push({ url: new URL(href, URL_OF_PAGE).href, text: textOf(node) });
      }
      if ("childNodes" in node) for (const child of node.childNodes) visit(child);
    };
    visit(parse(PAGE));
    return links.length;
  },
  linkedom: () => {
    const links: { url: string; text: string }[] = [];
    for (const element of parseHTML(PAGE).document.querySelectorAll("a[href]")) {
      const href = element.getAttribute("href") ?? "";
      links.push({ url: new URL(href, URL_OF_PAGE).href, text: element.textContent ?? "" });
    }
    return links.length;
  },
};

/** Microseconds a call, for each: one run of each after the other, so that a busy moment meets them all. */
function compare(readers: Record<string, () => number>): Map<string, number> {
  const rounds = new Map(Object.keys(readers).map((name): [string, number[]] => [name, []]));
  for (let run = 0; run < RUNS; run++) {
    for (const [name, read] of Object.entries(readers)) {
      // What the reader before has left to be collected is collected in here.
      repeat(name, read, 500);
      const start = performance.now();
      repeat(name, read, 1_000);
      rounds.get(name)?.push(performance.now() - start);
    }
  }
  return new Map([...rounds].map(([name, times]) => [name, median(times)]));
}

function repeat(name: string, read: () => number, times: number): void {
  for (let i = 0; i < times; i++) {
    if (read() !== ITEMS.length) throw new Error(`${name} does not find ${ITEMS.length} links`);
  }
}

function print(title: string, times: Map<string, number>): void {
  console.log(`\n${title}`);
  const first = times.values().next().value as number;
  for (const [name, time] of times) {
    console.log(
      `${name.padEnd(14)} ${time.toFixed(1).padStart(8)} µs  ${(time / first).toFixed(1).padStart(5)} times`,
    );
  }
}

console.log(`A page of ${PAGE.length} characters with ${ITEMS.length} links; medians of ${RUNS} runs.`);
print("The href of each link", compare(HREFS));
print("Each link with its absolute URL, its rel and its text", compare(LINKS));

console.log("\nreadHtml() on a megabyte of");
for (const [what, document] of HOSTILE_HTML) {
  const html = document(1_000_000);
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    readHtml(html, URL_OF_PAGE, { assets: true });
    return performance.now() - start;
  });
  console.log(`${what.padEnd(36)} ${median(times).toFixed(1).padStart(8)} ms`);
}
