/** The cookies of one crawl, by tough-cookie, which is loaded when a crawl asks for a jar. */
export interface Cookies {
  /** The value of a Cookie header for that URL; `undefined` where there is none. */
  header(url: string): string | undefined;
  /** Takes in what an answer from that URL sets. A cookie that its host may not set is left out. */
  store(url: string, headers: Headers): void;
}

/** An empty jar. */
export async function loadCookies(): Promise<Cookies> {
  const { CookieJar } = await import("tough-cookie");
  const jar = new CookieJar();
  return {
    header: (url) => jar.getCookieStringSync(url) || undefined,
    store(url, headers) {
      for (const line of headers.getSetCookie()) jar.setCookieSync(line, url, { ignoreError: true });
    },
  };
}
