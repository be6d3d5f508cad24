/** The type of records that name a domain's mail servers. */
export const MX = 15;

/** The response code of a name that does not exist (RFC 1035 §4.1.1). */
export const NO_SUCH_DOMAIN = 3;

const HEADER_BYTES = 12;
const RECURSION_DESIRED = 0x01;
const IS_RESPONSE = 0x80;
const CLASS_INTERNET = 1;

/** A question for one type of record of a domain in ASCII, as a message of RFC 1035 §4.1. */
export function dnsQuestion(domain: string, type: number): Uint8Array<ArrayBuffer> {
  const labels = domain.split(".").filter((label) => label !== "");
  const name = labels.flatMap((label) => [label.length, ...new TextEncoder().encode(label)]);
  // The identifier is 0, so that caches between know the same question again (RFC 8484 §4.1).
  const header = [0, 0, RECURSION_DESIRED, 0, 0, 1, 0, 0, 0, 0, 0, 0];
  return new Uint8Array([...header, ...name, 0, 0, type, 0, CLASS_INTERNET]);
}

/** The code of a response; `undefined` where the octets are none. */
export function responseCode(message: Uint8Array): number | undefined {
  const [, , flags = 0, code = 0] = message;
  if (message.length < HEADER_BYTES || (flags & IS_RESPONSE) === 0) return undefined;
  return code & 0x0f;
}
