// The first is given to a name that has none of them.
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  "text/html": ["html", "htm"],
  "application/xhtml+xml": ["xhtml", "xht", "html", "htm"],
  "text/xml": ["xml", "xsl", "xsd", "rss", "atom", "rdf"],
  "application/xml": ["xml", "xsl", "xsd", "rss", "atom", "rdf"],
  "application/rss+xml": ["rss", "xml"],
  "application/atom+xml": ["atom", "xml"],
  "text/css": ["css"],
  "text/javascript": ["js", "mjs"],
  "application/javascript": ["js", "mjs"],
  "application/json": ["json", "map", "webmanifest"],
  "application/ld+json": ["jsonld", "json"],
  "text/csv": ["csv"],
  "text/markdown": ["md", "markdown"],
  "application/pdf": ["pdf"],
  "application/epub+zip": ["epub"],
  "application/zip": ["zip"],
  "application/gzip": ["gz", "tgz"],
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg", "jpe"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "image/avif": ["avif"],
  "image/svg+xml": ["svg"],
  "image/x-icon": ["ico"],
  "image/vnd.microsoft.icon": ["ico"],
  "image/bmp": ["bmp"],
  "image/tiff": ["tif", "tiff"],
  "audio/mpeg": ["mp3"],
  "audio/ogg": ["ogg", "oga", "opus"],
  "video/mp4": ["mp4", "m4v"],
  "video/webm": ["webm"],
  "font/woff": ["woff"],
  "font/woff2": ["woff2"],
  "font/ttf": ["ttf"],
  "font/otf": ["otf"],
};

// A browser reads a file by its name alone: what was sent as plain text must not become a page of scripts.
const MARKUP: readonly string[] = ["html", "htm", "xhtml", "xht", "shtml", "svg", "xml", "mhtml"];

/**
 * The extension that a file's name is to have besides its own, without the dot; `undefined` where its own will do.
 *
 * @param own what the name ends in already, in whatever case, without the dot
 * @param contentType a media type in lower case, when one is known
 */
export function addedExtension(own: string | undefined, contentType: string | undefined): string | undefined {
  const ending = own?.toLowerCase();
  if (contentType === "text/plain") {
    return ending === undefined || MARKUP.includes(ending) ? "txt" : undefined;
  }
  if (contentType === undefined || !Object.hasOwn(EXTENSIONS, contentType)) return undefined;
  const fitting = EXTENSIONS[contentType]!;
  return ending !== undefined && fitting.includes(ending) ? undefined : fitting[0];
}
