import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

const artefacts = join(import.meta.dirname, "..", "..", ".artefacts", "screenshots");
const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The Chromium of this machine; undefined when there is none. `PARLEY_CHROMIUM` names another one. */
export const chromiumPath = [process.env.PARLEY_CHROMIUM ?? "", ...INSTALLED].find((path) => path && existsSync(path));

/** Without a browser the tests of the pages are left out, except where everything must be proven. */
export const canBrowse = chromiumPath !== undefined || process.env.CI !== undefined;

export async function openBrowser(): Promise<Browser> {
  if (!chromiumPath) throw new Error("no Chromium found: install the package `chromium` or set PARLEY_CHROMIUM");
  return chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Keeps what a page looks like in `.artefacts/screenshots` when the variable `PICTURES` is set. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  mkdirSync(artefacts, { recursive: true });
  await page.screenshot({ path: join(artefacts, `${name}.png`), animations: "disabled" });
}
