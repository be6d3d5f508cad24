/**
 * What reads the text and the HTML of pages: two fifths of a crawl's code, which is loaded as one when a crawl begins.
 *
 * @module
 */

export { decodeText } from "./web/charset.ts";
export { directivesOf } from "./web/directives.ts";
export { readHtml, skimHtml } from "./web/links.ts";
export { simhash } from "./web/simhash.ts";
export { visibleText } from "./web/visible_text.ts";
