const LINKS = 50;
const FILLER = `<p>${"The line holds, and the spider goes on from thread to thread. ".repeat(3)}</p>\n`;

/** Pages of a site by their paths: each with 51 links, and filled up to a size in bytes. `/` leads to all. */
export function syntheticPages(count: number, bytesEach = 10_240): Map<string, Buffer> {
  const pages = new Map<string, Buffer>();
  for (let n = 0; n < count; n++) pages.set(pathOf(n), Buffer.from(syntheticPage(n, count, bytesEach)));
  return pages;
}

function pathOf(n: number): string {
  return n === 0 ? "/" : `/page/${n}`;
}

function syntheticPage(n: number, count: number, bytes: number): string {
  const links: string[] = [`<a href="/">Home</a>`];
  for (let i = 1; i <= LINKS; i++) {
    const to = (n * LINKS + i) % count;
    links.push(`<li><a href="${pathOf(to)}" class="link">Page ${to}</a></li>`);
  }
  const head = `<!doctype html><html><head><meta charset="utf-8"><title>Page ${n}</title></head><body><ul>`;
  const body = `${head}${links.join("\n")}</ul>\n`;
  const filler = FILLER.repeat(Math.max(0, Math.ceil((bytes - body.length) / FILLER.length)));
  return `${body}${filler}</body></html>`;
}
