import type { Message } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { createAskingPlugin } from "../harness/plugins/asking.ts";
import { findViolations } from "./axe.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

describe.runIf(canBrowse)("buttons, lists and cards in the console", () => {
  let models: ModelServer;
  let pages: Console;

  beforeAll(async () => {
    models = await startModelServer();
    pages = await startConsole({ plugins: [createAskingPlugin()] });
    const { api } = pages;
    const model = { name: "m", model: "m", base_url: models.baseUrl };
    await api.post(`/api/ai-models/${(await api.post<{ id: string }>("/api/ai-models", model)).id}/apply`, {});
  }, 60_000);
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  });

  const ask = async (...forms: readonly string[]) => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "Tea" });
    for (const form of forms) await pages.api.post(`/api/sessions/${id}/chat`, { content: `/ask ${form}` });
    return id;
  };
  const item = (page: Page, label: string) => page.getByTestId("element-item").filter({ hasText: label });
  const note = (page: Page, at = 0) => page.getByTestId("element-note").nth(at);
  const readsNote = (page: Page, text: string, at = 0) =>
    expect.poll(() => note(page, at).textContent(), SHORT_TIMEOUT).toBe(text);
  const isClosed = (page: Page, label: string) => item(page, label).getAttribute("aria-disabled");

  test("a button is pressed once with the keyboard, and another tab and a reload show what was chosen", async () => {
    const id = await ask("");
    const page = await pages.visit(`/sessions/${id}`);
    const other = await pages.visit(`/sessions/${id}`);
    await item(other, "Tea").waitFor();
    expect(await page.getByTestId("element-link").getAttribute("href")).toBe("https://example.com/menu");
    await item(page, "Coffee").focus();
    await page.keyboard.press("Enter");
    await page.getByText("You said: Coffee").waitFor();
    for (const one of [page, other]) {
      await readsNote(one, "Chosen: Coffee");
      expect(await item(one, "Coffee").getAttribute("aria-pressed")).toBe("true");
      expect(await isClosed(one, "Tea")).toBe("true");
    }
    expect(await page.evaluate("document.activeElement.textContent")).toContain("Coffee");
    await item(other, "Tea").dispatchEvent("click");
    await other.reload();
    await readsNote(other, "Chosen: Coffee");
    const { items } = await pages.api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
    expect(items.filter(({ metadata }) => metadata.pressed)).toHaveLength(1);
    expect(await findViolations(page)).toEqual([]);
    await takeScreenshot(page, "elements-chosen");
    await pages.releasePage(other);
    await pages.releasePage(page);
  });

  test("an item of a list is picked with the keyboard, and a card has its own buttons", async () => {
    const id = await ask("select", "card");
    const page = await pages.visit(`/sessions/${id}`);
    await page.getByTestId("element-card").getByText("Two cups").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await takeScreenshot(page, "elements-open");
    await page.getByTestId("element-select").focus();
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await readsNote(page, "Chosen: Large");
    await item(page, "Cancel the table").click();
    await readsNote(page, "Chosen: Cancel the table", 1);
    expect(await page.getByTestId("element-select").inputValue()).toBe("Large");
    await pages.releasePage(page);
  });

  test("a press that comes too late says so in Chinese on a phone, and closes the buttons", async () => {
    const id = await ask("", "card", "select");
    const phone = await pages.visit(`/sessions/${id}`, PHONE);
    await item(phone, "Tea").waitFor();
    await expectNoOverflow(phone, "phone-elements");
    const { items } = await pages.api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
    const asked = items.find(({ elements = [] }) => elements[0]?.type === "buttons");
    await phone.route("**/press", (route) =>
      route.fulfill({
        status: 409,
        json: { success: false, code: "conflict", error: "已经有人作出选择" },
      }),
    );
    await item(phone, "Tea").click();
    await readsNote(phone, "已经有人作出选择");
    expect(await isClosed(phone, "Coffee")).toBe("true");
    expect(asked?.metadata.elements_expire_at).toEqual(expect.any(String));
    expect(await findViolations(phone)).toEqual([]);
    await takeScreenshot(phone, "phone-elements-late");
    await pages.releasePage(phone);
  });
});
