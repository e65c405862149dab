import { type ModelServer, startModelServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

describe.runIf(canBrowse)("the companion", () => {
  let pages: Console;
  let models: ModelServer;
  let page: Page;

  beforeAll(async () => {
    models = await startModelServer();
    pages = await startConsole({ config: "[mcp]\nadmin = true\n" });
  }, 60_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await models?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await page.close();
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const says = (on = page) => on.getByTestId("companion-says");

  test("explains that it needs a model, and each person can hide and show it", async () => {
    page = await pages.visit("/models");
    await page.getByTestId("companion").click();
    await says().getByText("Hello! What shall we do?").waitFor();
    const color = (what: string) => page.evaluate(`getComputedStyle(document.querySelector('${what}')).color`);
    expect(await color('[data-testid="companion-says"]')).toBe(await color("body"));
    await page.getByRole("button", { name: "Cheer me up" }).click();
    await page.getByText("Add a model under Models so that the companion can talk.").waitFor();
    await page.getByTestId("companion-hide").click();
    await page.reload();
    await page.getByTestId("companion-show").click();
    await page.getByTestId("companion").click();
    await page.getByTestId("companion-topic").press("Escape");
    expect(await page.getByTestId("companion-panel").count()).toBe(0);
  });

  test("talks, reads a conversation, and asks before it changes anything", async () => {
    const fields = { name: "Talker", model: "m", base_url: models.baseUrl };
    const { id } = await pages.api.post<{ id: string }>("/api/ai-models", fields);
    await pages.api.post(`/api/ai-models/${id}/apply`, {});
    const session = await pages.api.post<{ id: string }>("/api/sessions", { name: "tea" });
    models.script.push({ kind: "text", text: JSON.stringify({ greeting: "Good morning!", options: ["Sing"] }) });
    page = await pages.visit(`/sessions/${session.id}`);
    await page.getByTestId("companion").click();
    await says().getByText("Good morning!").waitFor();
    models.script.push({ kind: "text", text: "La la la." });
    await page.getByRole("button", { name: "Sing" }).click();
    await says().getByText("La la la.").waitFor();
    await expectNoOverflow(page, "companion");
    models.script.push({ kind: "text", text: "A fine talk about tea." });
    await page.getByTestId("companion-look").click();
    await says().getByText("A fine talk about tea.").waitFor();
    const args = { name: "made by the companion" };
    models.script.push({ kind: "tool", name: "web_create_session", args, text: "Shall I?" });
    await page.getByTestId("companion-topic").fill("make one");
    await page.getByTestId("companion-topic").press("Enter");
    await page.getByTestId("companion-agree").waitFor();
    await expectNoOverflow(page, "companion-wish");
    const total = async () => (await pages.api.get<{ total: number }>("/api/sessions")).total;
    expect(await total()).toBe(1);
    await page.getByTestId("companion-agree").click();
    await says().getByText("Done.").waitFor();
    expect(await total()).toBe(2);
  });

  test("is in the menu of a phone, and covers nothing", async () => {
    page = await pages.visit("/", PHONE);
    await page.getByRole("button", { name: "新会话" }).first().waitFor();
    expect(await page.getByTestId("companion").isVisible()).toBe(false);
    await page.getByRole("button", { name: "菜单" }).click();
    await page.getByTestId("companion").click();
    await expect.poll(() => says(page).textContent(), SHORT_TIMEOUT).not.toBe("…");
    await expectNoOverflow(page, "companion-phone");
  });

  test("is not shown while it is switched off", async () => {
    await pages.api.put("/api/settings", { features: { avatar: false } });
    page = await pages.visit("/settings");
    await page.getByText("Console companion").first().waitFor();
    expect(await page.getByTestId("companion").count()).toBe(0);
    expect(await page.getByTestId("companion-show").count()).toBe(0);
    await pages.api.put("/api/settings", { features: { avatar: true } });
  });
});
