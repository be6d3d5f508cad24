/** Octets as base64 text: RFC 4648 §4. */
export function encodeBase64(octets: Uint8Array): string {
  let text = "";
  // Arguments of one call go on the stack, which ends somewhere.
  for (let at = 0; at < octets.length; at += 8_192) {
    text += String.fromCharCode(...octets.subarray(at, at + 8_192));
  }
  return btoa(text);
}

/**
 * The octets of base64 text.
 *
 * @throws {TypeError} where it is none
 */
export function decodeBase64(text: string): Uint8Array {
  let octets: string;
  try {
    octets = atob(text);
  } catch {
    throw new TypeError("Cannot read base64 as the text is none");
  }
  return Uint8Array.from(octets, (octet) => octet.charCodeAt(0));
}
