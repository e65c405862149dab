import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

const screenshotsFolder = join(import.meta.dirname, "..", "..", ".artefacts", "screenshots");
// The headless shell comes first, because it has no window to draw and costs a third less.
const INSTALLED = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);

/** Path of this machine's Chromium; undefined when there is none. `PARLEY_CHROMIUM` sets another one. */
export const chromiumPath = [process.env.PARLEY_CHROMIUM ?? "", ...INSTALLED].find((path) => path && existsSync(path));

/** Chromium flags for a fake microphone with a tone and without a permission prompt. */
const MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];

/** True when tests of pages can run. On CI they run without a browser too, so that they fail instead of being skipped. */
export const canBrowse = chromiumPath !== undefined || process.env.CI !== undefined;

let browserPromise: Promise<Browser> | undefined;

/** Opens the browser of this worker, which all its test files share, each with its own profiles. It ends with the worker. */
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
