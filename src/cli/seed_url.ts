import { UsageError } from "./usage_error.ts";

// A host without its scheme, as one types it into a browser: `example.com/a`, `localhost:8080`.
const BARE_HOST = /^(?:[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?(?:[/?#]|$)/;

/**
 * A URL to start from, as it was written.
 *
 * @throws {UsageError} where it is none, with what may have been meant
 */
export function readSeed(text: string): string {
  if (URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol)) return text;
  if (BARE_HOST.test(text) && URL.canParse(`http://${text}`)) {
    // A port is the mark of a server under development, which seldom speaks TLS.
    const scheme = new URL(`http://${text}`).port === "" ? "https" : "http";
    throw new UsageError(
      `a URL starts with its scheme: received '${text}', did you mean ${scheme}://${text}?`,
    );
  }
  throw new UsageError(
    URL.canParse(text) ? `only http and https can be crawled: received '${text}'` : `not a URL: '${text}'`,
  );
}

/**
 * The URLs of a list, one a line; empty lines and those that begin with `#` are left out.
 *
 * @param name what the list is called in an error
 * @throws {UsageError} naming the line that is none
 */
export function readSeedList(name: string, text: string): string[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, index) => {
    const seed = line.replace(/^\uFEFF/, "").trim();
    if (seed === "" || seed.startsWith("#")) return [];
    try {
      return [readSeed(seed)];
    } catch (error) {
      throw new UsageError(`${name}, line ${index + 1}: ${(error as UsageError).message}`);
    }
  });
}
