import { CHART_SCRIPT } from "./page/chart_script.ts";
import { CONNECTION_SCRIPT } from "./page/connection_script.ts";
import { CONTROLS_SCRIPT } from "./page/controls_script.ts";
import { FORM_SCRIPT } from "./page/form_script.ts";
import { MARKUP } from "./page/markup.ts";
import { PANELS_SCRIPT } from "./page/panels_script.ts";
import { SHELL_SCRIPT } from "./page/shell_script.ts";
import { STYLE } from "./page/style.ts";

/** The script of the page, as it runs: an order in which each part finds those before it. */
export const PAGE_SCRIPT: string = [
  '"use strict";',
  SHELL_SCRIPT,
  CONNECTION_SCRIPT,
  CHART_SCRIPT,
  PANELS_SCRIPT,
  FORM_SCRIPT,
  CONTROLS_SCRIPT,
].join("\n");

/** The live page: one document that asks for nothing but the routes beside it. */
export const PAGE: string = MARKUP.replace("{style}", () => STYLE).replace("{script}", () => PAGE_SCRIPT);

let policy: string | undefined;

/** The page as an answer, under a policy by which nothing but its own style and script has any effect. */
export async function pageResponse(): Promise<Response> {
  policy ??= await contentSecurityPolicy();
  return new Response(PAGE, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-cache",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Source: Content Security Policy Level 3; Trusted Types, by which no text ever becomes markup. */
async function contentSecurityPolicy(): Promise<string> {
  return [
    "default-src 'none'",
    `script-src '${await sourceHash(PAGE_SCRIPT)}'`,
    `style-src '${await sourceHash(STYLE)}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

async function sourceHash(source: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(source));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
