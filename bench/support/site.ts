import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** What a benchmark crawls, described so that a process of its own can serve it. */
export interface Site {
  readonly name: string;
  readonly pages:
    | { readonly count: number; readonly bytesEach: number }
    | { readonly root: string; readonly folder: string };
  /** The path of the page from which all others are reached, if it is not `/`. */
  readonly startPath?: string;
  readonly https?: boolean;
}

/** A site that is made: pages of one size, 51 links on each. */
export function syntheticSite(count: number, kilobytes: number, https = false): Site {
  return {
    name: `${kilobytes} KB a page, ${https ? "HTTPS" : "HTTP"}`,
    pages: { count, bytesEach: kilobytes * 1_024 },
    https,
  };
}

export interface Manual extends Site {
  /** Debian's package that has it. */
  readonly package: string;
  readonly pages: { readonly root: string; readonly folder: string };
}

// As Debian's packages lay them out, below the system's root or the folder into which they were unpacked.
const ROOT = process.env.MANUALS_ROOT ?? "/";

/** Two real sites: one of many small pages, one of large ones that are full of links. */
export const MANUALS: readonly Manual[] = [
  {
    name: "PostgreSQL 15 manual",
    package: "postgresql-doc-15",
    pages: { root: join(ROOT, "usr/share/doc/postgresql-doc-15/html"), folder: "" },
    startPath: "/index.html",
  },
  {
    name: "Rust's standard library",
    package: "rust-doc",
    pages: { root: join(ROOT, "usr/share/doc/rust-doc/html"), folder: "std" },
    startPath: "/std/index.html",
  },
];

export function isInstalled({ pages, startPath = "/index.html" }: Manual): boolean {
  return existsSync(join(pages.root, startPath));
}
