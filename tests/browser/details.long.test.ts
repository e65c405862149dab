import { type ModelServer, startModelServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

describe.runIf(canBrowse)("details of the console", () => {
  let pages: Console;
  let models: ModelServer;
  let page: Page;
  let session: string;

  beforeAll(async () => {
    [pages, models] = await Promise.all([startConsole(), startModelServer()]);
    const model = { name: "Scripted", model: "m", base_url: models.baseUrl, api_key: "k", retry_count: 0 };
    const { id } = await pages.api.post<{ id: string }>("/api/ai-models", model);
    await pages.api.post(`/api/ai-models/${id}/apply`, {});
    session = (await pages.api.post<{ id: string }>("/api/sessions", { name: "A talk" })).id;
  }, 60_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await models?.[Symbol.asyncDispose]();
  });
  afterEach(() => {
    models.script.length = 0;
    expect(pages.problems.splice(0)).toEqual([]);
  });

  test("an empty answer is labelled as empty, and its failed call as no answer", async () => {
    models.script.push({ kind: "text", text: "" }, { kind: "text", text: "" });
    page = await pages.visit(`/sessions/${session}`);
    await page.getByTestId("composer").fill("say nothing");
    await page.getByTestId("composer").press("Enter");
    await page.getByText("The model did not answer: its answer was empty").waitFor();
    const asked = page.getByTestId("message").filter({ hasText: "say nothing" });
    await asked.hover();
    await asked.getByTestId("show-processing").click();
    const explained = page.getByTestId("explained");
    await explained
      .getByText(/gave no answer/)
      .first()
      .waitFor();
    expect(await explained.textContent()).not.toContain("0 → 0");
    await page.keyboard.press("Escape");
    await pages.releasePage(page);
  });

  test("an unanswered message is listed among the errors of the day", async () => {
    page = await pages.visit("/status");
    const fact = page.getByTestId("machine").locator("> div").filter({ hasText: "Errors in the last 24 hours" });
    await expect.poll(() => fact.textContent(), SHORT_TIMEOUT).toMatch(/hours[1-9]/);
    await expectNoOverflow(page, "status-errors");
    await pages.releasePage(page);
  });

  test("matching messages are shown without a notice that nothing matches", async () => {
    const message = { role: "assistant", content: "The zeppelin has landed." };
    await pages.api.post(`/api/sessions/${session}/messages`, message);
    page = await pages.visit("/");
    const search = page.getByRole("searchbox").or(page.getByPlaceholder("Search")).first();
    // The text is found in messages only, not in names of conversations.
    const none = { items: [], total: 0, limit: 50, offset: 0, next_cursor: null };
    await page.route(/api\/sessions\?.*zeppelin/, (route) => route.fulfill({ json: { success: true, data: none } }));
    await search.fill("zeppelin");
    await page.getByTestId("found-message").first().waitFor();
    await expect.poll(() => page.getByTestId("session-item").count(), SHORT_TIMEOUT).toBe(0);
    expect(await page.getByText("No conversations match.").count()).toBe(0);
    await search.fill("nowhere-to-be-found");
    await page.getByText("No conversations match.").waitFor();
    await pages.releasePage(page);
  });

  test("previews contain no truncated Markdown", async () => {
    const text = `The harbour lies below the old town, and whoever comes by sea sees **the white tower of Saint Nicholas** first.`;
    await pages.api.post(`/api/sessions/${session}/messages`, { role: "assistant", content: text });
    page = await pages.visit("/");
    const preview = page.getByTestId("recent-session").first();
    await preview.getByText(/the white tower of Saint Nichol…/).waitFor();
    expect(await preview.textContent()).not.toContain("**");
    await pages.releasePage(page);
  });

  test("large token counts fit on one line on a phone", async () => {
    page = await pages.openPage(PHONE);
    await page.context().request.post(`${pages.parley.address}/api/login`, { data: pages.parley.credentials });
    await page.route("**/api/stats", async (route) => {
      const answer = await route.fetch();
      const { data, ...rest } = await answer.json();
      const token_usage = { ...data.token_usage, total_tokens: 4_859_544 };
      await route.fulfill({ response: answer, json: { ...rest, data: { ...data, token_usage } } });
    });
    await page.goto(pages.parley.address);
    const number = page.getByTestId("today-number").last().locator("b");
    await expect.poll(() => number.getAttribute("title"), SHORT_TIMEOUT).toBe("4,859,544");
    const box = await number.boundingBox();
    const tile = await page.getByTestId("today-number").last().boundingBox();
    // The text fits on one line of the tile.
    expect(box?.height).toBeLessThan(40);
    expect(box?.width).toBeLessThanOrEqual(tile?.width ?? 0);
    expect(await number.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await expectNoOverflow(page, "start-phone-numbers");
    await page.close();
  });

  test("a signed-out page causes no failing request", async () => {
    const failed: string[] = [];
    page = await pages.openPage();
    page.on("response", (answer) => {
      if (answer.status() >= 400) failed.push(`${answer.status()} ${answer.url()}`);
    });
    await page.goto(pages.parley.address);
    await page.locator("input[type=password]").waitFor();
    await page.waitForLoadState("networkidle");
    expect(failed).toEqual([]);
    await page.close();
  });

  test("an empty field of a workflow is labelled as empty", async () => {
    page = await pages.visit("/automation/workflows/new");
    await page.getByTestId("workflow-name").fill("Empty");
    await page.getByTestId("add-ai").click();
    await page.getByTestId("save-workflow").click();
    await page.getByText("Is not allowed to be empty").first().waitFor();
    expect(await page.getByText("Contains an invalid value").count()).toBe(0);
    await page.close();
  });

  test("the prompt of a card is shown with its placeholders filled in", async () => {
    page = await pages.visit("/characters/new");
    await page.getByTestId("card-name").fill("Mira");
    await page.getByLabel("Scenario").fill("{{char}} keeps a log of {{user}}.");
    await page.getByTestId("prompt-preview").getByText("Mira keeps a log of admin.").waitFor();
    await page.close();
  });
});
