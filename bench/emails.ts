/**
 * How fast e-mail addresses are found: in a page of 10 KB, beside a bare regular expression over the source and one
 * over linkedom's text, which take file names for addresses and miss what is hidden; and in a megabyte of what would
 * stall a careless reader. Medians of five, each after a warm-up.
 *
 *     npm run bench -- emails
 */
import { parseHTML } from "linkedom";
import { extractEmails } from "../src/web/emails.ts";
import { median } from "./support/summary.ts";

const BARE = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi;

function page(): string {
  const parts = ["<!doctype html><html><head><title>Our people</title></head><body>"];
  for (let i = 0; parts.join("").length < 10_000; i++) {
    const hidden = [
      "me [at] site [dot] example",
      "me&#64;site.example",
      "<b>me</b>@site.example",
      "me@site.example",
    ][i % 4];
    parts.push(`<div class="card"><h2>Person ${i}</h2><p>At home (and elsewhere), <b>bold</b>, <a href="/p/${i}?x=1&amp;y=2">a
      link</a>, <img src="/i/${i}@2x.png" alt="Person ${i}">, ${i}${hidden}</p></div>`);
  }
  return parts.join("");
}

/** Microseconds a call. */
function medianOfFive(run: () => unknown, calls: number): number {
  const measure = (): number => {
    const start = performance.now();
    for (let call = 0; call < calls; call++) run();
    return ((performance.now() - start) / calls) * 1_000;
  };
  measure();
  return median(Array.from({ length: 5 }, measure));
}

function report(name: string, found: number, microseconds: number): void {
  console.log(
    `${name.padEnd(44)} ${String(found).padStart(6)} found ${microseconds.toFixed(0).padStart(9)} µs`,
  );
}

const html = page();
const readers: Record<string, () => Set<string>> = {
  dragline: () => new Set(extractEmails(html).map(({ address }) => address)),
  "a regular expression over the source": () => new Set(html.match(BARE)),
  "the same over linkedom's textContent": () =>
    new Set(parseHTML(html).document.documentElement.textContent?.match(BARE)),
};
console.log(`A page of ${html.length} characters:`);
for (const [name, read] of Object.entries(readers)) report(name, read().size, medianOfFive(read, 200));

console.log("\nA megabyte of:");
for (const unit of [
  "@",
  "a@b",
  "a.",
  "<b>@",
  "&#64;",
  "a [at] b [dot] ",
  "me@site.example ",
  "<a href=mailto:a@b.test>",
]) {
  const megabyte = unit.repeat(Math.ceil(1_000_000 / unit.length));
  report(
    unit,
    extractEmails(megabyte).length,
    medianOfFive(() => extractEmails(megabyte), 1),
  );
}
