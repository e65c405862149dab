import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

const call = (name: string, args: object) => ({ kind: "tool", name, args }) as const;

describe.runIf(canBrowse)("beside an answer", () => {
  let pages: Console;
  let models: ModelServer;
  let page: Page;
  let phone: Page;
  let dark: Page;
  let sessionId: string;

  beforeAll(async () => {
    [pages, models] = await Promise.all([startConsole(), startModelServer()]);
    const model = { name: "m", model: "m", base_url: models.baseUrl };
    const { id } = await pages.api.post<{ id: string }>("/api/ai-models", model);
    sessionId = (await pages.api.post<{ id: string }>("/api/sessions", { name: "tea", model_id: id })).id;
    [page, phone, dark] = await Promise.all([
      pages.visit(`/sessions/${sessionId}`),
      pages.visit(`/sessions/${sessionId}`, PHONE),
      pages.visit(`/sessions/${sessionId}`, { colorScheme: "dark" }),
    ]);
    for (const one of [page, phone, dark]) await one.getByTestId("composer").waitFor();
  }, 60_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await models?.[Symbol.asyncDispose]();
  });

  test("the AI's actions are shown live, and its plan and changes when it is done", async () => {
    const last = createGate();
    models.script.push(
      call("todo_add", { text: "Boil the water" }),
      call("todo_add", { text: "Warm the pot" }),
      call("workspace_create_file", { filename: "notes/tea.md", content: "Three minutes." }),
      call("todo_complete", { id: 1 }),
      { kind: "held", pieces: ["The tea ", "is ready."], gate: last },
    );
    const answered = pages.api.post(`/api/sessions/${sessionId}/chat`, { content: "Tea, please." });
    const thinking = page.getByTestId("thinking-card");
    await expect.poll(() => thinking.locator("li").count(), SHORT_TIMEOUT).toBe(4);
    await thinking.getByText("workspace_create_file").waitFor();
    await phone.getByTestId("thinking-card").getByText("完成").first().waitFor();
    await expectNoOverflow(page, "cards-while");
    await expectNoOverflow(phone, "cards-while-phone");
    last.next();
    last.next();
    await answered;
    await page.getByRole("log").getByText("The tea is ready.").waitFor();
    await expect.poll(() => thinking.count(), SHORT_TIMEOUT).toBe(0);
    const todos = page.getByTestId("todo-card");
    await todos.getByRole("heading", { name: "1 to-do left" }).waitFor();
    await expect
      .poll(() => todos.locator('[data-done="true"]').textContent(), SHORT_TIMEOUT)
      .toContain("Boil the water");
    const link = page.getByTestId("change-card").getByRole("link", { name: "notes/tea.md" });
    const file = await page.request.get(new URL((await link.getAttribute("href")) ?? "", page.url()).href);
    expect(await file.text()).toBe("Three minutes.");
    await phone.getByTestId("change-card").getByText("新建").waitFor();
    await dark.getByTestId("change-card").waitFor();
    await expectNoOverflow(page, "cards");
    await expectNoOverflow(phone, "cards-phone");
    await expectNoOverflow(dark, "cards-dark");
    models.script.push({ kind: "text", text: "You are welcome.", thinking: "A polite guest." });
    await pages.api.post(`/api/sessions/${sessionId}/chat`, { content: "Thanks." });
    await page.reload();
    await page.getByRole("log", { name: "Messages" }).getByText("You are welcome.").waitFor();
    await page.locator(".text_folded summary", { hasText: "Thinking" }).click();
    await page.getByText("A polite guest.").waitFor();
    const calls = page.locator(".text_folded", { hasText: "Tools: todo_add" });
    await calls.locator("summary").click();
    await calls.getByText("workspace_create_file(").waitFor();
    await todos.getByRole("heading", { name: "1 to-do left" }).waitFor();
    await expectNoOverflow(page, "cards-reloaded");
    expect(pages.problems).toEqual([]);
  });
});
