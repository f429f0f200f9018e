import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchBrowser } from "../support/launch-browser.ts";
import { timed } from "../support/set-up-times.ts";
import { pageWatch, type Watch } from "./page-watch.ts";
import { patienceMs } from "../support/patience.ts";

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
  /** "en-XA": longer; "en-XB": right to left. */
  readonly language?: string;
  /** The screen to open after the link. */
  readonly screen?: string;
}

export interface OpenedWizard {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page did that it must not do. */
  readonly watch: Watch;
}

let shared: Promise<Browser> | undefined;

/** The worker's browser: it ends with the worker. A crashed one is replaced. */
const openBrowser = async (): Promise<Browser> => {
  const running = await shared;
  if (running?.isConnected()) return running;
  shared = timed("browser", launchBrowser);
  return shared;
};

/** A browser for the tests of one file; each page has its own context. */
export const useBrowser = () => {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
  });
  const open = async (options: OpenOptions = {}) => {
    const { width = 1280, height = 900, scheme = "light", language } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: "reduce",
      locale: "en-US",
      timezoneId: "America/New_York",
    });
    contexts.push(context);
    context.setDefaultTimeout(patienceMs);
    if (language !== undefined)
      await context.addInitScript((code) => {
        try {
          localStorage.setItem("portage:pseudo", "on");
          localStorage.setItem("portage:language", code);
        } catch {
          // a page without an origin has none
        }
      }, language);
    const page = await context.newPage();
    return { context, page, watch: await pageWatch(page) };
  };
  return {
    open,
    /** Opens the customer's link, as the customer does, and waits for a screen. */
    openWizard: async (made: { readonly link: string }, options: OpenOptions = {}): Promise<OpenedWizard> => {
      const opened = await open(options);
      const link = new URL(made.link);
      if (options.screen !== undefined) link.searchParams.set("screen", options.screen);
      await opened.page.goto(link.href);
      await opened.page.locator("main h1:not(.vh)").waitFor();
      return opened;
    },
  };
};
