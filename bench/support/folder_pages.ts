import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The HTML files of one folder below a root, all read at once, by their paths on the site that the root is. */
export function folderPages(root: string, folder: string): Map<string, Buffer> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return new Map(
    files
      .filter((name) => name.endsWith(".html"))
      .map((name) => join("/", folder, name))
      .map((path) => [path, readFileSync(join(root, path))]),
  );
}
