import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { revisionTree } from "../../bench/support/revision_tree.ts";
import { ROOT } from "../../scripts/source_files.ts";

// What came as an archive has no revisions.
describe.skipIf(!existsSync(join(ROOT, ".git")))("revisionTree()", () => {
  it("has the revision's files and this tree's packages, until it is removed", () => {
    const tree = revisionTree("HEAD")!;
    expect(tree.commit).toMatch(/^[0-9a-f]{7,}$/);
    expect(readFileSync(join(tree.path, "mod.ts"), "utf8")).toContain("export");
    expect(existsSync(join(tree.path, "node_modules/vitest/package.json"))).toBe(true);
    tree.remove();
    expect(existsSync(tree.path)).toBe(false);
    expect(existsSync(join(ROOT, "node_modules/vitest/package.json"))).toBe(true);
  });

  it("gives nothing for what is no commit", () => {
    expect(revisionTree("no-such-revision")).toBeUndefined();
    // An option of git's is no revision either.
    expect(revisionTree("--all")).toBeUndefined();
  });
});
