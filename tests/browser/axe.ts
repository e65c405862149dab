import axe from "axe-core";
import type { Page } from "playwright-core";

/** Rules that a scheme or accent can violate. */
export const COLOR_RULES = ["color-contrast", "link-in-text-block"];
/** Rule that reads all styles again: once with all styles is enough. */
export const STYLE_RULE = "css-orientation-lock";

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** Returns the accessibility violations of a page except minor ones; of all rules, or the given ones. */
export async function findViolations(
  page: Page,
  rules?: readonly string[],
  within = "html",
): Promise<readonly string[]> {
  // It stays until the page is loaded anew.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = {
    resultTypes: ["violations"],
    preload: rules?.includes(STYLE_RULE) ?? false,
    // It takes the addresses of pages, which stand behind a #, for jumps within one.
    ...(rules ? { runOnly: { type: "rule", values: rules } } : { rules: { "skip-link": { enabled: false } } }),
  };
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`,
  );
  return violations
    .filter(({ impact }) => impact !== "minor")
    .map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(" ")).slice(0, 4)}`);
}

/** In the colours in which it is drawn by all rules, or by those that are named, and in the others by those of colours. */
export async function findViolationsInBothSchemes(
  page: Page,
  rules?: readonly string[],
  within?: string,
): Promise<readonly string[]> {
  const wrong = await findViolations(page, rules, within);
  const isDark = (await page.locator("html").getAttribute("data-mantine-color-scheme")) === "dark";
  const colorScheme = isDark ? "light" : "dark";
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  const wrongInOthers = await findViolations(page, COLOR_RULES, within);
  return [...wrong, ...wrongInOthers.map((one) => `${colorScheme}: ${one}`)];
}
