/** A body is not in the coding that its Content-Encoding names, or in one for which there is no decoder. */
export class ContentCodingError extends Error {
  override readonly name: string = "ContentCodingError";
}

/** Whether every runtime decodes a `fetch` body of this Content-Encoding, "" being none. */
export function isDecodedByAll(contentEncoding: string): boolean {
  return /^(?:gzip|br|)$/i.test(contentEncoding);
}
