/** The cookies of one crawl, by tough-cookie, which is loaded when a crawl asks for a jar. */
export interface Cookies {
  /** The value of a Cookie header for that URL; `undefined` where there is none. */
  header(url: string): string | undefined;
  /** Takes in what an answer from that URL sets. A cookie that its host may not set is left out. */
  store(url: string, headers: Headers): void;
  /** The jar as JSON. */
  save(): object | undefined;
}

/** A jar: empty, or with what {@link Cookies.save} gave. */
export async function loadCookies(saved?: object): Promise<Cookies> {
  const { CookieJar } = await import("tough-cookie");
  const jar = saved === undefined ? new CookieJar() : CookieJar.fromJSON(JSON.stringify(saved));
  return {
    header: (url) => jar.getCookieStringSync(url) || undefined,
    save: () => jar.toJSON(),
    store(url, headers) {
      for (const line of headers.getSetCookie()) jar.setCookieSync(line, url, { ignoreError: true });
    },
  };
}
