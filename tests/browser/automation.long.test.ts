import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import {
  TOOL_SERVER,
  toCommandLinesConfig,
  toStdioEntry,
  toToolServerCommands,
} from "../harness/mcp/mcp-command-lines.ts";
import { createSampleTools } from "../harness/plugins/sample-tools.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

const hands = createSampleTools();

describe.runIf(canBrowse)("the automation pages", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [hands.plugin], config: toCommandLinesConfig(toToolServerCommands("odd")) });
    const server = toStdioEntry([process.execPath, TOOL_SERVER, "odd"]);
    await pages.api.post("/api/mcp-servers", { id: "clock", name: "Clock shop", ...server });
    await pages.api.post("/api/mcp-servers/clock/connect", {});
    await pages.api.post("/api/task-center", {
      name: "Evening news",
      prompt: "What happened today?",
      trigger: "cron",
      config: { cron: "0 20 * * *", timezone: "Europe/Berlin" },
    });
    page = await pages.visit("/automation");
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  test("a new workflow is stored when it is saved, and leaving discards it", async () => {
    const stored = async () => (await pages.api.get<{ total: number }>("/api/workflows")).total;
    await page.getByTestId("new-workflow").click();
    await page.getByTestId("workflow-name").waitFor();
    await page.getByRole("link", { name: "All workflows" }).click();
    await page.getByTestId("new-workflow").waitFor();
    expect(await stored()).toBe(0);
    await page.getByTestId("new-workflow").click();
    await page.getByTestId("workflow-name").fill("Half a thought");
    await page.getByRole("link", { name: "All workflows" }).click();
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByTestId("new-workflow").waitFor();
    expect(await stored()).toBe(0);
    await page.getByTestId("new-workflow").click();
    await page.getByTestId("workflow-name").fill("A whole thought");
    await page.getByTestId("save-workflow").click();
    await expect.poll(() => page.url(), SHORT_TIMEOUT).toMatch(/workflows\/wf_|workflows\/workflow_/);
    expect(await stored()).toBe(1);
    const { items } = await pages.api.get<{ items: readonly { id: string }[] }>("/api/workflows");
    await pages.api.send("DELETE", `/api/workflows/${items[0]?.id}`);
    await page.getByRole("link", { name: "All workflows" }).click();
  });

  test("a workflow is built step by step, and tested beside its steps", async () => {
    await expectNoOverflow(page, "automation-empty");
    await page.getByTestId("new-workflow").click();
    await page.getByTestId("workflow-name").fill("Morning walk");
    await page.getByTestId("add-tool").click();
    const steps = page.getByTestId("step");
    // A tool of a connected server is selected by the name that the AI uses.
    await steps.nth(0).getByLabel("Tool", { exact: true }).fill("clock shop again xxx");
    const long = page.getByRole("option", { name: /^mcp__clock__x+_[0-9a-f]{8}/ });
    const offered = await long.getAttribute("value");
    await long.click();
    expect(await steps.nth(0).getByLabel("Tool", { exact: true }).inputValue()).toBe(offered);
    // The tool is found by its description.
    await steps.nth(0).getByLabel("Tool", { exact: true }).fill("weather hand");
    await page.getByRole("option", { name: /hand_look/ }).click();
    expect(await steps.nth(0).getByLabel("Tool", { exact: true }).inputValue()).toBe("hand_look");
    await steps.nth(0).getByLabel("Result name").fill("weather");
    await page.getByTestId("add-tool").click();
    await steps.nth(1).getByLabel("Tool", { exact: true }).fill("hand_write");
    await steps.nth(1).getByLabel("Arguments (JSON)").fill('{"text": "{{weather.city}} {{content}}"}');
    await page.getByLabel("Starting text").fill("today");
    await page.getByTestId("try-workflow").click();
    const run = page.getByTestId("run-view");
    await run.getByText("done").first().waitFor();
    await expect.poll(() => page.getByTestId("run-step").count(), SHORT_TIMEOUT).toBe(2);
    await page.getByTestId("run-step").nth(1).locator("summary").click();
    await page.getByTestId("run-step").nth(1).getByText('"text": "Oslo today"').waitFor();
    expect(hands.written).toEqual(["Oslo today"]);
    // The workflow has an id now, and keeps the input of the trial.
    expect(page.url()).not.toContain("/new");
    expect(await page.getByLabel("Starting text").inputValue()).toBe("today");
    await expectNoOverflow(page, "automation-workflow");
  });

  test("errors of a step appear at its field, and nothing is stored", async () => {
    await page.getByTestId("add-message").click();
    await page.getByTestId("save-workflow").click();
    const wrong = page.getByTestId("step").nth(2).locator("[aria-invalid='true']");
    await wrong.waitFor();
    expect(await page.locator("[aria-invalid='true']:focus").count()).toBe(1);
    expect(await page.getByRole("alert").count()).toBe(0);
    const [workflow] = (await pages.api.get<{ items: readonly { steps: object[] }[] }>("/api/workflows")).items;
    expect(workflow?.steps).toHaveLength(2);
    await page.getByTestId("step").nth(2).getByRole("button", { name: "Delete" }).click();
  });

  test("tasks are listed with all automation, and are created and changed there", async () => {
    await page.getByRole("link", { name: "All workflows" }).click();
    await page.getByTestId("tab-tasks").click();
    await page.getByTestId("task-row").filter({ hasText: "Heartbeat" }).first().waitFor();
    await page.getByTestId("new-task").click();
    await page.getByTestId("task-name").fill("Water the plants");
    await page.getByTestId("task-prompt").fill("Remind me of the plants.");
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "Balcony" });
    await page.getByRole("dialog").getByLabel("Conversation").fill("balc");
    await page.getByRole("option", { name: "Balcony" }).click();
    expect(await page.getByRole("dialog").getByLabel("Conversation").inputValue()).toBe("Balcony");
    await page.getByTestId("save-task").click();
    const task = page.getByTestId("task-row").filter({ hasText: "Water the plants" });
    await task.getByRole("button", { name: "Edit" }).click();
    await expect
      .poll(() => page.getByRole("dialog").getByLabel("Conversation").inputValue(), SHORT_TIMEOUT)
      .toBe("Balcony");
    await expectNoOverflow(page, "automation-task");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const { items } = await pages.api.get<{ items: readonly object[] }>("/api/task-center");
    expect(items).toContainEqual(expect.objectContaining({ name: "Water the plants", target_session_id: id }));
    await expectNoOverflow(page, "automation-tasks");
    await page.getByTestId("tab-calendar").click();
    await page
      .getByTestId("calendar-day")
      .first()
      .getByText(/Water the plants|Evening news/)
      .first()
      .waitFor();
    await expectNoOverflow(page, "automation-calendar");
  });

  test("the calendar shows a run every few minutes as one entry, on every day", async () => {
    const often = { trigger: "cron", config: { cron: "*/5 * * * *" }, prompt: "Look at the weather." };
    const { id } = await pages.api.post<{ id: string }>("/api/task-center", { name: "Weather", ...often });
    await page.reload();
    const days = page.getByTestId("calendar-day");
    const weather = days.filter({ hasText: "Weather" });
    await expect.poll(() => weather.getByText(/every 5 minutes/).count(), SHORT_TIMEOUT).toBeGreaterThanOrEqual(7);
    await expectNoOverflow(page, "automation-calendar-often");
    const phone = await pages.visit("/automation/calendar", PHONE);
    await phone
      .getByText(/每 5 分钟/)
      .first()
      .waitFor();
    await expectNoOverflow(phone, "automation-calendar-often-phone");
    await pages.releasePage(phone);
    await pages.api.send("DELETE", `/api/task-center/${id}`);
  });

  test("the heartbeat has its text and its runs", async () => {
    await page.getByTestId("tab-heartbeat").click();
    await page.getByTestId("heartbeat-text").fill("Look at the garden.");
    await page.getByTestId("save-heartbeat-text").click();
    await expect
      .poll(async () => (await pages.api.get<{ content: string }>("/api/heartbeat/content")).content, SHORT_TIMEOUT)
      .toBe("Look at the garden.");
    await page.getByRole("button", { name: "Run now" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("done").first().waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    const [balcony] = (await pages.api.get<{ items: readonly { id: string }[] }>("/api/sessions?q=Balcony")).items;
    const recipients = page.getByRole("combobox", { name: "Recipients" });
    for (const [typed, offered] of [
      ["balc", "Balcony"],
      ["console", "This console"],
      ["nowhere:group:7", "nowhere:group:7"],
    ] as const) {
      await recipients.fill(typed);
      await page.getByRole("option", { name: offered }).click();
    }
    await page.getByTestId("save-heartbeat").click();
    // The channel of the target does not exist.
    await page.locator("[aria-invalid='true']").waitFor();
    await recipients.press("Backspace");
    await page.getByTestId("save-heartbeat").click();
    const saved = async () => (await pages.api.get<{ targets: readonly string[] }>("/api/heartbeat")).targets;
    await expect.poll(saved, SHORT_TIMEOUT).toEqual([balcony?.id, "web"]);
    await page.reload();
    await page.locator("form").getByText("Balcony").first().waitFor();
    await page.locator("form").getByText("This console").first().waitFor();
    await expectNoOverflow(page, "automation-heartbeat");
  });

  test("runs show their result, and can be repeated", async () => {
    await page.getByTestId("tab-runs").click();
    const row = page.getByTestId("run-row").filter({ hasText: "Morning walk" }).first();
    await row.waitFor();
    await expectNoOverflow(page, "automation-runs");
    await row.getByTestId("open-run").click();
    await page.getByTestId("rerun").click();
    await expect.poll(() => hands.written.length, SHORT_TIMEOUT).toBe(2);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    const shown = page.getByTestId("run-row").filter({ hasText: "Evening news" });
    const { items } = await pages.api.get<{ items: readonly { id: string; name: string }[] }>("/api/task-center");
    const task = items.find(({ name }) => name === "Evening news");
    const runOverApi = () => pages.api.post(`/api/task-center/${task?.id}/run`, { wait: true });
    await runOverApi();
    await expect.poll(() => shown.count(), SHORT_TIMEOUT).toBe(1);
    // A run missed meanwhile is shown as soon as the list is opened again.
    await page.getByTestId("tab-calendar").click();
    await shown.waitFor({ state: "detached" });
    await runOverApi();
    await page.getByTestId("tab-runs").click();
    await expect.poll(() => shown.count(), SHORT_TIMEOUT).toBe(2);
    expect(pages.problems).toEqual([]);
  });

  test("fit a phone, in dark mode and Chinese", async () => {
    const { items } = await pages.api.get<{ items: readonly { id: string }[] }>("/api/workflows");
    const input = { name: "hand_write", arguments: { text: "{{nobody}}" } };
    const steps = [{ id: "note", action: "tool", input }];
    const { id } = await pages.api.post<{ id: string }>("/api/workflows", { name: "Lost", description: "d", steps });
    await pages.api.post(`/api/workflows/${id}/execute`, { wait: true });
    for (const [path, word] of [
      ["/automation", "新建工作流"],
      ["/automation/tasks", "新建任务"],
      ["/automation/heartbeat", "检查内容"],
      ["/automation/calendar", "未来七天"],
      ["/automation/runs", "全部状态"],
      [`/automation/workflows/${items[0]?.id}`, "试运行"],
    ] as const) {
      const phone = await pages.visit(path, PHONE);
      await phone.getByText(word).or(phone.getByPlaceholder(word)).first().waitFor();
      await expectNoOverflow(phone, `automation-phone${path.replaceAll("/", "-").slice(0, 30)}`);
      await pages.releasePage(phone);
    }
  });

  test("a reader of Chinese sees in Chinese why a run failed, and at which step", async () => {
    const phone = await pages.visit("/automation/runs", PHONE);
    const row = phone.getByTestId("run-row").filter({ hasText: "Lost" });
    const why = "{{nobody}} 无效：没有步骤提供“nobody”";
    await row.getByText(`步骤“note”：${why}`, { exact: true }).waitFor();
    await row.getByTestId("open-run").click();
    await phone.getByTestId("run-step").getByText(why, { exact: true }).waitFor();
    await expectNoOverflow(phone, "automation-phone-failed");
  });
});
