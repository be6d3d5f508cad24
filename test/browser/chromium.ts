import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type BrowserContext, chromium, type Page } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser's path; `undefined` where there is none, which on CI is a fault. */
export const CHROMIUM: string | undefined = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));

/** How the page is seen. */
export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly colorScheme?: "light" | "dark";
}

/** A headless browser with a profile of its own. */
export interface Chromium {
  open(url: string, screen?: Screen): Promise<Page>;
  close(): Promise<void>;
}

export async function startChromium(): Promise<Chromium> {
  if (CHROMIUM === undefined) throw new Error("Cannot test the live page as Chromium is not installed");
  const profile = await mkdtemp(join(tmpdir(), "dragline-chromium-"));
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
    ].concat("--disable-component-update", "--disable-sync"),
  });
  return {
    async open(url, screen = { width: 1280, height: 1000 }) {
      const page = await context.newPage();
      const { width, height, colorScheme = "light" } = screen;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.goto(url);
      return page;
    },
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
