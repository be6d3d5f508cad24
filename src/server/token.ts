/**
 * Whether two secrets are equal. How long it takes tells nothing about how alike they are: what is compared are their
 * digests, all octets of them, so that neither a common beginning nor the length shows.
 */
export async function isSameSecret(given: string, secret: string): Promise<boolean> {
  const [a, b] = await Promise.all([digest(given), digest(secret)]);
  let difference = 0;
  for (const [index, octet] of a.entries()) difference |= octet ^ b[index]!;
  return difference === 0;
}

/** The token of an `Authorization` header; `undefined` where it has none. Source: RFC 6750 §2.1, RFC 9110 §11.1. */
export function bearerToken(authorization: string | null): string | undefined {
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? "")?.[1];
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
