/** Last labels that are names of files and of no top level: `image@2x.png` is no address. */
const FILE_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    "png jpg jpeg gif svg webp avif ico bmp tif tiff heic apng css scss less js mjs cjs jsx ts tsx " +
    "mts cts vue json map wasm html htm xhtml shtml php asp aspx jsp cgi xml txt csv po pot yml yaml " +
    "toml pdf doc docx xls xlsx ppt pptx odt ods rtf ics vcf eml woff ttf otf eot webm avi mkv wav " +
    "flac ogg ogv mpg mpeg gz tgz tar xz rar exe dll dmg apk deb rpm jar iso bin img bak log git"
  ).split(" "),
);

// RFC 2606 §2 and §3, and RFC 6761.
const PLACEHOLDER = /(?:^|\.)(?:test|example|invalid|localhost|example\.(?:com|net|org))$/;

/**
 * Reads the labels that stand after an at sign as a domain that mail could go to: at least two of them, the last of
 * letters alone (RFC 5321 §4.1.2 with RFC 3696 §2), no file name (`2x.png`) and no version (`1.2.3-beta.rc`).
 *
 * @returns the domain in lower case, or `undefined` where there is none.
 */
export function mailDomain(labels: readonly string[]): string | undefined {
  const kept = labels.map((label) => label.toLowerCase());
  // What follows a full stop without a space may be a number, but no top level is.
  while (kept.length > 2 && /^\d+$/.test(kept.at(-1)!)) kept.pop();
  const topLevel = kept.at(-1) ?? "";
  if (kept.length < 2 || !isTopLevel(topLevel) || FILE_EXTENSIONS.has(topLevel)) return undefined;
  const domain = kept.join(".");
  const isVersion = /^v?\d+\.\d+\b/.test(domain);
  if (isVersion || domain.length > 253 || kept.some((label) => !isLabel(label))) return undefined;
  return asciiDomain(domain) === undefined ? undefined : domain;
}

/** The domain as DNS has it, IDN as `xn--`; `undefined` where it is no name that could be there. */
export function asciiDomain(domain: string): string | undefined {
  if (!/[^\0-\x7f]/.test(domain)) return domain;
  try {
    return new URL(`http://${domain}/`).hostname;
  } catch {
    return undefined;
  }
}

/** Whether a domain, in lower case, is one of those that are reserved for examples and tests: RFC 2606, RFC 6761. */
export function isPlaceholderDomain(domain: string): boolean {
  return PLACEHOLDER.test(domain);
}

/** Whether text could be the last label of a domain: letters alone, or an IDN's `xn--`. */
export function isTopLevel(label: string): boolean {
  return /^(?:[\p{L}\p{M}]{2,63}|xn--[a-z0-9-]{1,59})$/iu.test(label);
}

function isLabel(label: string): boolean {
  return label.length <= 63 && !label.startsWith("-") && !label.endsWith("-");
}
