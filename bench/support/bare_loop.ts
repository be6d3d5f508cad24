// Up to the fragment, which is no part of what is fetched.
const LINK = /<a\s[^>]*href="([^"#]*)/g;

/**
 * The least that a crawler can do: `fetch`, `text()`, a regular expression for links, `new URL`, a `Set`; breadth
 * first, within a scope that is a prefix. Gives the number of pages.
 */
export async function bareLoop(startUrl: string, scope: string, atOnce: number): Promise<number> {
  const seen = new Set([startUrl]);
  const queue = [startUrl];
  let next = 0;
  let pages = 0;
  let inFlight = 0;
  await new Promise<void>((resolve, reject) => {
    const startMore = (): void => {
      if (next === queue.length && inFlight === 0) resolve();
      while (inFlight < atOnce && next < queue.length) {
        inFlight++;
        visit(queue[next++]!).then(startMore, reject);
      }
    };
    const visit = async (url: string): Promise<void> => {
      const response = await fetch(url);
      const text = await response.text();
      if (response.ok) pages++;
      for (const [, href] of text.matchAll(LINK)) {
        const link = new URL(href!, url).href;
        if (!link.startsWith(scope) || seen.has(link)) continue;
        seen.add(link);
        queue.push(link);
      }
      inFlight--;
    };
    startMore();
  });
  return pages;
}
