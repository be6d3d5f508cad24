/**
 * The stack of open elements and the list of active formatting elements of the HTML standard, as far as they
 * decide what a later tag means. https://html.spec.whatwg.org/#the-stack-of-open-elements
 */

export type Namespace = "html" | "svg" | "math";

/** A start tag, as tree construction asks for it. */
export interface Tag {
  readonly name: string;
  /** As written, from `<` to `>`. */
  readonly source: string;
  /** Where it begins in the document. */
  readonly start: number;
  readonly selfClosing: boolean;
  attribute(name: string): string | undefined;
}

export interface OpenElement {
  /** In lower case, `foreignobject` too. */
  readonly name: string;
  readonly namespace: Namespace;
  /** The start tag as written: tells equal formatting elements. */
  readonly source: string;
  /** https://html.spec.whatwg.org/#special */
  readonly special: boolean;
  /** In what foreign element HTML may go on: https://html.spec.whatwg.org/#html-integration-point */
  readonly integration: "html" | "math text" | undefined;
  /** The scopes that end at this element, as bits. */
  readonly barrier: number;
  /** Whether it is on the stack. */
  open: boolean;
}

/** Where the reach of an end tag stops. https://html.spec.whatwg.org/#has-an-element-in-the-specific-scope */
export type Scope = "default" | "button" | "list-item" | "table";

type FormattingEntry = OpenElement | "marker";

// Browsers bound the depth of a tree likewise. Every walk over the stack or the list is bounded by these, so that
// a hostile page costs time in proportion to its length.
const MAX_DEPTH = 512;
const MAX_FORMATTING = 64;

const SCOPE_BITS: Record<Scope, number> = { default: 1, button: 2, "list-item": 4, table: 8 };

/** All but the table scope end where HTML may go on inside foreign content. */
const FOREIGN_BARRIER = SCOPE_BITS.default | SCOPE_BITS.button | SCOPE_BITS["list-item"];

function nameSet(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

const FOREIGN_BARRIERS = {
  math: nameSet("mi mo mn ms mtext annotation-xml"),
  svg: nameSet("foreignobject desc title"),
};
const HTML_BARRIERS: Record<Scope, ReadonlySet<string>> = {
  default: nameSet("applet caption html table td th marquee object select template"),
  button: nameSet("applet caption html table td th marquee object select template button"),
  "list-item": nameSet("applet caption html table td th marquee object select template ol ul"),
  table: nameSet("html table template"),
};

const SPECIAL = nameSet(
  "address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup " +
    "dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head " +
    "header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes " +
    "noscript object ol p param plaintext pre script search section select source style summary table tbody td " +
    "template textarea tfoot th thead title tr track ul wbr xmp",
);

const IMPLIED_END = nameSet("dd dt li optgroup option p rb rp rt rtc");
const THOROUGHLY_IMPLIED_END = nameSet(
  "dd dt li optgroup option p rb rp rt rtc caption colgroup tbody td tfoot th thead tr",
);

/** The element that a start tag makes. */
export function createElement(tag: Tag, namespace: Namespace): OpenElement {
  const { name, source } = tag;
  const isSpecial = (namespace === "html" ? SPECIAL : FOREIGN_BARRIERS[namespace]).has(name);
  const integration = isSpecial ? integrationOf(tag, namespace) : undefined;
  const barrier = namespace === "html" ? htmlBarrier(name) : isSpecial ? FOREIGN_BARRIER : 0;
  return { name, namespace, source, special: isSpecial, integration, barrier, open: false };
}

function integrationOf(tag: Tag, namespace: Namespace): OpenElement["integration"] {
  if (namespace === "html") return undefined;
  if (namespace === "svg") return "html";
  if (tag.name !== "annotation-xml") return "math text";
  const encoding = tag.attribute("encoding")?.toLowerCase();
  return encoding === "text/html" || encoding === "application/xhtml+xml" ? "html" : undefined;
}

function htmlBarrier(name: string): number {
  let bits = 0;
  for (const scope of Object.keys(SCOPE_BITS) as Scope[]) {
    if (HTML_BARRIERS[scope].has(name)) bits |= SCOPE_BITS[scope];
  }
  return bits;
}

export class OpenElements {
  readonly #stack: OpenElement[] = [];
  readonly #formatting: FormattingEntry[] = [];
  /** How many HTML elements of each name are open: most end tags and scopes are answered by that. */
  readonly #counts = new Map<string, number>();

  get current(): OpenElement | undefined {
    return this.#stack[this.#stack.length - 1];
  }

  /** How many HTML elements of this name are open. */
  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  get depth(): number {
    return this.#stack.length;
  }

  /** The open element at `index`, counted from the root. */
  at(index: number): OpenElement | undefined {
    return this.#stack[index];
  }

  /** Whether the current node is an HTML element of one of these names. */
  currentIs(...names: string[]): boolean {
    const { current } = this;
    return current?.namespace === "html" && names.includes(current.name);
  }

  push(element: OpenElement): void {
    if (this.#stack.length >= MAX_DEPTH) this.pop();
    this.#stack.push(element);
    this.#opened(element);
  }

  pop(): void {
    const element = this.#stack.pop();
    if (element) this.#closed(element);
  }

  /** Takes an element out, wherever it stands. */
  remove(element: OpenElement): void {
    const index = this.#stack.lastIndexOf(element);
    if (index < 0) return;
    this.#stack.splice(index, 1);
    this.#closed(element);
  }

  /** Pops until so many are left. */
  shortenTo(depth: number): void {
    while (this.#stack.length > depth) this.pop();
  }

  /** Pops until an HTML element of one of these names has been popped; never the root. */
  popPast(...names: string[]): void {
    while (this.#stack.length > 1) {
      const found = this.currentIs(...names);
      this.pop();
      if (found) return;
    }
  }

  /** Pops until the current node is an HTML element of one of these names, or the root. */
  popTo(...names: string[]): void {
    while (this.#stack.length > 1 && !this.currentIs(...names)) this.pop();
  }

  /** Whether an HTML element of one of these names is open and within the reach of an end tag. */
  inScope(scope: Scope, ...names: string[]): boolean {
    if (!names.some((name) => this.count(name) > 0)) return false;
    const bit = SCOPE_BITS[scope];
    for (let i = this.#stack.length - 1; i >= 0; i--) {
      const element = this.#stack[i] as OpenElement;
      if (element.namespace === "html" && names.includes(element.name)) return true;
      if (element.barrier & bit) return false;
    }
    return false;
  }

  /** Whether this very element is open and within the reach of an end tag. */
  reaches(target: OpenElement): boolean {
    for (let i = this.#stack.length - 1; i >= 0; i--) {
      const element = this.#stack[i] as OpenElement;
      if (element === target) return true;
      if (element.barrier & SCOPE_BITS.default) return false;
    }
    return false;
  }

  /** https://html.spec.whatwg.org/#generate-implied-end-tags */
  closeImplied(except?: string): void {
    for (let { current } = this; current; current = this.current) {
      if (current.namespace !== "html" || current.name === except || !IMPLIED_END.has(current.name)) return;
      this.pop();
    }
  }

  /** https://html.spec.whatwg.org/#generate-all-implied-end-tags-thoroughly */
  closeImpliedThoroughly(): void {
    while (this.current?.namespace === "html" && THOROUGHLY_IMPLIED_END.has(this.current.name)) this.pop();
  }

  closeParagraph(): void {
    if (!this.inScope("button", "p")) return;
    this.closeImplied("p");
    this.popPast("p");
  }

  /** What an end tag does that no rule names: it closes the nearest element of its name that no special one hides. */
  closeOrdinary(name: string): void {
    if (this.count(name) === 0) return;
    for (let i = this.#stack.length - 1; i > 0; i--) {
      const element = this.#stack[i] as OpenElement;
      if (element.namespace === "html" && element.name === name) {
        this.closeImplied(name);
        this.shortenTo(i);
        return;
      }
      if (element.special) return;
    }
  }

  pushMarker(): void {
    this.#formatting.push("marker");
    if (this.#formatting.length > MAX_FORMATTING) this.#formatting.shift();
  }

  clearToMarker(): void {
    while (this.#formatting.length > 0 && this.#formatting.pop() !== "marker");
  }

  /** The last active formatting element of this name since the last marker. */
  activeFormatting(name: string): OpenElement | undefined {
    for (let i = this.#formatting.length - 1; i >= 0; i--) {
      const entry = this.#formatting[i] as FormattingEntry;
      if (entry === "marker") return undefined;
      if (entry.name === name) return entry;
    }
    return undefined;
  }

  /** At most three equal ones are kept: https://html.spec.whatwg.org/#push-onto-the-list-of-active-formatting-elements */
  pushFormatting(element: OpenElement): void {
    let equal = 0;
    for (let i = this.#formatting.length - 1; i >= 0; i--) {
      const entry = this.#formatting[i] as FormattingEntry;
      if (entry === "marker") break;
      if (entry.source !== element.source || ++equal < 3) continue;
      this.#formatting.splice(i, 1);
      break;
    }
    this.#formatting.push(element);
    if (this.#formatting.length > MAX_FORMATTING) this.#formatting.shift();
  }

  removeFormatting(element: OpenElement): void {
    const index = this.#formatting.lastIndexOf(element);
    if (index >= 0) this.#formatting.splice(index, 1);
  }

  /** https://html.spec.whatwg.org/#reconstruct-the-active-formatting-elements */
  reconstructFormatting(): void {
    const list = this.#formatting;
    let first = list.length;
    while (first > 0 && list[first - 1] !== "marker" && !(list[first - 1] as OpenElement).open) first--;
    for (let i = first; i < list.length; i++) {
      const copy = reopened(list[i] as OpenElement);
      list[i] = copy;
      this.push(copy);
    }
  }

  /** What the end tag of a formatting element does: https://html.spec.whatwg.org/#adoption-agency-algorithm */
  closeFormatting(name: string): void {
    const { current } = this;
    if (current && this.currentIs(name) && !this.#formatting.includes(current)) {
      this.pop();
      return;
    }
    for (let round = 0; round < 8; round++) {
      const formatting = this.activeFormatting(name);
      if (!formatting) {
        this.closeOrdinary(name);
        return;
      }
      if (!formatting.open) {
        this.removeFormatting(formatting);
        return;
      }
      if (!this.reaches(formatting) || !this.#adopt(formatting)) return;
    }
  }

  /** One round of the adoption agency. False where no special element stands inside `formatting`. */
  #adopt(formatting: OpenElement): boolean {
    const stack = this.#stack;
    const depth = stack.lastIndexOf(formatting);
    const furthest = stack.findIndex((element, index) => index > depth && element.special);
    if (furthest < 0) {
      this.shortenTo(depth);
      this.removeFormatting(formatting);
      return false;
    }
    const block = stack[furthest] as OpenElement;
    let after: OpenElement = formatting; // Its copy goes behind this one in the list.
    for (let i = furthest - 1, count = 1; i > depth; i--, count++) {
      const element = stack[i] as OpenElement;
      if (count > 3) this.removeFormatting(element);
      const listed = this.#formatting.lastIndexOf(element);
      if (listed < 0) {
        this.remove(element);
        continue;
      }
      const copy = reopened(element);
      this.#formatting[listed] = copy;
      stack[i] = copy;
      this.#closed(element);
      this.#opened(copy);
      if (after === formatting) after = copy;
    }
    const copy = reopened(formatting);
    this.#formatting.splice(this.#formatting.lastIndexOf(after) + 1, 0, copy);
    this.removeFormatting(formatting);
    this.remove(formatting);
    stack.splice(stack.lastIndexOf(block) + 1, 0, copy);
    this.#opened(copy);
    return true;
  }

  #opened(element: OpenElement): void {
    element.open = true;
    if (element.namespace === "html") this.#counts.set(element.name, this.count(element.name) + 1);
  }

  #closed(element: OpenElement): void {
    element.open = false;
    if (element.namespace === "html") this.#counts.set(element.name, this.count(element.name) - 1);
  }
}

function reopened(element: OpenElement): OpenElement {
  return { ...element, open: false };
}
