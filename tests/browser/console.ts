import type { BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openBrowser, takeScreenshot } from "../harness/browser.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, type ParleyOptions, startParley } from "../harness/parley.ts";
import { createPagePool } from "./page-pool.ts";

/** Timeout of the page on a busy machine. */
export const SHORT_TIMEOUT = { timeout: 30_000 } as const;

/** Toggles a switch once it is enabled: a click during a save is lost. */
export async function toggleSwitch(one: Locator): Promise<void> {
  await expect.poll(() => one.isEnabled(), SHORT_TIMEOUT).toBe(true);
  await one.press("Space");
}

/**
 * Desktop context without animations, since a click may miss a moving element. The service worker, which would load
 * all files for every profile, runs only with `WORKER`.
 */
const DESKTOP: BrowserContextOptions = {
  locale: "en-US",
  viewport: { width: 1280, height: 800 },
  reducedMotion: "reduce",
  serviceWorkers: "block",
};

/** A context with the service worker, as users have it. */
export const WITH_SERVICE_WORKER: BrowserContextOptions = { serviceWorkers: "allow" };

/** A phone in Chinese and dark mode. */
export const PHONE: BrowserContextOptions = {
  locale: "zh-CN",
  colorScheme: "dark",
  viewport: { width: 390, height: 800 },
};

/** Expects that nothing overflows the window; parts of the page may scroll. Saves a screenshot. */
export async function expectNoOverflow(page: Page, name: string): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth > window.innerWidth"), name).toBe(false);
  expect(await page.evaluate("document.documentElement.scrollHeight > window.innerHeight"), name).toBe(false);
  await takeScreenshot(page, name);
}

/** The console of a separate service, in a real browser. */
export interface Console extends AsyncDisposable {
  readonly parley: Parley;
  readonly api: Client;
  /** Errors of scripts and of the page's security policy since they were last read. */
  readonly problems: string[];
  /** Opens a page in a new browser profile, signed out. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** Opens a path of the console, signed in; pages with the same options share a profile. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Returns a page to the pool: the next visit with the same options continues in it, as users do. */
  releasePage(page: Page): Promise<void>;
  /** Waits until the service has subscribed the page to a topic. */
  waitForSubscription(page: Page): Promise<void>;
}

export async function startConsole(options: ParleyOptions = {}): Promise<Console> {
  const [browser, parley] = await Promise.all([openBrowser(), startParley(options)]);
  const problems: string[] = [];
  const watching = new WeakSet<Page>();
  const all: BrowserContext[] = [];
  const profile = async (context: BrowserContextOptions = {}) => {
    const fresh = await browser.newContext({ ...DESKTOP, ...context });
    fresh.setDefaultTimeout(SHORT_TIMEOUT.timeout);
    all.push(fresh);
    return fresh;
  };
  const pageOf = async (context: BrowserContext) => {
    const page = await context.newPage();
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        const { type, id } = JSON.parse(String(payload));
        if (type === "ack" && id === "watching") watching.add(page);
      }),
    );
    page.on("console", (line) => {
      if (line.type() === "error" && /Content Security Policy/.test(line.text())) problems.push(line.text());
    });
    return page;
  };
  // Loading the console and signing in takes longer than most tests, so profiles are shared.
  const profiles = new Map<string, Promise<BrowserContext>>();
  const idle = createPagePool(parley.address);
  const signedIn = async (options: BrowserContextOptions = {}) => {
    const fresh = await profile(options);
    await fresh.request.post(`${parley.address}/api/login`, { data: parley.credentials });
    return fresh;
  };
  return {
    parley,
    api: await parley.signIn(),
    problems,
    openPage: async (options) => pageOf(await profile(options)),
    async visit(path, options) {
      const name = JSON.stringify(options ?? {});
      const context = profiles.get(name) ?? signedIn(options);
      profiles.set(name, context);
      const page = await idle.take(name, async () => pageOf(await context));
      await page.goto(`${parley.address}/#${path}`);
      return page;
    },
    releasePage: async (page) => {
      watching.delete(page);
      await idle.leave(page);
    },
    waitForSubscription: (page) => expect.poll(() => watching.has(page), SHORT_TIMEOUT).toBe(true),
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map((context) => context.close()));
      await parley[Symbol.asyncDispose]();
    },
  };
}
