/**
 * Precision and recall of near-duplicates, on families of pages that are made: of each base text a copy with another
 * template, another date, one paragraph changed, and pages that only share the template. With a folder as argument
 * also on its HTML files, where every pair that is found is held against the words that both have.
 * `node --import tsx bench/near_duplicates.ts [FOLDER]`
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { simhash } from "../mod.ts";
import { NearDuplicates } from "../src/near_duplicates.ts";
import { visibleText } from "../src/web/visible_text.ts";

const FAMILIES = 2_000;
const MIN_LENGTH = 600;
let state = 12_345;

function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

const words = Array.from({ length: 5_000 }, (_, n) => `w${n.toString(36)}`);

/** Words as a text has them: few of them often, most of them seldom. */
function text(length: number): string {
  return Array.from({ length }, () => words[Math.floor(words.length * random() ** 3)]).join(" ");
}

const NAVIGATION = `home news about contact ${text(30)}`;
const OTHER_NAVIGATION = `start journal imprint ${text(30)}`;

interface Sample {
  readonly family: number;
  readonly kind: string;
  readonly text: string;
}

function samples(): Sample[] {
  const all: Sample[] = [];
  for (let family = 0; family < FAMILIES; family++) {
    const paragraphs = Array.from({ length: 10 }, () => text(80));
    const body = paragraphs.join(" ");
    const changed = [...paragraphs.slice(0, 9), text(80)].join(" ");
    all.push({ family, kind: "base", text: `${NAVIGATION} ${body}` });
    all.push({
      family,
      kind: "same but for its date",
      text: `${NAVIGATION} updated november ${family} ${body}`,
    });
    all.push({ family, kind: "another template", text: `${OTHER_NAVIGATION} ${body}` });
    all.push({ family, kind: "one paragraph of ten changed", text: `${NAVIGATION} ${changed}` });
  }
  return all;
}

for (const distance of [3, 6]) {
  const index = new NearDuplicates({ distance });
  const tally = new Map<string, { right: number; wrong: number; of: number }>();
  for (const { family, kind, text } of samples()) {
    const digest = simhash(text);
    const found = index.find(digest);
    const row = tally.get(kind) ?? { right: 0, wrong: 0, of: 0 };
    row.of++;
    if (found !== undefined) {
      if (found === `${family}`) row.right++;
      else row.wrong++;
    }
    tally.set(kind, row);
    if (kind === "base") index.add(digest, `${family}`);
  }
  console.log(
    `\n| distance ${distance}, ${FAMILIES} families of 800 words | found | of another family |\n|---|---|---|`,
  );
  for (const [kind, { right, wrong, of }] of tally) {
    console.log(
      `| ${kind} | ${kind === "base" ? "-" : `${((right / of) * 100).toFixed(1)}%`} | ${((wrong / of) * 100).toFixed(2)}% |`,
    );
  }
}

const [folder] = process.argv.slice(2);
if (folder !== undefined) {
  const texts = new Map<string, ReadonlySet<string>>();
  const index = new NearDuplicates({ distance: 3 });
  let pairs = 0;
  let alike = 0;
  let pages = 0;
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith(".html")) continue;
    const text = visibleText(await readFile(join(folder, file), "utf8")).replace(/\s+/g, " ");
    if (text.length < MIN_LENGTH) continue;
    pages++;
    const set = new Set(text.toLowerCase().split(/\W+/));
    const digest = simhash(text);
    const found = index.find(digest);
    if (found === undefined) {
      index.add(digest, file);
      texts.set(file, set);
      continue;
    }
    pairs++;
    const other = texts.get(found)!;
    const shared = [...set].filter((word) => other.has(word)).length;
    if (shared / (set.size + other.size - shared) >= 0.8) alike++;
  }
  console.log(
    `\n${pages} pages of ${folder}: ${pairs} found as near-duplicates, of which ${alike} share four words in five`,
  );
}
