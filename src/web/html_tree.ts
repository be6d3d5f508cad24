import { inBody } from "./html_mode_body.ts";
import * as around from "./html_modes_document.ts";
import * as table from "./html_modes_table.ts";
import type { Namespace, OpenElement, Tag } from "./html_open_elements.ts";
import { type InsertionModes, type TextKind, TreeState } from "./html_tree_state.ts";

const MODES: InsertionModes = {
  "before html": around.beforeHtml,
  "before head": around.beforeHead,
  "in head": around.inHead,
  "in head noscript": around.inHeadNoscript,
  "after head": around.afterHead,
  "in body": inBody,
  "in table": table.inTable,
  "in caption": table.inCaption,
  "in column group": table.inColumnGroup,
  "in table body": table.inTableBody,
  "in row": table.inRow,
  "in cell": table.inCell,
  "in template": around.inTemplate,
  "after body": around.afterBody,
  "in frameset": around.inFrameset,
  "after frameset": around.afterFrameset,
  "after after body": around.afterAfterBody,
  "after after frameset": around.afterAfterFrameset,
};

/** HTML start tags that end foreign content. https://html.spec.whatwg.org/#parsing-main-inforeign */
const BREAKS_OUT = new Set(
  (
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu " +
    "meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
  ).split(" "),
);

/**
 * The rules of tree construction (https://html.spec.whatwg.org/#tree-construction), as far as they decide how a
 * scanner must read on and what a tag means: whether a start tag makes an element, in which namespace, inside of
 * a template or not. It keeps the open elements and no tree. Scripting is off.
 */
export class HtmlTree {
  readonly #state: TreeState = new TreeState(MODES);

  /** Takes in a start tag. The namespace of the element that it makes; `undefined` where it makes none. */
  startTag(tag: Tag): Namespace | undefined {
    const state = this.#state;
    state.position = tag.start;
    state.inserted = undefined;
    state.replacedFrom = undefined;
    if (this.#belongsToHtml(tag.name)) state.start(tag);
    else this.#startForeign(tag);
    return (state.inserted as OpenElement | undefined)?.namespace;
  }

  /** Takes in an end tag: not that of raw text. */
  endTag(name: string, start: number): void {
    const state = this.#state;
    state.position = start;
    state.replacedFrom = undefined;
    if (this.isForeign) this.#endForeign(name);
    else state.end(name);
  }

  /** Takes in a run of text that begins at `start`: not raw text. */
  text(kind: TextKind, start: number): void {
    const state = this.#state;
    state.position = start;
    if (!this.keepsNul) state.text(kind);
    else if (kind === "solid") state.framesetOk = false;
  }

  /** Whether what follows is content of an SVG or MathML element, so that CDATA sections count. */
  get isForeign(): boolean {
    const { current } = this.#state.open;
    return current !== undefined && current.namespace !== "html";
  }

  /** Whether text is foreign content, in which NUL becomes U+FFFD; elsewhere it is dropped. */
  get keepsNul(): boolean {
    return this.isForeign && !this.#state.open.current?.integration;
  }

  /** Whether what follows is inside of a template, so that it is no part of the document. */
  get isInTemplate(): boolean {
    return this.#state.open.count("template") > 0;
  }

  /** Of a frameset that takes the place of a body: where that began. `undefined` for any other start tag. */
  get replacedFrom(): number | undefined {
    return this.#state.replacedFrom;
  }

  /** https://html.spec.whatwg.org/#tree-construction-dispatcher, for a start tag. */
  #belongsToHtml(name: string): boolean {
    const { current } = this.#state.open;
    if (!current || current.namespace === "html" || current.integration === "html") return true;
    if (current.integration === "math text") return name !== "mglyph" && name !== "malignmark";
    return current.namespace === "math" && current.name === "annotation-xml" && name === "svg";
  }

  #startForeign(tag: Tag): void {
    const state = this.#state;
    if (BREAKS_OUT.has(tag.name) || (tag.name === "font" && hasFontAttribute(tag))) {
      this.#leaveForeign();
      state.start(tag);
      return;
    }
    const { namespace } = state.open.current as OpenElement;
    if (tag.selfClosing) state.insertEmpty(tag, namespace);
    else state.insert(tag, namespace);
  }

  #endForeign(name: string): void {
    const { open } = this.#state;
    if (name === "p" || name === "br") this.#leaveForeign();
    // The nearest foreign element of that name is closed, unless an HTML element comes first.
    for (let i = open.depth - 1; i > 0; i--) {
      const element = open.at(i) as OpenElement;
      if (element.namespace === "html") break;
      if (element.name !== name) continue;
      open.shortenTo(i);
      return;
    }
    this.#state.end(name);
  }

  #leaveForeign(): void {
    const { open } = this.#state;
    while (this.isForeign && !open.current?.integration) open.pop();
  }
}

function hasFontAttribute(tag: Tag): boolean {
  return ["color", "face", "size"].some((name) => tag.attribute(name) !== undefined);
}
