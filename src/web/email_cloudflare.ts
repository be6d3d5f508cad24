/** Decodes what Cloudflare puts in an address's place: the first octet is the key, the others are UTF-8 under it. */
export function decodeCloudflare(code: string): string | undefined {
  if (code.length % 2 !== 0 || !/^[0-9a-f]{4,2048}$/i.test(code)) return undefined;
  const [key, ...hidden] = code.match(/../g)!.map((hex) => Number.parseInt(hex, 16));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(hidden, (octet) => octet ^ key!));
  } catch {
    return undefined;
  }
}

/** The code in a link to Cloudflare's page about protected addresses, which itself is not worth a request. */
export function cloudflareCode(href: string): string | undefined {
  return /\/cdn-cgi\/l\/email-protection#([0-9a-f]+)/i.exec(href)?.[1];
}
