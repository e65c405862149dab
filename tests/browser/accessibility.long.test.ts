import type { ConsoleArea } from "@parley/core";
import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, PHONE, SOON, startConsole } from "./console.ts";
import { garden } from "./garden.ts";

/** A page is laid out for these two; in which colours it is drawn changes nothing but the colours. */
const SCREENS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ["at a desk", {}],
  ["on a phone, in Chinese", PHONE],
];
/** What else a scheme or an accent may break is nothing. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];
/** Every page takes its time: a light phone has no colours of its own, and is for the longest run. */
const IN_BOTH = process.env.PARLEY_LONG === undefined ? ["at a desk"] : SCREENS.map(([name]) => name);
/** It reads all styles again: once they are all there is enough. */
const OF_STYLES = "css-orientation-lock";
/** What opens a window over a page, by the address of the page. */
const WINDOWS: readonly (readonly [path: string, button: string])[] = [
  ["/channels", "add-channel"],
  ["/filter", "add-rule"],
  ["/mcp", "add-server"],
  ["/area/plants", "new-record"],
  ["/", "account"],
  ["/", "find"],
];

const BAR = ".save-bar, .card-save";
/** What has the focus, when it begins below the upper edge of the bar and is no part of it. */
const UNDER_BAR = `(() => {
  const at = document.activeElement;
  const bar = document.querySelector("${BAR}");
  if (at === document.body || !at.closest("#main") || bar.contains(at)) return "";
  return at.getBoundingClientRect().top >= bar.getBoundingClientRect().top ? at.outerHTML.slice(0, 120) : "";
})()`;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** What a machine finds wrong on a page, but for what it calls minor; of all its rules, or of those that are named. */
async function wrongOn(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // It stays until the page is loaded anew.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = {
    resultTypes: ["violations"],
    preload: rules?.includes(OF_STYLES) ?? false,
    // It takes the addresses of pages, which stand behind a #, for jumps within one.
    ...(rules ? { runOnly: { type: "rule", values: rules } } : { rules: { "skip-link": { enabled: false } } }),
  };
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations
    .filter(({ impact }) => impact !== "minor")
    .map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(" ")).slice(0, 4)}`);
}

/** In the colours in which it is drawn by all rules, or by those that are named, and in the others by those of colours. */
async function wrongInBoth(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const wrong = await wrongOn(page, rules);
  const isDark = (await page.locator("html").getAttribute("data-mantine-color-scheme")) === "dark";
  const colorScheme = isDark ? "light" : "dark";
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  const wrongInOthers = await wrongOn(page, OF_COLOURS);
  return [...wrong, ...wrongInOthers.map((one) => `${colorScheme}: ${one}`)];
}

describe.runIf(canBrowse)("who cannot see or point", () => {
  let pages: Console;
  let areas: readonly ConsoleArea[];
  let talk: string;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [garden] });
    const { api } = pages;
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Fair", tags: ["work"] });
    talk = `/sessions/${id}`;
    await api.post(`/api/sessions/${id}/chat`, { content: "Hello" });
    await api.post("/api/message-filter", { pattern: "bad", type: "keyword", action: "strip", channel: "global" });
    await api.post("/api/message-filter", { pattern: "worse", action: "recall" });
    await api.post(`/api/sessions/${id}/chat`, { content: "something worse" });
    await api.post("/api/channels/presets/imB", { description: "The corner shop" });
    await api.post("/api/plants", { name: "Rosemary", tags: ["kitchen"] });
    await api.post("/api/characters", { name: "Mira", description: "Keeps the light", tags: ["sea"] });
    ({ items: areas } = await api.get<{ items: readonly ConsoleArea[] }>("/api/console/areas"));
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  test.each(SCREENS)("finds nothing in the way on any page: %s", { timeout: 180_000 }, async (name, options) => {
    const wrong = IN_BOTH.includes(name) ? wrongInBoth : wrongOn;
    const page = await pages.visited("/", options);
    const link = page.locator(".nav a");
    await link.first().waitFor({ state: "attached" });
    const addresses = await link.evaluateAll((all) => all.map((one) => String(one.getAttribute("href")).split("#")[1]));
    expect(addresses.length).toBe(areas.length);
    const found: string[] = [];
    for (const address of [...addresses, talk, "/filter/hits", "/nowhere"]) {
      await page.goto(`${pages.parley.address}/#${address}`);
      await page.locator("h1").filter({ visible: true }).first().waitFor();
      await expect.poll(() => page.locator(".late").filter({ visible: true }).count(), SOON).toBe(0);
      for (const one of await wrong(page)) found.push(`${address}: ${one}`);
    }
    found.push(...(await wrongOn(page, [OF_STYLES])));
    expect(found).toEqual([]);
    await page.close();
  });

  test.each(SCREENS)(
    "finds nothing in the way in a window over a page: %s",
    { timeout: 120_000 },
    async (_name, options) => {
      const found: string[] = [];
      const page = await pages.visited("/", options);
      const window = page.getByRole("dialog").or(page.getByTestId("palette-input")).first();
      for (const [path, button] of WINDOWS) {
        await page.goto(`${pages.parley.address}/#${path}`);
        const opener = page.getByTestId(button).first();
        await opener.waitFor({ state: "attached" });
        const menu = page.locator(".top button");
        if (!(await opener.isVisible()) && (await menu.isVisible())) await menu.click();
        await opener.click();
        await window.waitFor();
        for (const one of await wrongInBoth(page)) found.push(`${button}: ${one}`);
        await page.keyboard.press("Escape");
        await window.waitFor({ state: "hidden" });
      }
      expect(found).toEqual([]);
      await page.close();
    },
  );

  test("can read every colour", { timeout: 120_000 }, async () => {
    const found: string[] = [];
    const page = await pages.visited("/channels");
    for (const accent of ["ocean", "plum", "forest", "ember"]) {
      await page.evaluate(`localStorage.setItem("parley.accent", '"${accent}"')`);
      await page.reload();
      expect(await page.locator("html").getAttribute("data-accent")).toBe(accent);
      for (const [address, shown] of [
        ["/channels", "channel-card"],
        [talk, "message"],
      ] as const) {
        await page.goto(`${pages.parley.address}/#${address}`);
        await page.getByTestId(shown).first().waitFor();
        for (const one of await wrongInBoth(page, OF_COLOURS)) found.push(`${accent} at ${address}: ${one}`);
      }
    }
    await page.evaluate("localStorage.clear()");
    await page.close();
    expect(found).toEqual([]);
  });

  test("the closed menu of a phone is not on the way of the Tab key, and its focus goes on when it closes", async () => {
    const page = await pages.visited("/channels", PHONE);
    const menu = page.locator(".top button");
    await page.getByTestId("channel-card").first().waitFor();
    await menu.focus();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('.side') === null")).toBe(true);
    await menu.click();
    await page.locator(".nav a").first().focus();
    await page.keyboard.press("Escape");
    expect(await menu.evaluate((one) => one.ownerDocument.activeElement === one)).toBe(true);
    await menu.click();
    await page.locator(".nav a").nth(1).click();
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await page.close();
  });

  test.each(["/settings", "/personality"])(
    "the bar at the bottom of %s covers nothing that has the focus",
    async (path) => {
      const page = await pages.visited(path, PHONE);
      await page.locator(BAR).waitFor();
      await page.locator("#main input").first().focus();
      const covered: string[] = [];
      for (let steps = 0; steps < 25; steps += 1) {
        await page.keyboard.press("Tab");
        covered.push(await page.evaluate<string>(UNDER_BAR));
      }
      expect(covered.filter(Boolean)).toEqual([]);
      await page.close();
    },
  );

  test("without a person signed in the form says what it wants", async () => {
    for (const [, options] of SCREENS) {
      const page = await pages.opened(options);
      await page.goto(pages.parley.address);
      await page.locator("form").waitFor();
      expect(await wrongInBoth(page)).toEqual([]);
    }
  });
});
