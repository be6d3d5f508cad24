import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/source_files.ts";

/**
 * Puts figures between two marks of a Markdown text, `<!-- bench NAME -->` and `<!-- end -->`, in place of what stands
 * there. Throws where the marks are missing.
 */
export function withFigures(text: string, name: string, figures: string): string {
  const mark = `<!-- bench ${name} -->`;
  const start = text.indexOf(mark);
  const end = text.indexOf("<!-- end -->", start);
  if (start < 0 || end < 0) throw new Error(`Cannot put figures in as there is no '${mark}' with an end`);
  return `${text.slice(0, start)}${mark}\n\n${figures.trim()}\n\n${text.slice(end)}`;
}

/** The same in a file, by its path from the root of the repository. */
export function writeFigures(path: string, name: string, figures: string): void {
  const file = join(ROOT, path);
  writeFileSync(file, withFigures(readFileSync(file, "utf8"), name, figures));
  console.error(`figures put into ${path}`);
}
