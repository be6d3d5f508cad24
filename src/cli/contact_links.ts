import type { Page } from "../page.ts";

/** A link by which somebody may be reached. */
export interface ContactLink {
  /** `social`: a profile elsewhere; `contact`: a page for contact, or a telephone number. */
  readonly kind: "social" | "contact";
  readonly url: string;
}

const SOCIAL_HOSTS =
  /(?:^|\.)(?:facebook\.com|fb\.com|instagram\.com|threads\.(?:net|com)|twitter\.com|x\.com|linkedin\.com|xing\.com|youtube\.com|youtu\.be|tiktok\.com|pinterest\.(?:com|[a-z]{2})|vimeo\.com|flickr\.com|github\.com|gitlab\.com|bsky\.app|t\.me|telegram\.me|wa\.me|whatsapp\.com|discord\.(?:gg|com)|medium\.com|reddit\.com|twitch\.tv|snapchat\.com|vk\.com|mastodon\.[a-z]+)$/;

// A button to share a page is a link to the network and to nobody in it.
const SHARES =
  /^\/(?:share|sharer|sharing|intent|dialog|submit|pin\/create|home\/?$|feed\/?$|cws\/share|\+share|hashtag|search)\b/i;

const CONTACT_WORDS =
  /(?:^|[^\p{L}])(?:contact(?:[ _-]?us|o|ez[ _-]?nous)?|contatt[io]|contacto|kontakt[a-z]*|kapcsolat|yhteystiedot|impress?um|imprint|legal[ _-]?notice|mentions[ _-]?l[eé]gales|aviso[ _-]?legal|iletisim|お問い合わせ|联系我们|контакты)(?:[^\p{L}]|$)/iu;

/** The contact links of a page, each once. */
export function contactLinksOf(page: Page): ContactLink[] {
  const found = new Map<string, ContactLink>();
  for (const { url, text, kind, rel } of page.links) {
    if (kind !== "a" && kind !== "area") continue;
    const what = kindOf(url, text, rel);
    if (what === undefined) continue;
    const bare = url.replace(/#.*$/, "");
    if (!found.has(bare)) found.set(bare, { kind: what, url: bare });
  }
  return [...found.values()];
}

function kindOf(url: string, text: string, rel: readonly string[]): ContactLink["kind"] | undefined {
  if (/^tel:/i.test(url)) return "contact";
  if (!/^https?:/.test(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  // https://microformats.org/wiki/rel-me: the profile of whoever the page is about.
  if (rel.includes("me")) return "social";
  if (SOCIAL_HOSTS.test(hostname)) return pathname === "/" || SHARES.test(pathname) ? undefined : "social";
  return CONTACT_WORDS.test(decoded(pathname)) || CONTACT_WORDS.test(text) ? "contact" : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
