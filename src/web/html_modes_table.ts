/** The insertion modes of tables: https://html.spec.whatwg.org/#parsing-main-intable and those after it. */

import type { Tag } from "./html_open_elements.ts";
import type { InsertionMode, TreeState } from "./html_tree_state.ts";

const TABLE_PARTS = new Set("body caption col colgroup html tbody td tfoot th thead tr".split(" "));
const SECTIONS = ["tbody", "tfoot", "thead"];
const CELLS = ["td", "th"];

/** Text right inside one of these is no part of the table. */
const TAKES_NO_TEXT = ["table", "tbody", "template", "tfoot", "thead", "tr"];

/** Start tags that end a caption or a cell. */
const ENDS_CONTENT = new Set("caption col colgroup tbody td tfoot th thead tr".split(" "));

export const inTable: InsertionMode = {
  start(tree, tag) {
    switch (tag.name) {
      case "caption":
        tree.open.popTo("table", "template");
        tree.open.pushMarker();
        tree.insert(tag);
        tree.mode = "in caption";
        return;
      case "colgroup":
        tree.open.popTo("table", "template");
        tree.insert(tag);
        tree.mode = "in column group";
        return;
      case "col":
        return startImplied(tree, tag, "colgroup");
      case "tbody":
      case "tfoot":
      case "thead":
        tree.open.popTo("table", "template");
        tree.insert(tag);
        tree.mode = "in table body";
        return;
      case "td":
      case "th":
      case "tr":
        return startImplied(tree, tag, "tbody");
      case "table":
        if (closeTable(tree)) tree.start(tag);
        return;
      case "style":
      case "script":
      case "template":
        return tree.start(tag, "in head");
      case "input":
        if (tag.attribute("type")?.toLowerCase() === "hidden") return tree.insertEmpty(tag);
        break;
      case "form":
        return startForm(tree, tag);
    }
    tree.start(tag, "in body");
  },
  end(tree, name) {
    if (name === "table") closeTable(tree);
    else if (name === "template") tree.end(name, "in head");
    else if (!TABLE_PARTS.has(name)) tree.end(name, "in body");
  },
  text(tree, kind) {
    if (kind === "solid" || !tree.open.currentIs(...TAKES_NO_TEXT)) tree.text(kind, "in body");
  },
};

function startImplied(tree: TreeState, tag: Tag, name: "colgroup" | "tbody"): void {
  tree.open.popTo("table", "template");
  tree.insertImplied(name);
  tree.mode = name === "tbody" ? "in table body" : "in column group";
  tree.start(tag);
}

function startForm(tree: TreeState, tag: Tag): void {
  if (tree.open.count("template") > 0 || tree.form) return;
  tree.form = tree.insert(tag);
  tree.open.pop();
}

function closeTable(tree: TreeState): boolean {
  if (!tree.open.inScope("table", "table")) return false;
  tree.open.popPast("table");
  tree.resetMode();
  return true;
}

export const inCaption: InsertionMode = {
  start(tree, tag) {
    if (!ENDS_CONTENT.has(tag.name)) return tree.start(tag, "in body");
    if (closeCaption(tree)) tree.start(tag);
  },
  end(tree, name) {
    if (name === "caption") closeCaption(tree);
    else if (name === "table") {
      if (closeCaption(tree)) tree.end(name);
    } else if (!TABLE_PARTS.has(name)) tree.end(name, "in body");
  },
  text(tree, kind) {
    tree.text(kind, "in body");
  },
};

function closeCaption(tree: TreeState): boolean {
  if (!tree.open.inScope("table", "caption")) return false;
  tree.open.closeImplied();
  tree.open.popPast("caption");
  tree.open.clearToMarker();
  tree.mode = "in table";
  return true;
}

export const inColumnGroup: InsertionMode = {
  start(tree, tag) {
    if (tag.name === "html") return;
    if (tag.name === "col") return tree.insertEmpty(tag);
    if (tag.name === "template") return tree.start(tag, "in head");
    if (closeColumnGroup(tree)) tree.start(tag);
  },
  end(tree, name) {
    if (name === "colgroup") closeColumnGroup(tree);
    else if (name === "template") tree.end(name, "in head");
    else if (name !== "col" && closeColumnGroup(tree)) tree.end(name);
  },
  text(tree, kind) {
    if (kind !== "space" && closeColumnGroup(tree)) tree.text(kind);
  },
};

function closeColumnGroup(tree: TreeState): boolean {
  if (!tree.open.currentIs("colgroup")) return false;
  tree.open.pop();
  tree.mode = "in table";
  return true;
}

export const inTableBody: InsertionMode = {
  start(tree, tag) {
    const { name } = tag;
    if (name === "tr") {
      tree.open.popTo(...SECTIONS, "template");
      tree.insert(tag);
      tree.mode = "in row";
    } else if (CELLS.includes(name)) {
      tree.open.popTo(...SECTIONS, "template");
      tree.insertImplied("tr");
      tree.mode = "in row";
      tree.start(tag);
    } else if (ENDS_CONTENT.has(name)) {
      if (closeSection(tree)) tree.start(tag);
    } else tree.start(tag, "in table");
  },
  end(tree, name) {
    if (SECTIONS.includes(name)) {
      if (tree.open.inScope("table", name)) closeSection(tree);
    } else if (name === "table") {
      if (closeSection(tree)) tree.end(name);
    } else if (!TABLE_PARTS.has(name)) tree.end(name, "in table");
  },
  text(tree, kind) {
    tree.text(kind, "in table");
  },
};

function closeSection(tree: TreeState): boolean {
  if (!tree.open.inScope("table", ...SECTIONS)) return false;
  tree.open.popTo(...SECTIONS, "template");
  tree.open.pop();
  tree.mode = "in table";
  return true;
}

export const inRow: InsertionMode = {
  start(tree, tag) {
    const { name } = tag;
    if (CELLS.includes(name)) {
      tree.open.popTo("tr", "template");
      tree.insert(tag);
      tree.mode = "in cell";
      tree.open.pushMarker();
    } else if (ENDS_CONTENT.has(name)) {
      if (closeRow(tree)) tree.start(tag);
    } else tree.start(tag, "in table");
  },
  end(tree, name) {
    if (name === "tr") closeRow(tree);
    else if (name === "table") {
      if (closeRow(tree)) tree.end(name);
    } else if (SECTIONS.includes(name)) {
      if (tree.open.inScope("table", name) && closeRow(tree)) tree.end(name);
    } else if (!TABLE_PARTS.has(name)) tree.end(name, "in table");
  },
  text(tree, kind) {
    tree.text(kind, "in table");
  },
};

function closeRow(tree: TreeState): boolean {
  if (!tree.open.inScope("table", "tr")) return false;
  tree.open.popTo("tr", "template");
  tree.open.pop();
  tree.mode = "in table body";
  return true;
}

export const inCell: InsertionMode = {
  start(tree, tag) {
    if (!ENDS_CONTENT.has(tag.name)) return tree.start(tag, "in body");
    if (!tree.open.inScope("table", ...CELLS)) return;
    closeCell(tree);
    tree.start(tag);
  },
  end(tree, name) {
    if (CELLS.includes(name)) {
      if (tree.open.inScope("table", name)) closeCell(tree, name);
    } else if (name === "table" || name === "tr" || SECTIONS.includes(name)) {
      if (!tree.open.inScope("table", name)) return;
      closeCell(tree);
      tree.end(name);
    } else if (!TABLE_PARTS.has(name)) tree.end(name, "in body");
  },
  text(tree, kind) {
    tree.text(kind, "in body");
  },
};

function closeCell(tree: TreeState, ...names: string[]): void {
  tree.open.closeImplied();
  tree.open.popPast(...(names.length > 0 ? names : CELLS));
  tree.open.clearToMarker();
  tree.mode = "in row";
}
