import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, picture } from "../harness/browser.ts";
import { type Console, SOON, startConsole } from "./console.ts";
import { garden } from "./garden.ts";

interface Window {
  /** What the form is for. */
  readonly of: string;
  readonly path: string;
  readonly open: (page: Page) => Promise<unknown>;
  /** A field of it that is written into. */
  readonly field: (page: Page) => Locator;
  /** What is written. Default: an address. */
  readonly text?: string;
}

const pressed = (testId: string) => (page: Page) => page.getByTestId(testId).first().click();
/** Of the only conversation that there is. */
const inMenu = (testId: string) => async (page: Page) => {
  await page.getByTestId("session-item").click();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByTestId(testId).click();
};
const button = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).first().click();
const field = (testId: string) => (page: Page) => page.getByTestId(testId);
const labelled = (label: string) => (page: Page) =>
  page.getByRole("dialog").getByLabel(label, { exact: false }).first();

const WINDOWS: readonly Window[] = [
  { of: "a new channel", path: "/channels", open: pressed("add-channel"), field: field("channel-name") },
  { of: "a channel", path: "/channels", open: pressed("edit-channel"), field: field("channel-description") },
  { of: "a rule", path: "/filter", open: pressed("add-rule"), field: field("rule-pattern") },
  { of: "a model", path: "/models", open: button("Add a model"), field: labelled("Model name") },
  { of: "an MCP server", path: "/mcp", open: pressed("add-server"), field: field("server-name") },
  { of: "a tool", path: "/tools", open: pressed("add-tool"), field: field("tool-name") },
  { of: "a memory", path: "/memories", open: pressed("new-memory"), field: field("memory-content") },
  { of: "a document", path: "/knowledge", open: pressed("write-document"), field: field("document-text") },
  { of: "a page of the web", path: "/knowledge", open: pressed("add-page"), field: field("page-address") },
  { of: "a skill", path: "/skills", open: pressed("add-skill"), field: field("skill-description") },
  { of: "a task", path: "/automation/tasks", open: pressed("new-task"), field: field("task-prompt") },
  { of: "a folder", path: "/files", open: pressed("new-folder"), field: field("file-name") },
  { of: "a conversation", path: "/", open: inMenu("session-setup"), field: field("session-prompt") },
  {
    of: "how warm a conversation is",
    path: "/",
    open: inMenu("session-setup"),
    field: field("session-temperature"),
    text: "1.5",
  },
  { of: "what is shared", path: "/", open: inMenu("share"), field: labelled("Password") },
  { of: "a record", path: "/area/plants", open: pressed("new-record"), field: labelled("Name") },
];

describe.runIf(canBrowse)("forms", () => {
  let pages: Console;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [garden] });
    await pages.api.post("/api/sessions", { name: "A talk" });
    await pages.api.post("/api/channels", {
      id: "bot",
      name: "Bot",
      type: "imB",
      transport: "webhook",
      enabled: false,
    });
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  test.each(WINDOWS)("what was written of $of is not lost: Escape asks, and staying keeps it", async (window) => {
    const page = await pages.visited(window.path);
    await window.open(page);
    const { text = "https://kept.example" } = window;
    const written = window.field(page);
    await written.fill(text);
    await page.keyboard.press("Escape");
    await page.getByText("Leave without saving?").waitFor();
    await page.getByRole("button", { name: "Stay" }).click();
    await page.getByText("Leave without saving?").waitFor({ state: "detached" });
    expect(await written.inputValue()).toBe(text);
    await page.keyboard.press("Escape");
    await page.getByTestId("discard-changes").click();
    await written.waitFor({ state: "detached" });
    expect(pages.problems).toEqual([]);
    await pages.left(page);
  });

  /** What stands at the fields, by their labels, and which one has the focus. */
  const wrongIn = async (page: Page) => ({
    wrong: await page.locator("[aria-invalid=true]").evaluateAll((all) =>
      all.map((one) => {
        const { id, labels } = one as unknown as { id: string; labels: { textContent: string }[] };
        const said = one.ownerDocument.getElementById(`${id}-error`)?.textContent;
        return [labels[0]?.textContent.replace(/\s*\*$/, ""), said];
      }),
    ),
    focused: await page.evaluate("document.activeElement.labels?.[0]?.textContent.replace(/\\s*\\*$/, '')"),
  });

  test("everything that is wrong with a record stands at its field at once, and the first one has the focus", async () => {
    const page = await pages.visited("/area/plants");
    await page.getByTestId("new-record").click();
    await labelled("Height (cm)")(page).fill("9999");
    await page.getByTestId("save-record").click();
    await page.getByText("must be less than or equal to 9000").waitFor();
    await picture(page, "form-all-wrong");
    expect(await wrongIn(page)).toEqual({
      wrong: [
        ["Name", "is required"],
        ["Height (cm)", "must be less than or equal to 9000"],
      ],
      focused: "Name",
    });
    await pages.left(page);
  });

  test("so it does with a model, also where it is folded away", async () => {
    const page = await pages.visited("/models");
    await button("Add a model")(page);
    const form = page.getByRole("dialog");
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("Mine");
    await form.getByLabel("Address (base URL)").fill("ftp://nowhere");
    await form.getByText("All parameters").click();
    await form.getByLabel("Top P", { exact: false }).fill("7");
    await form.getByText("All parameters").click();
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await wrongIn(page)).wrong.length, SOON).toBe(3);
    const { wrong, focused } = await wrongIn(page);
    expect(wrong.map(([label]) => label)).toEqual(["Address (base URL)", "Model name", "Top p"]);
    expect(focused).toBe("Address (base URL)");
    await form.getByLabel("Top P", { exact: false }).waitFor();
    await pages.left(page);
  });

  test("and with the settings of a channel", async () => {
    const page = await pages.visited("/channels");
    const card = page.locator('[data-channel="bot"]');
    await card.getByTestId("edit-channel").click();
    const form = page.getByRole("dialog");
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("");
    await form.getByTestId("save-channel").click();
    await expect.poll(async () => (await wrongIn(page)).wrong.length, SOON).toBe(1);
    expect(await wrongIn(page)).toEqual({ wrong: [["Name", "is not allowed to be empty"]], focused: "Name" });
    await pages.left(page);
  });

  test("in Chinese it is said in Chinese", async () => {
    const page = await pages.visited("/area/plants/new", { locale: "zh-CN" });
    await page.getByRole("dialog").getByLabel("高度（厘米）").fill("9999");
    await page.getByTestId("save-record").click();
    await page.getByText("不能大于 9000").waitFor();
    expect((await wrongIn(page)).wrong).toEqual([
      ["名称", "必填"],
      ["高度（厘米）", "不能大于 9000"],
    ]);
    await pages.left(page);
  });
});
