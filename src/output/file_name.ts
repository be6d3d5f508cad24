import { fingerprint } from "../frontier/fingerprint.ts";
import { addedExtension } from "./file_extension.ts";

// File systems take 255 octets (ext4, APFS) or UTF-16 units (NTFS); the rest is for what is added to a name later on.
const MAX_NAME_BYTES = 200;
// macOS takes 1,024 in all, and the folder has its own.
const MAX_PATH_BYTES = 500;

/**
 * The file to which a URL belongs, as a path below some folder with `/` between its names: `a.test/docs/page.html`.
 *
 * Host and path of the URL are its folders and name, escapes decoded; a path that ends in `/` is the file `index`; a
 * query follows the name after an `@`; an extension is added where the name's own does not fit the media type. No name
 * is one that a file system refuses or takes for something else: `.` and `..`, separators, control and invisible
 * characters, what Windows reserves, ends in a dot or a space, more than 200 octets. A path of more than 500 octets is
 * shortened. What is shortened bears a digest of the whole. Names are in Unicode's form NFC.
 *
 * Two URLs may have the same: {@link FileNames} tells them apart.
 *
 * @param url absolute
 * @param contentType the media type in lower case, when it is known
 *
 * @example
 * ```ts
 * fileNameOf("https://a.test/docs/?page=2", "text/html"); // "a.test/docs/index@page=2.html"
 * ```
 */
export function fileNameOf(url: string, contentType: string | undefined): string {
  const { hostname, port, pathname, search } = new URL(url);
  const host = safeName(port === "" ? hostname : `${hostname}+${port}`);
  const segments = pathname.split("/").slice(1);
  const last = segments.pop() || "index";
  const { stem, extension } = splitExtension(last, contentType);
  const query = search === "" ? "" : `@${decoded(search.slice(1))}`;
  const name = safeName(decoded(stem) + query, extension);
  const path = [host, ...segments.map((segment) => safeName(decoded(segment))), name].join("/");
  return byteLength(path) <= MAX_PATH_BYTES ? path : `${host}/~/${digest(path)}${extension}`;
}

/** A path with a mark between the name of the file and its extension. */
export function withMark(path: string, mark: string): string {
  const nameStart = path.lastIndexOf("/") + 1;
  const dot = path.lastIndexOf(".");
  const end = dot > nameStart ? dot : path.length;
  return `${path.slice(0, end)}~${mark}${path.slice(end)}`;
}

/** Sixteen letters and digits that stand for a text. */
export function digest(text: string): string {
  const { high, low } = fingerprint(text, 0);
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}

function splitExtension(name: string, contentType: string | undefined): { stem: string; extension: string } {
  const [, ownStem = name, own] = /^(.+)\.([A-Za-z0-9]{1,10})$/.exec(name) ?? [];
  const added = addedExtension(own, contentType);
  if (added !== undefined) return { stem: name, extension: `.${added}` };
  return own === undefined ? { stem: name, extension: "" } : { stem: ownStem, extension: `.${own}` };
}

/** Escapes decoded where they are UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Controls, what Windows does not take in a name, what is not seen (line separators, marks of direction), and the `~1`
// by which Windows calls files that have longer names.
const UNSAFE = /[\x00-\x1f\x7f-\x9f<>:"/\\|?*\p{Cf}\p{Cs}\u2028\u2029]|~(?=\d)/gu;
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file: devices, whatever their extension.
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\xb9\xb2\xb3])[ ]*(?:\.|$)/i;

/** A name that every file system takes, made of any text. */
function safeName(text: string, extension = ""): string {
  const escaped = text.normalize("NFC").replace(UNSAFE, percentEncoded);
  const edged = (escaped === "" ? "_" : escaped).replace(/^ /, "%20");
  const whole = extension === "" ? edged.replace(/[. ]$/, percentEncoded) : edged;
  const stem = DEVICE.test(whole + extension) ? `_${whole}` : whole;
  const room = MAX_NAME_BYTES - extension.length;
  if (byteLength(stem) <= room) return stem + extension;
  const mark = `~${digest(stem)}`;
  return cutToBytes(stem, room - mark.length) + mark + extension;
}

function percentEncoded(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** As much of a text as takes so many octets, with no character cut in two. */
function cutToBytes(text: string, bytes: number): string {
  const octets = new TextEncoder().encode(text).subarray(0, bytes);
  return new TextDecoder().decode(octets, { stream: true });
}
