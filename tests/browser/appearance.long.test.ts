import type { ConsoleArea } from "@parley/core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { COLOR_RULES, findViolations, findViolationsInBothSchemes, STYLE_RULE } from "./axe.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { galleryPlugin } from "./gallery.ts";
import { findUntranslatedWords } from "./untranslated-words.ts";

const isLong = process.env.PARLEY_LONG !== undefined;
/** The desktop is light and the phone dark, so each page is checked in both schemes; the long run checks all combinations. */
const findViolationsForRun = isLong ? findViolationsInBothSchemes : findViolations;
/** The first two differ in layout; the third differs from the first in colours only, and is used for screenshots. */
const FORMS: readonly (readonly [name: string, language: "en" | "zh", options: BrowserContextOptions])[] = [
  ["light", "en", {}],
  ["phone", "zh", PHONE],
  ...(process.env.PICTURES ? [["dark", "en", { colorScheme: "dark" }] as const] : []),
];
/** Areas whose pages have no title, or a longer one. */
const UNTITLED = new Set(["conversations", "barometer"]);
/** Rules that a dialog's background may violate; without a dialog all rules apply. */
const BACKGROUND_RULES = ["aria-hidden-body", "duplicate-id-aria"];
const WINDOW = "[role=dialog], [role=menu]";
/** Buttons that open dialogs and menus, by path or name of the page. */
const WINDOWS: readonly (readonly [path: string, ...buttons: readonly string[]])[] = [
  ["/channels", "add-channel"],
  ["/channels", "card-menu"],
  ["/filter", "add-rule"],
  ["/budgets", "add-budget"],
  ["/mcp", "add-server"],
  ["/area/plants", "new-record"],
  ["/area/plants", "record-actions"],
  ["/automation/tasks", "new-task"],
  ["/tools", "add-tool"],
  ["/memories", "new-memory"],
  ["/knowledge", "write-document"],
  ["talk", "session-menu"],
  ["talk", "session-menu", "session-setup"],
  ["talk", "session-menu", "session-files"],
  ["talk", "session-menu", "share"],
  ["/", "account"],
  ["/", "find"],
];

/** Selected elements and unselected ones of the same kind, by path of a page. */
const FEW_COLOURS = [
  [
    "/channels",
    ".mantine-Switch-input:checked + .mantine-Switch-track",
    ".mantine-Switch-input:not(:checked) + .mantine-Switch-track",
  ],
  ["/channels", ".navigation_nav a[aria-current]", ".navigation_nav a:not([aria-current])"],
  ["/jobs", ".mantine-SegmentedControl-label[data-active]", ".mantine-SegmentedControl-label:not([data-active])"],
  ["/filter", ".mantine-Tabs-tab[data-active]", ".mantine-Tabs-tab:not([data-active])"],
  ["/channels", ".mantine-Switch-track", ".navigation_nav"],
] as const;
/** Texts written by users, and names of programs. */
const OWN =
  /早上好|中文|海|灯塔|雾|楼下小店的机器人|早报|坏词|仪表盘|^(?:English|something worse|work|To the plants|Say it|the barometer fell|Entry|Never\.|dice|garden|node)$|^植物：1 dark$|^offline · /;

/** True when the focus is within the open dialog. */
const HAS_FOCUS = `document.activeElement.closest("${WINDOW}") !== null`;
/** Test id of the focused element; never the whole page. */
const FOCUSED = `document.activeElement === document.body ? "body" : document.activeElement.dataset.testid`;

const BAR = "[data-save-bar]";
/** Test id of the focused element, when it begins below the upper edge of the bar and is no part of it. */
const UNDER_BAR = `(() => {
  const at = document.activeElement;
  const bar = document.querySelector("${BAR}");
  if (at === document.body || !at.closest("#main") || bar.contains(at)) return "";
  return at.getBoundingClientRect().top >= bar.getBoundingClientRect().top ? at.outerHTML.slice(0, 120) : "";
})()`;

describe.runIf(canBrowse)("every area of the console", () => {
  let pages: Console;
  let areas: readonly ConsoleArea[];
  let talk: string;
  let book: string;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [galleryPlugin] });
    const { api } = pages;
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "早上好", tags: ["work"] });
    talk = `/sessions/${id}`;
    await api.post(`/api/sessions/${id}/chat`, { content: "早上好" });
    await api.post("/api/message-filter", { pattern: "坏词", type: "keyword", action: "strip", channel: "global" });
    await api.post("/api/message-filter", { pattern: "worse", action: "recall" });
    await api.post(`/api/sessions/${id}/chat`, { content: "something worse" });
    await api.post("/api/channels/presets/imB", { description: "楼下小店的机器人" });
    await api.post("/api/api-keys", { name: "仪表盘", scopes: ["read", "chat"] });
    await api.post("/api/plants", { name: "Rosemary", tags: ["kitchen"], notes: "dry" });
    await api.post("/api/characters", { name: "Mira", description: "灯塔看守人", tags: ["海"] });
    const lore = {
      name: "灯塔",
      entries: [{ keywords: ["雾"], content: "雾号每三十秒一次。" }, { content: "Never." }],
    };
    book = `/world-books/${(await api.post<{ id: string }>("/api/world-books", lore)).id}`;
    await api.post("/api/workflows", {
      name: "早报",
      description: "x",
      trigger: "cron",
      config: { cron: "0 8 * * 1-5" },
    });
    ({ items: areas } = await api.get<{ items: readonly ConsoleArea[] }>("/api/console/areas"));
    for (const { title } of areas) expect(title.en).toMatch(/^[A-Z]/);
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const isDrawn = async (page: Page) => {
    await page.locator("h1").filter({ visible: true }).first().waitFor();
    await expect.poll(() => page.locator(".common_delayed").filter({ visible: true }).count(), SHORT_TIMEOUT).toBe(0);
  };

  test.each(FORMS)(
    "fits its screen, has a heading, and is accessible without sight or a mouse: %s",
    { timeout: 180_000 },
    async (form, language, options) => {
      const page = await pages.visit("/", options);
      const found: string[] = [];
      const look = async (name: string) => {
        await isDrawn(page);
        for (const table of await page.locator("table").all()) {
          expect(await table.evaluate((one) => one.scrollWidth <= one.clientWidth + 1), name).toBe(true);
        }
        await expectNoOverflow(page, `look-${form}-${name}`);
        for (const one of await findViolationsForRun(page)) found.push(`${name}: ${one}`);
        for (const one of await findUntranslatedWords(page, language, OWN)) found.push(`${name} says: ${one}`);
      };
      await page.locator(".navigation_nav a").first().waitFor({ state: "attached" });
      expect(await page.locator(".navigation_nav a").count()).toBe(areas.length);
      for (const { id, title } of areas) {
        if (options === PHONE) await page.getByRole("button", { name: "菜单" }).click();
        await page.getByRole("link", { name: title[language], exact: true }).click();
        if (!UNTITLED.has(id)) await page.getByRole("heading", { name: title[language], level: 1 }).waitFor();
        await look(id);
      }
      for (const [name, path] of Object.entries({ talk, book, hits: "/filter/hits", nowhere: "/nowhere" })) {
        await page.goto(`${pages.parley.address}/#${path}`);
        await look(name);
      }
      found.push(...(await findViolations(page, [STYLE_RULE])));
      expect(found).toEqual([]);
      expect(pages.problems).toEqual([]);
      await pages.releasePage(page);
    },
  );

  test.each(FORMS)("is accessible in a window over it: %s", { timeout: 120_000 }, async (_form, language, options) => {
    const found: string[] = [];
    const page = await pages.visit("/", options);
    const window = page.locator(WINDOW).filter({ visible: true });
    for (const [path, ...buttons] of WINDOWS) {
      const name = buttons.at(-1);
      await page.goto(`${pages.parley.address}/#${path === "talk" ? talk : path}`);
      for (const button of buttons) {
        const opener = page.getByTestId(button).first();
        await opener.waitFor({ state: "attached" });
        const menu = page.locator(".frame_top button");
        if (!(await opener.isVisible()) && (await menu.isVisible())) await menu.click();
        await opener.click();
      }
      await expect.poll(() => page.evaluate<boolean>(HAS_FOCUS), SHORT_TIMEOUT).toBe(true);
      for (const one of await findViolationsForRun(page, undefined, WINDOW)) found.push(`${name}: ${one}`);
      for (const one of await findUntranslatedWords(page, language, OWN, WINDOW)) found.push(`${name} says: ${one}`);
      for (const one of await findViolations(page, BACKGROUND_RULES)) found.push(`behind ${name}: ${one}`);
      await page.keyboard.press("Escape");
      await expect.poll(() => window.count(), SHORT_TIMEOUT).toBe(0);
      // On a phone the button is hidden with the menu, so another element has the focus.
      const last = page.getByTestId(buttons[0] ?? "").first();
      const back = (await last.isVisible()) ? buttons[0] : undefined;
      await expect.poll(() => page.evaluate(FOCUSED), { ...SHORT_TIMEOUT, message: `after ${name}` }).toBe(back);
    }
    expect(found).toEqual([]);
    await pages.releasePage(page);
  });

  test("shows what is on, selected and floating in high contrast too", async () => {
    const page = await pages.visit("/channels", { forcedColors: "active" });
    const edges = (where: string) =>
      page.evaluate<string>(`(() => {
        const shown = [...document.querySelectorAll(${JSON.stringify(where)})].find((one) => one.checkVisibility());
        if (!shown) return "";
        const { backgroundColor, borderWidth, outlineColor, outlineStyle } = getComputedStyle(shown);
        return [backgroundColor, borderWidth, outlineStyle === "none" ? "" : outlineColor].join(" ");
      })()`);
    for (const [path, chosen, other] of FEW_COLOURS) {
      await page.goto(`${pages.parley.address}/#${path}`);
      await page.locator(chosen).filter({ visible: true }).first().waitFor();
      expect(await edges(chosen), chosen).not.toBe(await edges(other));
    }
    await page.getByTestId("add-channel").click();
    expect(await edges(".mantine-Modal-content")).toContain("2px");
    await takeScreenshot(page, "look-few-colours");
    await page.close();
  });

  test("is readable at 400% zoom, in one column", async () => {
    const page = await pages.visit("/settings", { viewport: { width: 320, height: 640 } });
    await page.locator("#main input[type=checkbox]").first().press("Space");
    const bar = page.locator(".settings_saveBar");
    await expect.poll(() => bar.evaluate((one) => one.getBoundingClientRect().right <= 320), SHORT_TIMEOUT).toBe(true);
    await expectNoOverflow(page, "look-narrow-settings");
    await page.goto(`${pages.parley.address}/#/mcp`);
    await page.getByTestId("discard-changes").click();
    await page.getByTestId("add-server").click();
    const kinds = page.getByTestId("server-kind");
    await kinds.waitFor();
    expect(await kinds.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    await expectNoOverflow(page, "look-narrow-window");
    await page.close();
  });

  test("traps the Tab key in a date dialog, whose field has stops of its own", async () => {
    const page = await pages.visit(talk);
    await page.getByTestId("session-menu").click();
    await page.getByTestId("to-day").click();
    await page.getByLabel("Day").fill("2026-01-02");
    for (const key of [...Array(16).fill("Tab"), ...Array(8).fill("Shift+Tab")]) {
      await page.keyboard.press(key);
      expect(await page.evaluate<boolean>(HAS_FOCUS)).toBe(true);
    }
    await page.close();
  });

  test("a date is entered or chosen in the language of the console, whatever the browser's", async () => {
    const page = await pages.visit(talk, { locale: "zh-CN" });
    await page.evaluate("localStorage.setItem('parley.language', 'en')");
    await page.reload();
    const day = page.getByLabel("Day");
    const calendar = page.getByTestId("calendar");
    await page.getByTestId("session-menu").click();
    await page.getByTestId("to-day").click();
    await day.fill("2026-02-30");
    await page.keyboard.press("Tab");
    await page.getByText("Not a valid date or time. Write it as YYYY-MM-DD.").waitFor();
    expect(await page.getByRole("button", { name: "Show" }).isDisabled()).toBe(true);
    await day.fill("2026/2/3");
    await page.keyboard.press("Tab");
    await expect.poll(() => day.inputValue(), SHORT_TIMEOUT).toBe("2026-02-03");
    await page.keyboard.press("Enter");
    await calendar.getByText("February 2026").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement?.textContent"), SHORT_TIMEOUT).toBe("3");
    expect(await findViolationsInBothSchemes(page, COLOR_RULES, "[data-testid=calendar]")).toEqual([]);
    // Escape closes the calendar, not the dialog around it.
    await page.keyboard.press("Escape");
    await calendar.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await calendar.getByText("February 2026").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement?.textContent"), SHORT_TIMEOUT).toBe("3");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect.poll(() => day.inputValue(), SHORT_TIMEOUT).toBe("2026-02-04");
    await page.evaluate("localStorage.setItem('parley.language', 'zh-CN')");
    await page.reload();
    await page.getByTestId("session-menu").click();
    await page.getByTestId("to-day").click();
    await page.getByRole("button", { name: "选择日期" }).click();
    await calendar.getByText(/^\d{4} ?年 ?\d+ ?月$/).waitFor();
    await page.close();
  });

  test("can be read in every colour", { timeout: 120_000 }, async () => {
    const found: string[] = [];
    const page = await pages.visit("/channels");
    for (const accent of ["Ocean", "Plum", "Forest", "Ember"]) {
      await page.getByTestId("account").click();
      await page.getByTitle(accent).click();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(await page.locator("html").getAttribute("data-accent")).toBe(accent.toLowerCase());
      for (const [address, shown] of [
        ["/channels", "channel-card"],
        [talk, "message"],
      ] as const) {
        await page.goto(`${pages.parley.address}/#${address}`);
        await page.getByTestId(shown).first().waitFor();
        for (const one of await findViolationsInBothSchemes(page, COLOR_RULES))
          found.push(`${accent} at ${address}: ${one}`);
      }
    }
    await page.evaluate("localStorage.clear()");
    await page.close();
    expect(found).toEqual([]);
  });

  test("the closed menu of a phone is skipped by the Tab key, and focus returns when it closes", async () => {
    const page = await pages.visit("/channels", PHONE);
    const menu = page.locator(".frame_top button");
    await page.getByTestId("channel-card").first().waitFor();
    await menu.focus();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('.frame_side') === null")).toBe(true);
    await menu.click();
    await page.locator(".navigation_nav a").first().focus();
    await page.keyboard.press("Escape");
    expect(await menu.evaluate((one) => one.ownerDocument.activeElement === one)).toBe(true);
    await menu.click();
    await page.locator(".navigation_nav a").nth(1).click();
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await pages.releasePage(page);
  });

  test.each(["/settings", "/personality"])("the bar at the bottom of %s covers no focused element", async (path) => {
    const page = await pages.visit(path, PHONE);
    await page.locator(BAR).waitFor();
    await page.locator("#main input").first().focus();
    const covered: string[] = [];
    for (let steps = 0; steps < 25; steps += 1) {
      await page.keyboard.press("Tab");
      covered.push(await page.evaluate<string>(UNDER_BAR));
    }
    expect(covered.filter(Boolean)).toEqual([]);
    await pages.releasePage(page);
  });

  test("one menu sets language, theme, colour, density and text size, and the choice is stored", async () => {
    const page = await pages.visit("/channels", { colorScheme: "light" });
    const root = page.locator("html");
    const accent = () =>
      page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--mantine-color-parley-7').trim()");
    await page.getByTestId("account").click();
    const before = await accent();
    await page.getByTitle("Plum").click();
    await page.getByText("Compact", { exact: true }).click();
    await page.getByText("Extra large", { exact: true }).click();
    await page.getByText("Dark", { exact: true }).click();
    await expect.poll(accent, SHORT_TIMEOUT).not.toBe(before);
    await takeScreenshot(page, "look-account");
    const chosen = await accent();
    await page.reload();
    await page.getByTestId("channel-card").first().waitFor();
    expect(await accent()).toBe(chosen);
    expect(await root.getAttribute("data-density")).toBe("compact");
    expect(await page.evaluate("getComputedStyle(document.documentElement).fontSize")).toBe("20px");
    await expectNoOverflow(page, "look-large-letters");
    expect(await root.getAttribute("data-mantine-color-scheme")).toBe("dark");
    await page.getByTestId("account").click();
    await page.getByRole("combobox", { name: "Language" }).selectOption("zh-CN");
    await page.getByRole("heading", { name: "渠道", level: 1 }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate("document.activeElement.dataset.testid"), SHORT_TIMEOUT).toBe("account");
    await page.evaluate("localStorage.clear()");
    await page.close();
  });

  test("the menu scrolls on a low window and leaves room for the page on a small one", async () => {
    const page = await pages.visit("/", { viewport: { width: 1280, height: 480 } });
    await page.getByTestId("account").waitFor();
    const { y = 0, height = 0 } = (await page.getByTestId("account").boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(480);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await page.setViewportSize({ width: 800, height: 600 });
    await page.goto(`${pages.parley.address}/#/`);
    const detail = page.locator(".session-list_detail");
    await expect.poll(async () => (await detail.boundingBox())?.width ?? 0, SHORT_TIMEOUT).toBeGreaterThan(450);
    await expectNoOverflow(page, "look-small");
    await page.close();
  });

  test("has an accessible login page in the language of the browser", async () => {
    const desk = await pages.openPage();
    await desk.goto(pages.parley.address);
    await desk.locator("form").waitFor();
    expect(await findViolationsForRun(desk)).toEqual([]);
    await desk.context().close();
    const page = await pages.openPage(PHONE);
    await page.goto(pages.parley.address);
    await page.getByRole("textbox", { name: "密码" }).waitFor();
    expect(await findViolationsForRun(page)).toEqual([]);
    await page.getByRole("textbox", { name: "密码" }).fill(pages.parley.credentials.password);
    await takeScreenshot(page, "look-sign-in");
    await page.getByRole("button", { name: "登录" }).click();
    await page.getByTestId("session-item").getByText("早上好").first().waitFor();
    // The setup steps are above the conversations, and a new conversation is one click away.
    await page.getByTestId("setup-step").first().waitFor();
    await page.getByTestId("today-number").first().waitFor();
    expect(await page.getByTestId("start").count()).toBe(0);
    await expectNoOverflow(page, "look-phone-list");
    await page.getByTestId("new-session").click();
    await page.getByTestId("start").getByRole("heading", { name: "新会话" }).waitFor();
  });
});
