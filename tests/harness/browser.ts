import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

const screenshotsFolder = join(import.meta.dirname, "..", "..", ".artefacts", "screenshots");
// The first has no window to draw and costs a third less.
const INSTALLED = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);

/** The Chromium of this machine; undefined when there is none. `PARLEY_CHROMIUM` names another one. */
export const chromiumPath = [process.env.PARLEY_CHROMIUM ?? "", ...INSTALLED].find((path) => path && existsSync(path));

/** A tone for a microphone; nobody is asked whether the page may listen. */
const MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];

/** Without a browser the tests of the pages are left out, except where everything must be proven. */
export const canBrowse = chromiumPath !== undefined || process.env.CI !== undefined;

let browserPromise: Promise<Browser> | undefined;

/** The browser of this worker: all its test files share it, each with profiles of its own. It ends with the worker. */
export function openBrowser(): Promise<Browser> {
  if (!chromiumPath) {
    throw new Error("no Chromium found: install the package `chromium-headless-shell` or set PARLEY_CHROMIUM");
  }
  browserPromise ??= chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--disable-gpu", ...MICROPHONE],
  });
  return browserPromise;
}

/** Saves a screenshot in `.artefacts/screenshots` when the variable `PICTURES` is set. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  mkdirSync(screenshotsFolder, { recursive: true });
  await page.screenshot({ path: join(screenshotsFolder, `${name}.png`), animations: "disabled" });
}
