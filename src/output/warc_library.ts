/** What is used of warcio. */
export type Warcio = Pick<
  typeof import("warcio"),
  "AsyncIterReader" | "WARCParser" | "WARCRecord" | "WARCSerializer"
>;

/** @throws {Error} that says what to install, where warcio is not there */
export async function loadWarcio(): Promise<Warcio> {
  try {
    return await import("warcio");
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `Cannot write WARC without the package 'warcio', which 'npm install warcio' installs: ${message}`,
      { cause },
    );
  }
}
