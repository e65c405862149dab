import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole, toggleSwitch } from "./console.ts";

interface Made {
  readonly id: string;
  readonly name: string;
  readonly password: string;
}

describe.runIf(canBrowse)("accounts in the console", () => {
  let pages: Console;
  let count = 0;

  beforeAll(async () => {
    pages = await startConsole();
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());
  afterEach(() => expect(pages.problems.splice(0)).toEqual([]));

  const make = (role: string) => pages.api.post<Made>("/api/accounts", { name: `somebody-${++count}`, role });
  const signIn = async (page: Page, name: string, password: string) => {
    await page.getByLabel("User name").fill(name);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Menu" }).waitFor();
  };
  const enter = async ({ name, password }: Made, path = "/") => {
    const page = await pages.openPage();
    await page.goto(`${pages.parley.address}/#${path}`);
    await signIn(page, name, password);
    return page;
  };
  const areas = (page: Page) => page.getByRole("navigation", { name: "Menu" }).getByRole("link").allTextContents();

  test("an administrator creates an account, and the password shown once signs in", async () => {
    const page = await pages.visit("/area/accounts");
    await page.getByTestId("new-record").click();
    const form = page.getByRole("dialog");
    await form.getByLabel("User name").fill("maria");
    await form.getByLabel("Role").selectOption("reader");
    await takeScreenshot(page, "account-form");
    await page.getByTestId("save-record").click();
    const password = (await page.getByTestId("secret").textContent()) ?? "";
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByTestId("record-row").filter({ hasText: "maria" }).waitFor();
    await takeScreenshot(page, "accounts");
    await pages.releasePage(page);
    const theirs = await enter({ id: "", name: "maria", password });
    await theirs.context().close();
  });

  test("a reader is offered no changes", async () => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", {});
    const page = await enter(await make("reader"), `/sessions/${id}`);
    await page.getByTestId("read-only-notice").waitFor();
    expect(await page.getByTestId("composer").count()).toBe(0);
    expect(await page.getByTestId("new-session").count()).toBe(0);
    const offered = await areas(page);
    expect(offered).toContain("My account");
    for (const name of ["Models", "Channels", "MCP", "Plugins", "Settings", "Accounts", "API keys", "Filter"])
      expect(offered).not.toContain(name);
    await page.goto(`${pages.parley.address}/#/characters`);
    await page.getByTestId("read-only-notice").waitFor();
    await takeScreenshot(page, "reader");
    await page.goto(`${pages.parley.address}/#/settings`);
    await page.getByRole("heading", { name: "This page is not available" }).waitFor();
    await page.getByText("Your role cannot open this page").waitFor();
    await page.context().close();
  });

  test("an operator works with conversations, and sees no settings", async () => {
    const page = await enter(await make("operator"));
    await page.getByTestId("new-session").waitFor();
    const offered = await areas(page);
    expect(offered).toContain("Characters");
    for (const name of ["Plugins", "Settings", "Accounts", "Channels"]) expect(offered).not.toContain(name);
    await page.context().close();
  });

  test("everybody changes their own password and sees their logins", async () => {
    const made = await make("reader");
    const otherPage = await enter(made);
    const page = await enter(made, "/access");
    await expect.poll(() => page.getByTestId("token-row").count(), SHORT_TIMEOUT).toBe(2);
    await page.getByTestId("token-row").filter({ hasText: "Chrome · Linux" }).first().waitFor();
    await page.getByText("this browser").waitFor();
    await page.getByLabel("Current password").fill("guessed");
    await page.getByLabel(/^New password/).fill("battery staple");
    await page.getByLabel("Confirm new password").fill("battery staple");
    await page.getByTestId("change-password").click();
    await page.getByText("the password is wrong").waitFor();
    await page.getByLabel("Current password").fill(made.password);
    await page.getByTestId("change-password").click();
    await page.getByText("Password changed.").waitFor();
    await takeScreenshot(page, "my-account");
    const why = "you were signed out: the password of the account was changed";
    await otherPage.getByTestId("login-lost").getByText(why, { exact: true }).waitFor();
    await takeScreenshot(otherPage, "login-lost");
    await otherPage.context().close();
    await page.getByTestId("account").click();
    await page.getByRole("dialog", { name: "Account" }).getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("User name").waitFor();
    expect(await page.getByTestId("login-lost").count()).toBe(0);
    await signIn(page, made.name, "battery staple");
    await page.context().close();
  });

  test("fit a phone, in Chinese and dark", async () => {
    for (const path of ["/access", "/area/accounts"]) {
      const page = await pages.visit(path, PHONE);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expectNoOverflow(page, `accounts-phone${path.replaceAll("/", "-")}`);
      await pages.releasePage(page);
    }
  });

  describe("unsaved changes in a window or on a page", () => {
    test("are not discarded by Escape or the close button without a question", async () => {
      const page = await pages.visit("/mcp");
      await page.getByTestId("add-server").click();
      await page.getByRole("dialog").getByLabel("Name").fill("mine");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Stay" }).click();
      expect(await page.getByRole("dialog").getByLabel("Name").inputValue()).toBe("mine");
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
      await page.getByTestId("discard-changes").click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByTestId("add-server").click();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await pages.releasePage(page);
    });

    test("of settings are found by their words, a time zone is chosen, and leaving asks", async () => {
      const page = await pages.visit("/settings");
      await page.getByTestId("settings-search").fill("time zone");
      await expect.poll(() => page.locator("fieldset legend").count(), SHORT_TIMEOUT).toBe(1);
      await page.getByLabel("Time zone").first().click();
      await page.getByLabel("Time zone").first().fill("Berlin");
      await page.getByRole("option", { name: "Europe/Berlin" }).click();
      await takeScreenshot(page, "settings-search");
      await page.getByRole("link", { name: "Status" }).click();
      await page.getByRole("button", { name: "Stay" }).click();
      await page.getByTestId("account").click();
      const menu = page.getByRole("dialog", { name: "Account" });
      await menu.getByRole("button", { name: "Sign out" }).click();
      await page.getByTestId("discard-changes").waitFor();
      await page.getByRole("button", { name: "Stay" }).click();
      await page.getByTestId("discard-changes").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await expect
        .poll(async () => (await pages.api.get<{ timezone: string }>("/api/settings")).timezone, SHORT_TIMEOUT)
        .toBe("Europe/Berlin");
      await page.getByTestId("settings-search").fill("no such word");
      await page.getByText("No settings match.").waitFor();
      await pages.releasePage(page);
    });

    test("of the title and the time zone appear on the page", async () => {
      const set = (title: string | null, timezone: string | null) =>
        pages.api.put("/api/settings", { timezone, web: { title } });
      const { id } = await pages.api.post<{ id: string }>("/api/sessions", {});
      await pages.api.post(`/api/sessions/${id}/chat`, { content: "hello" });
      await set("Mine", "Asia/Tokyo");
      const page = await pages.visit("/status", { timezoneId: "America/New_York" });
      await page.getByTestId("chart-zone").getByText("Asia/Tokyo").waitFor();
      expect(await page.title()).toBe("Status · Mine");
      const hour = new Intl.DateTimeFormat("en-US", { timeZone: "Asia/Tokyo", hour: "numeric" }).format().split(/\s/);
      const last = page.locator("figure.bars_bars .bars_axisLabels").first().locator("span").last();
      expect(await last.textContent()).toMatch(new RegExp(`^${hour[0]}:00\\s${hour[1]}$`));
      await takeScreenshot(page, "status-elsewhere");
      await set(null, "America/New_York");
      await page.reload();
      await page.locator("figure.bars_bars").first().waitFor();
      await page.getByTestId("chart-zone").waitFor({ state: "detached" });
      await set(null, null);
      await page.close();
    });

    test("plugins are found by purpose, reload automatically, and list what they add", async () => {
      const page = await pages.visit("/plugins");
      await page.getByTestId("plugin-search").fill("stickers");
      await expect.poll(() => page.getByTestId("plugin-card").count(), SHORT_TIMEOUT).toBe(1);
      const card = page.getByTestId("plugin-card");
      await card.getByText("Adds a picture").waitFor();
      await card.locator("summary").click();
      await card.getByText("Package: @parley/plugin-sticker").waitFor();
      await card.getByText(/^Adds: /).waitFor();
      await card.getByTestId("reload-plugin").click();
      await page.getByText("Stickers reloaded.").waitFor();
      await takeScreenshot(page, "plugins-search");
      // A user who switched it off by mistake switches it on again with one click.
      await toggleSwitch(card.getByRole("switch"));
      await page.getByTestId("switch-off").click();
      await page.getByText("Stickers is off.").waitFor();
      await card.getByText("off", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await card.getByText("running", { exact: true }).waitFor();
      await page.getByTestId("plugin-search").fill("console");
      await page.locator('[data-plugin="web"]').getByTestId("required").waitFor();
      expect(await page.locator('[data-plugin="web"]').getByRole("switch").count()).toBe(0);
      await pages.releasePage(page);
      const phone = await pages.visit("/plugins", PHONE);
      await phone.getByText("控制台").first().waitFor();
      await expectNoOverflow(phone, "plugins-phone");
      await pages.releasePage(phone);
    });

    test("servers of another program's configuration are shown, explained and added", async () => {
      const page = await pages.visit("/mcp");
      await page.getByTestId("paste-config").click();
      await page.getByTestId("paste-servers").fill("no json");
      await page.getByText("Not valid JSON: line 1").waitFor();
      await page.getByTestId("paste-servers").fill("[]");
      await page.getByText("This is not a JSON object.").waitFor();
      const headers = { Authorization: "Bearer pasted-secret" };
      const mcpServers = {
        docs: { url: "http://127.0.0.1:9/mcp", headers },
        old: { type: "sse", url: "http://127.0.0.1:9" },
      };
      await page.getByTestId("paste-servers").fill(JSON.stringify({ mcpServers }));
      await expect.poll(() => page.getByTestId("pasted-server").count(), SHORT_TIMEOUT).toBe(2);
      await page.getByText("The SSE transport is no longer supported").waitFor();
      await takeScreenshot(page, "mcp-paste");
      await page.getByTestId("add-pasted").click();
      await page.getByText("Added.").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
      const { items } = await pages.api.get<{ items: readonly object[] }>("/api/mcp-servers");
      expect(items).toMatchObject([{ id: "docs", kept_secrets: ["MCP_DOCS_AUTHORIZATION"] }]);
      expect(JSON.stringify(items)).not.toContain("pasted-secret");
      await pages.releasePage(page);
    });
  });
});
