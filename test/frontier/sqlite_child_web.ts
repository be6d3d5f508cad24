/** Where the crawl that is killed begins, and how much it does at once. */
export const CHILD_SEED = "https://h0.test/0";
export const CHILD_CONCURRENCY = 8;

const HOSTS = 7;
const PAGES = 400;

function urlOf(n: number): string {
  return `https://h${n % HOSTS}.test/${n}`;
}

/** Every page's URL, as its page has it in the end. */
export const childUrls: readonly string[] = Array.from({ length: PAGES }, (_, n) => urlOf(n));

// By URL: those that have failed once in this process. Each is asked for again, later.
const failed = new Set<string>();

/** A web of pages on several hosts: a tree with links across, redirects, and answers that are to be tried again. */
export function answer(url: string): Response {
  const { pathname } = new URL(url);
  if (pathname === "/robots.txt") return new Response(null, { status: 404 });
  if (pathname.startsWith("/to/")) {
    return new Response(null, { status: 302, headers: { location: urlOf(Number(pathname.slice(4))) } });
  }
  const n = Number(pathname.slice(1));
  if (n % 11 === 5 && !failed.has(url)) {
    failed.add(url);
    return new Response("", { status: 503 });
  }
  // Of its two children the second is reached by way of a redirect alone.
  const links = [urlOf((n * 31) % PAGES), urlOf(0)];
  if (2 * n + 1 < PAGES) links.push(urlOf(2 * n + 1));
  const second = 2 * n + 2;
  // From its own host, or from another.
  if (second < PAGES) links.push(`https://h${(n % 2 === 0 ? second : n) % HOSTS}.test/to/${second}`);
  const body = links.map((link) => `<a href="${link}">x</a>`).join("");
  return new Response(body, { headers: { "content-type": "text/html" } });
}
