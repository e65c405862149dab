import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, SHORT_TIMEOUT, startConsole } from "./console.ts";

describe.runIf(canBrowse)("the command palette", () => {
  let pages: Console;

  beforeAll(async () => {
    pages = await startConsole();
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const inConversation = async (prepare: (page: Page) => Promise<void> = async () => {}) => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "A talk" });
    const page = await pages.openPage();
    await page.context().request.post(`${pages.parley.address}/api/login`, { data: pages.parley.credentials });
    await prepare(page);
    await page.goto(`${pages.parley.address}/#/sessions/${id}`);
    const composer = page.getByTestId("composer");
    await composer.fill("a draft");
    await composer.focus();
    return { page, composer, field: page.getByTestId("palette-input"), id };
  };

  test("receives every letter that is typed while its code is loading, and none goes into the draft", async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { page, composer, field, id } = await inConversation(async (one) => {
      await one.route(/palette-window/, async (route) => {
        await arrived;
        await route.continue();
      });
    });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("memx");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("o");
    await page.keyboard.press("Enter");
    expect(await composer.inputValue()).toBe("a draft");
    arrive();
    await field.waitFor();
    await expect.poll(() => field.inputValue(), SHORT_TIMEOUT).toBe("memo");
    await expect
      .poll(() => page.evaluate("document.activeElement?.dataset.testid"), SHORT_TIMEOUT)
      .toBe("palette-input");
    await page.keyboard.type("ries");
    expect(await field.inputValue()).toBe("memories");
    expect(await composer.inputValue()).toBe("a draft");
    const { items } = await pages.api.get<{ items: readonly object[] }>(`/api/sessions/${id}/messages`);
    expect(items).toEqual([]);

    // Escape restores the focus, and the palette is empty when it opens again.
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement?.dataset.testid"), SHORT_TIMEOUT).toBe("composer");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("status");
    await expect.poll(() => field.inputValue(), SHORT_TIMEOUT).toBe("status");
    expect(await composer.inputValue()).toBe("a draft");
    await page.close();
  });

  test("is preloaded once the page is idle", async () => {
    const fetched: string[] = [];
    const { page } = await inConversation(async (one) => {
      one.on("requestfinished", (request) => fetched.push(request.url()));
    });
    await expect.poll(() => fetched.some((url) => url.includes("palette-window")), SHORT_TIMEOUT).toBe(true);
    await page.close();
  });
});
