import { html, type Pages, text } from "./serve.ts";

/** Where each host of the demo listens, by its name. */
export type Origins = Readonly<Record<HostName, string>>;

/** The hosts in the order in which they are presented, each with what it shows. */
export const HOSTS = {
  garden: "robots.txt, a sitemap, redirects, errors",
  library: "asks for a second between two requests",
  shop: "says 429 Too Many Requests, Retry-After: 2",
  ruin: "its robots.txt answers 500",
} as const;

export type HostName = keyof typeof HOSTS;

/** What each host answers, path by path. */
export function demoPages(origins: Origins): Readonly<Record<HostName, Pages>> {
  return { garden: garden(origins), library: library(), shop: shop(), ruin: ruin() };
}

function garden({ garden, library, shop }: Origins): Pages {
  return {
    "/robots.txt": text(`User-agent: *\nDisallow: /shed/\n\nSitemap: ${garden}/sitemap.xml\n`),
    "/sitemap.xml": {
      headers: { "content-type": "application/xml" },
      body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>${garden}/</loc></url>
        <url><loc>${garden}/pond.html</loc><lastmod>2026-05-01</lastmod></url>
      </urlset>`,
    },
    "/": html(
      "The garden",
      `<a href="roses.html">Roses</a> <a href="ferns.html">Ferns</a> <a href="old-map.html">The old map</a>
       <a href="spring.html">What blooms in spring</a> <a href="shed/tools.html">Tools</a>
       <a href="guestbook.html" rel="nofollow">Guest book</a> <a href="plan.pdf">Plan to print</a>
       <a href="staff.html">Staff</a> <a href="${library}/">The library</a> <a href="${shop}/">The shop</a>
       <a href="https://example.com/">Another garden</a>`,
    ),
    "/roses.html": html("Roses", `<a href="/">The garden</a> <a href="lost.html">Thorns</a>`),
    "/ferns.html": html("Ferns", `<a href="fountain.html">The fountain</a> <a href="well.html">The well</a>`),
    "/pond.html": html("The pond, which only the sitemap knows", ""),
    "/old-map.html": { status: 301, headers: { location: "/map.html" } },
    "/map.html": { status: 302, headers: { location: "/maps/2026.html" } },
    "/maps/2026.html": html("Map of 2026", ""),
    "/spring.html": { status: 302, headers: { location: "/roses.html" } },
    "/staff.html": { ...html("Staff only", ""), status: 403 },
    "/plan.pdf": { headers: { "content-type": "application/pdf" }, body: "%PDF-1.7" },
    "/fountain.html": [{ ...html("Out of order", ""), status: 500 }, html("The fountain", "")],
    "/well.html": "hang-up",
  };
}

function library(): Pages {
  return {
    "/robots.txt": text("User-agent: *\nCrawl-delay: 1\n"),
    "/": html("The library", `<a href="herbals.html">Herbals</a> <a href="atlases.html">Atlases</a>`),
    "/herbals.html": html("Herbals", ""),
    "/atlases.html": html("Atlases", ""),
  };
}

function shop(): Pages {
  const tooMany = { status: 429, headers: { "retry-after": "2" }, body: "" };
  return {
    "/": html("The shop", `<a href="bulbs.html">Bulbs</a> <a href="pots.html">Pots</a>`),
    "/bulbs.html": [tooMany, html("Bulbs", "")],
    "/pots.html": html("Pots", ""),
  };
}

function ruin(): Pages {
  return { "/robots.txt": { ...text("Out of order"), status: 500 }, "/": html("The ruin", "") };
}
