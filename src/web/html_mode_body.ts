/** The insertion mode "in body": https://html.spec.whatwg.org/#parsing-main-inbody */

import type { OpenElement, Tag } from "./html_open_elements.ts";
import type { InsertionMode, TreeState } from "./html_tree_state.ts";

type StartRule = (tree: TreeState, tag: Tag) => void;
type EndRule = (tree: TreeState, name: string) => void;

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];

function rulesFor<Rule>(...rows: [names: string, rule: Rule][]): ReadonlyMap<string, Rule> {
  return new Map(
    rows.flatMap(([names, rule]) => names.split(" ").map((name): [string, Rule] => [name, rule])),
  );
}

const START_RULES: ReadonlyMap<string, StartRule> = rulesFor<StartRule>(
  ["html caption col colgroup frame head tbody td tfoot th thead tr", () => {}],
  [
    "base basefont bgsound link meta noframes script style template title",
    (tree, tag) => tree.start(tag, "in head"),
  ],
  ["body", startBody],
  ["frameset", startFrameset],
  [
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header " +
      "hgroup main menu nav ol p search section summary ul",
    startBlock,
  ],
  ["h1 h2 h3 h4 h5 h6", startHeading],
  ["pre listing", startPreformatted],
  ["form", startForm],
  ["li", (tree, tag) => startListItem(tree, tag, ["li"])],
  ["dd dt", (tree, tag) => startListItem(tree, tag, ["dd", "dt"])],
  ["plaintext xmp", startPlainBlock],
  ["button", startButton],
  ["a", startLink],
  ["b big code em font i s small strike strong tt u", startFormatting],
  ["nobr", startNobr],
  ["applet marquee object", startObject],
  ["table", startTable],
  ["area br embed img image keygen wbr", startVoid],
  ["input", startInput],
  ["param source track noembed", (tree, tag) => tree.insertEmpty(tag)],
  ["hr", startRule],
  ["textarea iframe", startUnreconstructed],
  ["select", startSelect],
  ["option", startOption],
  ["optgroup", startOptionGroup],
  ["rb rtc", (tree, tag) => startRuby(tree, tag, undefined)],
  ["rp rt", (tree, tag) => startRuby(tree, tag, "rtc")],
  ["math", (tree, tag) => startForeign(tree, tag, "math")],
  ["svg", (tree, tag) => startForeign(tree, tag, "svg")],
);

const END_RULES: ReadonlyMap<string, EndRule> = rulesFor<EndRule>(
  ["template", (tree, name) => tree.end(name, "in head")],
  ["body", endBody],
  ["html", endHtml],
  [
    "address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer " +
      "header hgroup listing main menu nav ol pre search section select summary ul",
    (tree, name) => endScoped(tree, name),
  ],
  ["form", endForm],
  ["p", endParagraph],
  ["li", endListItem],
  ["dd dt", endDefinition],
  ["h1 h2 h3 h4 h5 h6", endHeading],
  ["a b big code em font i nobr s small strike strong tt u", (tree, name) => tree.open.closeFormatting(name)],
  ["applet marquee object", endObject],
  ["br", (tree) => breakFrameset(tree)],
);

export const inBody: InsertionMode = {
  start(tree, tag) {
    const rule = START_RULES.get(tag.name);
    if (rule) return rule(tree, tag);
    tree.open.reconstructFormatting();
    tree.insert(tag);
  },
  end(tree, name) {
    const rule = END_RULES.get(name);
    if (rule) rule(tree, name);
    else tree.open.closeOrdinary(name);
  },
  text(tree, kind) {
    if (kind === "nul") return;
    tree.open.reconstructFormatting();
    if (kind === "solid") tree.framesetOk = false;
  },
};

function breakFrameset(tree: TreeState): void {
  tree.open.reconstructFormatting();
  tree.framesetOk = false;
}

function bodyElement(tree: TreeState): OpenElement | undefined {
  const second = tree.open.at(1);
  return second?.name === "body" && second.namespace === "html" ? second : undefined;
}

function startBody(tree: TreeState): void {
  if (bodyElement(tree) && tree.open.count("template") === 0) tree.framesetOk = false;
}

function startFrameset(tree: TreeState, tag: Tag): void {
  if (!bodyElement(tree) || !tree.framesetOk) return;
  tree.open.shortenTo(1);
  tree.replacedFrom = tree.bodyStart;
  tree.insert(tag);
  tree.mode = "in frameset";
}

function startBlock(tree: TreeState, tag: Tag): void {
  tree.open.closeParagraph();
  tree.insert(tag);
}

function startHeading(tree: TreeState, tag: Tag): void {
  tree.open.closeParagraph();
  if (tree.open.currentIs(...HEADINGS)) tree.open.pop();
  tree.insert(tag);
}

function startPreformatted(tree: TreeState, tag: Tag): void {
  startBlock(tree, tag);
  tree.framesetOk = false;
}

function startForm(tree: TreeState, tag: Tag): void {
  const isInTemplate = tree.open.count("template") > 0;
  if (tree.form && !isInTemplate) return;
  tree.open.closeParagraph();
  const form = tree.insert(tag);
  if (!isInTemplate) tree.form = form;
}

function startListItem(tree: TreeState, tag: Tag, siblings: string[]): void {
  tree.framesetOk = false;
  for (let i = tree.open.depth - 1; i >= 0; i--) {
    const element = tree.open.at(i) as OpenElement;
    if (element.namespace === "html" && siblings.includes(element.name)) {
      tree.open.closeImplied(element.name);
      tree.open.popPast(element.name);
      break;
    }
    const isPassed = element.namespace === "html" && ["address", "div", "p"].includes(element.name);
    if (element.special && !isPassed) break;
  }
  tree.open.closeParagraph();
  tree.insert(tag);
}

function startPlainBlock(tree: TreeState, tag: Tag): void {
  tree.open.closeParagraph();
  if (tag.name === "xmp") breakFrameset(tree);
  tree.insertEmpty(tag);
}

function startButton(tree: TreeState, tag: Tag): void {
  if (tree.open.inScope("default", "button")) {
    tree.open.closeImplied();
    tree.open.popPast("button");
  }
  breakFrameset(tree);
  tree.insert(tag);
}

function startLink(tree: TreeState, tag: Tag): void {
  const { open } = tree;
  const unclosed = open.activeFormatting("a");
  if (unclosed) {
    open.closeFormatting("a");
    open.removeFormatting(unclosed);
    open.remove(unclosed);
  }
  startFormatting(tree, tag);
}

function startFormatting(tree: TreeState, tag: Tag): void {
  tree.open.reconstructFormatting();
  tree.open.pushFormatting(tree.insert(tag));
}

function startNobr(tree: TreeState, tag: Tag): void {
  tree.open.reconstructFormatting();
  if (tree.open.inScope("default", "nobr")) {
    tree.open.closeFormatting("nobr");
    tree.open.reconstructFormatting();
  }
  tree.open.pushFormatting(tree.insert(tag));
}

function startObject(tree: TreeState, tag: Tag): void {
  breakFrameset(tree);
  tree.insert(tag);
  tree.open.pushMarker();
}

// In quirks mode a table may stand in a paragraph. Whether the paragraph stays open then changes nothing that this
// is asked for.
function startTable(tree: TreeState, tag: Tag): void {
  tree.open.closeParagraph();
  tree.insert(tag);
  tree.framesetOk = false;
  tree.mode = "in table";
}

function startVoid(tree: TreeState, tag: Tag): void {
  breakFrameset(tree);
  tree.insertEmpty(tag);
}

function startInput(tree: TreeState, tag: Tag): void {
  if (tree.open.inScope("default", "select")) tree.open.popPast("select");
  tree.open.reconstructFormatting();
  tree.insertEmpty(tag);
  if (tag.attribute("type")?.toLowerCase() !== "hidden") tree.framesetOk = false;
}

function startRule(tree: TreeState, tag: Tag): void {
  tree.open.closeParagraph();
  if (tree.open.inScope("default", "select")) tree.open.closeImplied();
  tree.insertEmpty(tag);
  tree.framesetOk = false;
}

function startUnreconstructed(tree: TreeState, tag: Tag): void {
  tree.insertEmpty(tag);
  tree.framesetOk = false;
}

function startSelect(tree: TreeState, tag: Tag): void {
  if (tree.open.inScope("default", "select")) {
    tree.open.popPast("select");
    return;
  }
  breakFrameset(tree);
  tree.insert(tag);
}

function startOption(tree: TreeState, tag: Tag): void {
  if (tree.open.inScope("default", "select")) tree.open.closeImplied("optgroup");
  else if (tree.open.currentIs("option")) tree.open.pop();
  tree.open.reconstructFormatting();
  tree.insert(tag);
}

function startOptionGroup(tree: TreeState, tag: Tag): void {
  if (tree.open.inScope("default", "select")) tree.open.closeImplied();
  else if (tree.open.currentIs("option")) tree.open.pop();
  tree.open.reconstructFormatting();
  tree.insert(tag);
}

function startRuby(tree: TreeState, tag: Tag, except: string | undefined): void {
  if (tree.open.inScope("default", "ruby")) tree.open.closeImplied(except);
  tree.insert(tag);
}

function startForeign(tree: TreeState, tag: Tag, namespace: "svg" | "math"): void {
  tree.open.reconstructFormatting();
  if (tag.selfClosing) tree.insertEmpty(tag, namespace);
  else tree.insert(tag, namespace);
}

function endBody(tree: TreeState): void {
  if (tree.open.inScope("default", "body")) tree.mode = "after body";
}

function endHtml(tree: TreeState, name: string): void {
  if (!tree.open.inScope("default", "body")) return;
  tree.mode = "after body";
  tree.end(name);
}

function endScoped(tree: TreeState, name: string): boolean {
  if (!tree.open.inScope("default", name)) return false;
  tree.open.closeImplied();
  tree.open.popPast(name);
  return true;
}

function endForm(tree: TreeState, name: string): void {
  if (tree.open.count("template") > 0) {
    endScoped(tree, name);
    return;
  }
  const { form } = tree;
  tree.form = undefined;
  if (!form || !tree.open.reaches(form)) return;
  tree.open.closeImplied();
  tree.open.remove(form);
}

function endParagraph(tree: TreeState): void {
  // One that is not open is opened and closed at once.
  tree.open.closeParagraph();
}

function endListItem(tree: TreeState, name: string): void {
  if (!tree.open.inScope("list-item", name)) return;
  tree.open.closeImplied(name);
  tree.open.popPast(name);
}

function endDefinition(tree: TreeState, name: string): void {
  if (!tree.open.inScope("default", name)) return;
  tree.open.closeImplied(name);
  tree.open.popPast(name);
}

function endHeading(tree: TreeState): void {
  if (!tree.open.inScope("default", ...HEADINGS)) return;
  tree.open.closeImplied();
  tree.open.popPast(...HEADINGS);
}

function endObject(tree: TreeState, name: string): void {
  if (endScoped(tree, name)) tree.open.clearToMarker();
}
