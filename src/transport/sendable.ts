// An authority without credentials, up to its end as the URL standard finds it.
const SENDABLE = /^https?:\/\/[^/?#\\@]+(?:[/?#\\]|$)/i;

/**
 * Lets only URLs of http and https without credentials pass, as some clients would read `file:` URLs or turn
 * credentials into a header.
 *
 * @throws {TypeError} which shows no credentials
 */
export function checkSendable(url: string): void {
  if (SENDABLE.test(url)) return;
  const shown = url.replace(/[^/\\]*@/g, "…@");
  throw new TypeError(`Cannot fetch '${shown}' as it is no URL of http or https without credentials`);
}
