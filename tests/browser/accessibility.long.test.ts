import type { ConsoleArea } from "@parley/core";
import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, PHONE, SOON, startConsole } from "./console.ts";
import { garden } from "./garden.ts";

const FORMS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ["light", {}],
  ["dark", { colorScheme: "dark" }],
  ["on a phone, dark and in Chinese", PHONE],
  ["on a light phone", { viewport: { width: 390, height: 800 } }],
];
/** Every page takes its time: a light phone differs from the others in nothing of its own, and is for the longest run. */
const EVERYWHERE = process.env.PARLEY_LONG === undefined ? FORMS.slice(0, 3) : FORMS;
/** What opens a window over a page, by the address of the page. */
const WINDOWS: readonly (readonly [path: string, button: string])[] = [
  ["/channels", "add-channel"],
  ["/filter", "add-rule"],
  ["/mcp", "add-server"],
  ["/area/plants", "new-record"],
  ["/", "account"],
  ["/", "find"],
];

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** What a machine finds wrong on a page, but for what it calls minor. */
async function wrongOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    // It takes the addresses of pages, which stand behind a #, for jumps within one.
    "axe.run(document, { resultTypes: ['violations'], rules: { 'skip-link': { enabled: false } } })",
  );
  return violations
    .filter(({ impact }) => impact !== "minor")
    .map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(" ")).slice(0, 4)}`);
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

  test.each(EVERYWHERE)("finds nothing in the way on any page: %s", { timeout: 180_000 }, async (_name, options) => {
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
      for (const one of await wrongOn(page)) found.push(`${address}: ${one}`);
    }
    expect(found).toEqual([]);
    await page.close();
  });

  test.each(FORMS)(
    "finds nothing in the way in a window over a page: %s",
    { timeout: 120_000 },
    async (_name, options) => {
      const found: string[] = [];
      for (const [path, button] of WINDOWS) {
        const page = await pages.visited(path, options);
        const opener = page.getByTestId(button).first();
        await opener.waitFor({ state: "attached" });
        const menu = page.locator(".top button");
        if (!(await opener.isVisible()) && (await menu.isVisible())) await menu.click();
        await opener.click();
        await page.getByRole("dialog").or(page.getByTestId("palette-input")).first().waitFor();
        for (const one of await wrongOn(page)) found.push(`${button}: ${one}`);
        await page.close();
      }
      expect(found).toEqual([]);
    },
  );

  test.each(["ocean", "plum", "forest", "ember"])("can read every colour: %s", { timeout: 120_000 }, async (accent) => {
    const found: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await pages.visited("/channels", { colorScheme });
      await page.evaluate(`localStorage.setItem("parley.accent", '"${accent}"')`);
      await page.reload();
      await page.getByTestId("channel-card").first().waitFor();
      expect(await page.locator("html").getAttribute("data-accent")).toBe(accent);
      for (const one of await wrongOn(page)) found.push(`${colorScheme}: ${one}`);
      await page.goto(`${pages.parley.address}/#${talk}`);
      await page.getByTestId("message").first().waitFor();
      for (const one of await wrongOn(page)) found.push(`${colorScheme} chat: ${one}`);
      await page.evaluate("localStorage.clear()");
      await page.close();
    }
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

  test("without a person signed in the form says what it wants", async () => {
    for (const [, options] of FORMS) {
      const page = await pages.opened(options);
      await page.goto(pages.parley.address);
      await page.locator("form").waitFor();
      expect(await wrongOn(page)).toEqual([]);
    }
  });
});
