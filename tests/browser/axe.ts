import axe from "axe-core";
import type { Page } from "playwright-core";

/** Rules that a scheme or accent can violate. */
export const COLOR_RULES = ["color-contrast", "link-in-text-block"];
/** A slow rule that reads all styles, so it is checked only once. */
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
  // The script stays until the page is reloaded.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = {
    resultTypes: ["violations"],
    preload: rules?.includes(STYLE_RULE) ?? false,
    // The rule takes the hash routes of pages for links within a page.
    ...(rules ? { runOnly: { type: "rule", values: rules } } : { rules: { "skip-link": { enabled: false } } }),
  };
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`,
  );
  return violations
    .filter(({ impact }) => impact !== "minor")
    .map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(" ")).slice(0, 4)}`);
}

/** Returns violations in the current colour scheme by all rules or the given ones, and in the other by the colour rules. */
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
