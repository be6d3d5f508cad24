import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const ROOT: string = fileURLToPath(new URL("..", import.meta.url));

/** The TypeScript files below some folders, and single ones, by their path from the root of the repository. */
export function readSourceFiles(...places: readonly string[]): Map<string, string> {
  const paths = places.flatMap((place) => (place.endsWith(".ts") ? [place] : filesBelow(place)));
  return new Map(
    paths
      .filter((path) => path.endsWith(".ts"))
      .map((path) => [path, readFileSync(join(ROOT, path), "utf8")]),
  );
}

/** Every file below a folder, by its path from the root of the repository; none where there is no such folder. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(path);
    return [path];
  });
}
