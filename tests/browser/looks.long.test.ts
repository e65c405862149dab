import type { ConsoleArea } from "@parley/core";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, picture } from "../harness/browser.ts";
import { type Console, fits, PHONE, SOON, startConsole } from "./console.ts";
import { garden } from "./garden.ts";

const FORMS: readonly (readonly [name: string, language: "en" | "zh", options: BrowserContextOptions])[] = [
  ["light", "en", {}],
  ["phone", "zh", PHONE],
  // It differs from the first in its colours, which are looked at elsewhere: for the longest run, and for its pictures.
  ...(process.env.PARLEY_LONG || process.env.PICTURES ? [["dark", "en", { colorScheme: "dark" }] as const] : []),
];
/** Their pages have no title of their own, or one that is longer. */
const UNTITLED = new Set(["conversations", "barometer"]);

describe.runIf(canBrowse)("every area of the console", () => {
  let pages: Console;
  let areas: readonly ConsoleArea[];

  beforeAll(async () => {
    pages = await startConsole({ plugins: [garden] });
    const { api } = pages;
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "早上好" });
    await api.post(`/api/sessions/${id}/chat`, { content: "早上好" });
    await api.post("/api/message-filter", { pattern: "坏词", type: "keyword", action: "strip", channel: "global" });
    await api.post("/api/channels/presets/imB", { description: "楼下小店的机器人" });
    await api.post("/api/api-keys", { name: "仪表盘", scopes: ["read", "chat"] });
    await api.post("/api/plants", { name: "Rosemary", tags: ["kitchen"], notes: "dry" });
    await api.post("/api/characters", { name: "Mira", description: "灯塔看守人", tags: ["海"] });
    ({ items: areas } = await api.get<{ items: readonly ConsoleArea[] }>("/api/console/areas"));
    for (const { title } of areas) expect(title.en).toMatch(/^[A-Z]/);
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  test.each(FORMS)("fits its screen and says what it is: %s", { timeout: 60_000 }, async (form, language, options) => {
    const page = await pages.visited("/", options);
    const isPhone = options === PHONE;
    for (const { id, title } of areas) {
      if (isPhone) await page.getByRole("button", { name: "菜单" }).click();
      await page.getByRole("link", { name: title[language], exact: true }).click();
      if (!UNTITLED.has(id)) await page.getByRole("heading", { name: title[language], level: 1 }).waitFor();
      await page.locator(".late").first().waitFor({ state: "detached" });
      for (const table of await page.locator("table").all()) {
        expect(await table.evaluate((one) => one.scrollWidth <= one.clientWidth + 1), id).toBe(true);
      }
      await fits(page, `look-${form}-${id}`);
    }
    expect(pages.problems).toEqual([]);
    await page.close();
  });

  test("one menu chooses language, theme, colour and density, and they stay", async () => {
    const page = await pages.visited("/channels", { colorScheme: "light" });
    const root = page.locator("html");
    const accent = () =>
      page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--mantine-color-parley-7').trim()");
    await page.getByTestId("account").click();
    const before = await accent();
    await page.getByTitle("Plum").click();
    await page.getByText("Compact", { exact: true }).click();
    await page.getByText("Dark", { exact: true }).click();
    await expect.poll(accent, SOON).not.toBe(before);
    await picture(page, "look-account");
    const chosen = await accent();
    await page.reload();
    await page.getByTestId("channel-card").first().waitFor();
    expect(await accent()).toBe(chosen);
    expect(await root.getAttribute("data-density")).toBe("compact");
    expect(await root.getAttribute("data-mantine-color-scheme")).toBe("dark");
    await page.getByTestId("account").click();
    await page.getByRole("combobox", { name: "Language" }).selectOption("zh-CN");
    await page.getByRole("heading", { name: "渠道", level: 1 }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate("document.activeElement.dataset.testid"), SOON).toBe("account");
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  test("the menu scrolls on a low window and leaves the page its room on a small one", async () => {
    const page = await pages.visited("/", { viewport: { width: 1280, height: 480 } });
    await page.getByTestId("account").waitFor();
    const { y = 0, height = 0 } = (await page.getByTestId("account").boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(480);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await page.setViewportSize({ width: 800, height: 600 });
    await page.goto(`${pages.parley.address}/#/`);
    const detail = page.locator(".detail");
    await expect.poll(async () => (await detail.boundingBox())?.width ?? 0, SOON).toBeGreaterThan(450);
    await fits(page, "look-small");
    await page.close();
  });

  test("asks who is there in the language of the browser", async () => {
    const page = await pages.opened(PHONE);
    await page.goto(pages.parley.address);
    await page.getByRole("textbox", { name: "密码" }).fill(pages.parley.credentials.password);
    await picture(page, "look-sign-in");
    await page.getByRole("button", { name: "登录" }).click();
    await page.getByTestId("session-item").getByText("早上好").first().waitFor();
    // What one comes in for stands above the conversations, and a new one is one press away.
    await page.getByTestId("setup-step").first().waitFor();
    await page.getByTestId("today-number").first().waitFor();
    expect(await page.getByTestId("start").count()).toBe(0);
    await fits(page, "look-phone-list");
    await page.getByTestId("new-session").click();
    await page.getByTestId("start").getByRole("heading", { name: "新会话" }).waitFor();
  });
});
