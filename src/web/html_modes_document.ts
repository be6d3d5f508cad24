/** The insertion modes around the body: https://html.spec.whatwg.org/#the-before-html-insertion-mode and those after it. */

import type { Tag } from "./html_open_elements.ts";
import type { InsertionMode, ModeName, TreeState } from "./html_tree_state.ts";

function isOneOf(names: string): (name: string) => boolean {
  const set = new Set(names.split(" "));
  return (name) => set.has(name);
}

/** End tags that imply what they would end; all others mean nothing before the body. */
const impliesOpening = isOneOf("head body html br");
const belongsToHead = isOneOf("base basefont bgsound link meta noframes script style template title");
const staysInNoscript = isOneOf("basefont bgsound link meta noframes style");

export const beforeHtml: InsertionMode = {
  start(tree, tag) {
    if (tag.name === "html") {
      tree.insert(tag);
      tree.mode = "before head";
      return;
    }
    openHtml(tree);
    tree.start(tag);
  },
  end(tree, name) {
    if (!impliesOpening(name)) return;
    openHtml(tree);
    tree.end(name);
  },
  text(tree, kind) {
    if (kind === "space") return;
    openHtml(tree);
    tree.text(kind);
  },
};

function openHtml(tree: TreeState): void {
  tree.insertImplied("html");
  tree.mode = "before head";
}

export const beforeHead: InsertionMode = {
  start(tree, tag) {
    if (tag.name === "html") return;
    if (tag.name === "head") {
      tree.head = tree.insert(tag);
      tree.mode = "in head";
      return;
    }
    openHead(tree);
    tree.start(tag);
  },
  end(tree, name) {
    if (!impliesOpening(name)) return;
    openHead(tree);
    tree.end(name);
  },
  text(tree, kind) {
    if (kind === "space") return;
    openHead(tree);
    tree.text(kind);
  },
};

function openHead(tree: TreeState): void {
  tree.head = tree.insertImplied("head");
  tree.mode = "in head";
}

export const inHead: InsertionMode = {
  start(tree, tag) {
    const { name } = tag;
    if (name === "html" || name === "head") return;
    if (name === "template") return startTemplate(tree, tag);
    if (belongsToHead(name)) return tree.insertEmpty(tag);
    if (name === "noscript") {
      tree.insert(tag);
      tree.mode = "in head noscript";
      return;
    }
    closeHead(tree);
    tree.start(tag);
  },
  end(tree, name) {
    if (name === "head") return closeHead(tree);
    if (name === "template") return endTemplate(tree);
    if (!impliesOpening(name)) return;
    closeHead(tree);
    tree.end(name);
  },
  text(tree, kind) {
    if (kind === "space") return;
    closeHead(tree);
    tree.text(kind);
  },
};

function closeHead(tree: TreeState): void {
  tree.open.pop();
  tree.mode = "after head";
}

function startTemplate(tree: TreeState, tag: Tag): void {
  tree.insert(tag);
  tree.open.pushMarker();
  tree.framesetOk = false;
  tree.mode = "in template";
  tree.templateModes.push("in template");
}

function endTemplate(tree: TreeState): void {
  if (tree.open.count("template") === 0) return;
  tree.open.closeImpliedThoroughly();
  tree.open.popPast("template");
  tree.open.clearToMarker();
  tree.templateModes.pop();
  tree.resetMode();
}

export const inHeadNoscript: InsertionMode = {
  start(tree, tag) {
    const { name } = tag;
    if (name === "html" || name === "head" || name === "noscript") return;
    if (staysInNoscript(name)) return tree.start(tag, "in head");
    closeNoscript(tree);
    tree.start(tag);
  },
  end(tree, name) {
    if (name === "noscript") return closeNoscript(tree);
    if (name !== "br") return;
    closeNoscript(tree);
    tree.end(name);
  },
  text(tree, kind) {
    if (kind === "space") return;
    closeNoscript(tree);
    tree.text(kind);
  },
};

function closeNoscript(tree: TreeState): void {
  tree.open.pop();
  tree.mode = "in head";
}

export const afterHead: InsertionMode = {
  start(tree, tag) {
    const { name } = tag;
    if (name === "html" || name === "head") return;
    if (name === "body") {
      tree.insert(tag);
      tree.bodyStart = tag.start;
      tree.framesetOk = false;
      tree.mode = "in body";
      return;
    }
    if (name === "frameset") {
      tree.insert(tag);
      tree.mode = "in frameset";
      return;
    }
    if (belongsToHead(name)) return startInClosedHead(tree, tag);
    openBody(tree);
    tree.start(tag);
  },
  end(tree, name) {
    if (name === "template") return tree.end(name, "in head");
    if (name === "head" || !impliesOpening(name)) return;
    openBody(tree);
    tree.end(name);
  },
  text(tree, kind) {
    if (kind === "space") return;
    openBody(tree);
    tree.text(kind);
  },
};

/** What belongs to the head still goes there. */
function startInClosedHead(tree: TreeState, tag: Tag): void {
  const { head } = tree;
  if (head) tree.open.push(head);
  tree.start(tag, "in head");
  if (head) tree.open.remove(head);
}

function openBody(tree: TreeState): void {
  tree.insertImplied("body");
  tree.bodyStart = tree.position;
  tree.mode = "in body";
}

export const inTemplate: InsertionMode = {
  start(tree, tag) {
    if (belongsToHead(tag.name)) return tree.start(tag, "in head");
    const mode = modeForTemplateContent(tag.name);
    tree.templateModes.pop();
    tree.templateModes.push(mode);
    tree.mode = mode;
    tree.start(tag);
  },
  end(tree, name) {
    if (name === "template") tree.end(name, "in head");
  },
  text(tree, kind) {
    tree.text(kind, "in body");
  },
};

function modeForTemplateContent(name: string): ModeName {
  switch (name) {
    case "caption":
    case "colgroup":
    case "tbody":
    case "tfoot":
    case "thead":
      return "in table";
    case "col":
      return "in column group";
    case "tr":
      return "in table body";
    case "td":
    case "th":
      return "in row";
    default:
      return "in body";
  }
}

function afterTheBody(next: ModeName): InsertionMode {
  return {
    start(tree, tag) {
      if (tag.name === "html") return;
      tree.mode = "in body";
      tree.start(tag);
    },
    end(tree, name) {
      if (name === "html") {
        tree.mode = next;
        return;
      }
      tree.mode = "in body";
      tree.end(name);
    },
    text(tree, kind) {
      if (kind !== "space") tree.mode = "in body";
      tree.text(kind, "in body");
    },
  };
}

export const afterBody: InsertionMode = afterTheBody("after after body");

export const afterAfterBody: InsertionMode = {
  ...afterBody,
  end(tree, name) {
    tree.mode = "in body";
    tree.end(name);
  },
};

export const inFrameset: InsertionMode = {
  start(tree, tag) {
    if (tag.name === "frameset") tree.insert(tag);
    else if (tag.name === "frame") tree.insertEmpty(tag);
    else if (tag.name === "noframes") tree.start(tag, "in head");
  },
  end(tree, name) {
    if (name !== "frameset" || tree.open.depth === 1) return;
    tree.open.pop();
    if (!tree.open.currentIs("frameset")) tree.mode = "after frameset";
  },
  text() {},
};

export const afterFrameset: InsertionMode = {
  start(tree, tag) {
    if (tag.name === "noframes") tree.start(tag, "in head");
  },
  end(tree, name) {
    if (name === "html") tree.mode = "after after frameset";
  },
  text() {},
};

export const afterAfterFrameset: InsertionMode = { ...afterFrameset, end() {} };
