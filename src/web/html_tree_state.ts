import {
  createElement,
  type Namespace,
  type OpenElement,
  OpenElements,
  type Tag,
} from "./html_open_elements.ts";

/** https://html.spec.whatwg.org/#the-insertion-mode, but "initial", "text" and "in table text", which need no memory. */
export type ModeName =
  | "before html"
  | "before head"
  | "in head"
  | "in head noscript"
  | "after head"
  | "in body"
  | "in table"
  | "in caption"
  | "in column group"
  | "in table body"
  | "in row"
  | "in cell"
  | "in template"
  | "after body"
  | "in frameset"
  | "after frameset"
  | "after after body"
  | "after after frameset";

/** A run of text: only white space, only NUL, or anything else. */
export type TextKind = "space" | "nul" | "solid";

/** The rules of one insertion mode. */
export interface InsertionMode {
  start(tree: TreeState, tag: Tag): void;
  end(tree: TreeState, name: string): void;
  text(tree: TreeState, kind: TextKind): void;
}

export type InsertionModes = Readonly<Record<ModeName, InsertionMode>>;

/** What the rules of tree construction remember, and the steps that they share. No tree is kept. */
export class TreeState {
  readonly open: OpenElements = new OpenElements();
  mode: ModeName = "before html";
  readonly templateModes: ModeName[] = [];
  framesetOk = true;
  head: OpenElement | undefined;
  form: OpenElement | undefined;
  /** Where in the document the token begins that is being processed. */
  position = 0;
  /** Where in the document the body begins, once it is open. */
  bodyStart = 0;
  /** Where the body began whose place the start tag at hand takes. */
  replacedFrom: number | undefined;
  /** The element that the start tag at hand made. */
  inserted: OpenElement | undefined;
  readonly #modes: InsertionModes;

  constructor(modes: InsertionModes) {
    this.#modes = modes;
  }

  /** Processes a start tag by the rules of a mode. */
  start(tag: Tag, mode: ModeName = this.mode): void {
    this.#modes[mode].start(this, tag);
  }

  end(name: string, mode: ModeName = this.mode): void {
    this.#modes[mode].end(this, name);
  }

  text(kind: TextKind, mode: ModeName = this.mode): void {
    this.#modes[mode].text(this, kind);
  }

  /** Opens the element of the start tag at hand. */
  insert(tag: Tag, namespace: Namespace = "html"): OpenElement {
    this.inserted = createElement(tag, namespace);
    this.open.push(this.inserted);
    return this.inserted;
  }

  /** The same for an element without content, or whose content is raw text that the tokenizer reads. */
  insertEmpty(tag: Tag, namespace: Namespace = "html"): void {
    this.inserted = createElement(tag, namespace);
  }

  /** Opens an element whose start tag was left out. */
  insertImplied(name: string): OpenElement {
    const element = createElement(
      { name, source: `<${name}>`, start: this.position, selfClosing: false, attribute: () => undefined },
      "html",
    );
    this.open.push(element);
    return element;
  }

  /** https://html.spec.whatwg.org/#reset-the-insertion-mode-appropriately */
  resetMode(): void {
    for (let i = this.open.depth - 1; i >= 0; i--) {
      const element = this.open.at(i) as OpenElement;
      const mode = element.namespace === "html" ? this.#modeInside(element.name) : undefined;
      if (mode === undefined) continue;
      this.mode = mode;
      return;
    }
    this.mode = "in body";
  }

  #modeInside(name: string): ModeName | undefined {
    switch (name) {
      case "td":
      case "th":
        return "in cell";
      case "tr":
        return "in row";
      case "tbody":
      case "thead":
      case "tfoot":
        return "in table body";
      case "caption":
        return "in caption";
      case "colgroup":
        return "in column group";
      case "table":
        return "in table";
      case "template":
        return this.templateModes.at(-1);
      case "head":
        return "in head";
      case "body":
        return "in body";
      case "frameset":
        return "in frameset";
      case "html":
        return this.head ? "after head" : "before head";
      default:
        return undefined;
    }
  }
}
