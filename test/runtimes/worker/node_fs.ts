// Stands in for `node:fs` in the worker's bundle: the files below `test/` that a test reads, as they were bundled.
import files from "bundled:files";

function pathOf(place: string | URL): string {
  return decodeURIComponent(String(place).replace(/^file:\/\//, "")).replace(/\/$/, "");
}

export function readFileSync(
  place: string | URL,
  options?: string | { encoding?: string },
): string | Uint8Array {
  const base64 = files[pathOf(place)];
  if (base64 === undefined) throw new Error(`Cannot read '${place}' as it is not in the bundle`);
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return options ? new TextDecoder().decode(bytes) : bytes;
}

export function readdirSync(place: string | URL): string[] {
  const folder = `${pathOf(place)}/`;
  const below = Object.keys(files).filter((path) => path.startsWith(folder));
  return [...new Set(below.map((path) => path.slice(folder.length).split("/", 1)[0] ?? ""))];
}

export function existsSync(place: string | URL): boolean {
  return pathOf(place) in files;
}

export function statSync(
  place: string | URL,
  options: { throwIfNoEntry?: boolean } = {},
): { isFile(): boolean } | undefined {
  if (existsSync(place)) return { isFile: () => true };
  if (options.throwIfNoEntry === false) return undefined;
  throw new Error(`Cannot look at '${place}' as it is not in the bundle`);
}
