import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

describe.runIf(canBrowse)("the pages of budgets and personas", () => {
  let pages: Console;
  let session: string;

  beforeAll(async () => {
    pages = await startConsole();
    const { api } = pages;
    session = (await api.post<{ id: string }>("/api/sessions", { name: "About boats" })).id;
    await api.post("/api/budgets", { name: "Everyone", applies_to: "all", limit_tokens: 400, period: "month" });
    await api.post("/api/budgets", { name: "Each conversation", applies_to: "conversation", limit_tokens: 100_000 });
    await api.post("/api/budgets", { name: "Money", applies_to: "all", limit_cost: 5, period: "day", enabled: false });
    await api.post(`/api/sessions/${session}/chat`, { content: "Hello" });
    await api.post("/api/personas", { name: "Captain Ann", description: "Sails a red boat.", is_default: true });
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const row = (page: Page, name: string) => page.getByTestId("budget-row").filter({ hasText: name });

  test("a budget is added, shows what is left, and is changed", async () => {
    const page = await pages.visit("/budgets");
    await expect.poll(() => row(page, "Everyone").textContent(), SHORT_TIMEOUT).toMatch(/of 400 tokens left/);
    await expect.poll(() => row(page, "Each conversation").textContent(), SHORT_TIMEOUT).toContain("About boats");
    await page.getByTestId("add-budget").click();
    await page.getByTestId("budget-name").fill("Newcomers");
    await page.getByTestId("budget-applies-to").selectOption("person");
    await page.getByTestId("budget-tokens").fill("5000");
    await takeScreenshot(page, "budget-form");
    await page.getByTestId("save-budget").click();
    await expect.poll(() => row(page, "Newcomers").textContent(), SHORT_TIMEOUT).toContain("Each person");
    await row(page, "Newcomers").getByTestId("edit-budget").click();
    await page.getByTestId("budget-name").fill("New people");
    await page.getByTestId("save-budget").click();
    await expect.poll(() => row(page, "New people").count(), SHORT_TIMEOUT).toBe(1);
    await row(page, "Each conversation").getByTestId("budget-usage").click();
    await expect.poll(() => page.getByTestId("budget-usage-row").textContent(), SHORT_TIMEOUT).toContain("About boats");
    await takeScreenshot(page, "budget-usage");
  });

  test.each([
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
    ["phone", PHONE],
  ] as const)("the pages fit their window: %s", async (name, options) => {
    const page = await pages.visit("/budgets", options);
    await row(page, "Everyone").waitFor();
    await row(page, "Everyone").getByTestId("budget-bar").waitFor();
    await expectNoOverflow(page, `budgets-${name}`);
    await page.goto(`${pages.parley.address}/#/area/personas`);
    await page.getByText("Captain Ann").waitFor();
    await expectNoOverflow(page, `personas-${name}`);
    await page.goto(`${pages.parley.address}/#/sessions/${session}`);
    await page.getByTestId("session-menu").click();
    await page.getByTestId("session-setup").click();
    await page.getByTestId("choose-persona").waitFor();
    await takeScreenshot(page, `persona-choice-${name}`);
    await page.keyboard.press("Escape");
    expect(pages.problems).toEqual([]);
  });

  test("a conversation gets a persona in its settings", async () => {
    const page = await pages.visit(`/sessions/${session}`);
    await page.getByTestId("session-menu").click();
    await page.getByTestId("session-setup").click();
    await page.getByTestId("choose-persona").selectOption({ label: "Captain Ann" });
    await page.getByTestId("save-setup").click();
    const getPersona = async () =>
      (await pages.api.get<{ persona_id: string | null }>(`/api/sessions/${session}`)).persona_id;
    await expect.poll(getPersona, SHORT_TIMEOUT).toMatch(/^per_/);
  });
});
