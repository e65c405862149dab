import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { type Console, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { galleryPlugin } from "./gallery.ts";

interface Window {
  /** Subject of the form. */
  readonly of: string;
  readonly path: string;
  readonly open: (page: Page) => Promise<unknown>;
  /** The field to type into. */
  readonly field: (page: Page) => Locator;
  /** The text to type; default is a URL. */
  readonly text?: string;
}

interface Made {
  readonly id: string;
}

interface Labelled {
  readonly labels: readonly { readonly textContent: string }[];
}

/** Paths of a record, its list, and the page that edits it. */
interface Place {
  readonly list: string;
  readonly at: string;
  readonly path?: string;
}

/** A record that several people may change. */
interface Shared extends Omit<Window, "path"> {
  readonly make: (pages: Console) => Promise<Place>;
  readonly path?: string;
  readonly save: string;
  /** Fields another user stores first. */
  readonly theirs?: object;
  /** True when the page must notice the deletion before anything is saved. */
  readonly isNoticedEarly?: true;
}

const toPlace = ({ id }: Made, list: string): Place => ({ list, at: `${list}/${id}` });
const pressButton = (testId: string) => (page: Page) => page.getByTestId(testId).first().click();
/** Opens the menu of the only conversation. */
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
  { of: "a new channel", path: "/channels", open: pressButton("add-channel"), field: field("channel-name") },
  { of: "a channel", path: "/channels", open: pressButton("edit-channel"), field: field("channel-description") },
  { of: "a rule", path: "/filter", open: pressButton("add-rule"), field: field("rule-pattern") },
  { of: "a model", path: "/models", open: button("Add model"), field: labelled("Model name") },
  { of: "an MCP server", path: "/mcp", open: pressButton("add-server"), field: field("server-name") },
  { of: "a tool", path: "/tools", open: pressButton("add-tool"), field: field("tool-name") },
  { of: "a memory", path: "/memories", open: pressButton("new-memory"), field: field("memory-content") },
  { of: "a document", path: "/knowledge", open: pressButton("write-document"), field: field("document-text") },
  { of: "a page of the web", path: "/knowledge", open: pressButton("add-page"), field: field("page-address") },
  { of: "a skill", path: "/skills", open: pressButton("add-skill"), field: field("skill-description") },
  { of: "a task", path: "/automation/tasks", open: pressButton("new-task"), field: field("task-prompt") },
  { of: "a folder", path: "/files", open: pressButton("new-folder"), field: field("file-name") },
  { of: "a conversation", path: "/", open: inMenu("session-setup"), field: field("session-prompt") },
  {
    of: "how warm a conversation is",
    path: "/",
    open: inMenu("session-setup"),
    field: field("session-temperature"),
    text: "1.5",
  },
  { of: "what is shared", path: "/", open: inMenu("share"), field: labelled("Password") },
  { of: "a record", path: "/area/plants", open: pressButton("new-record"), field: labelled("Name") },
];

describe.runIf(canBrowse)("forms", () => {
  let pages: Console;
  let count = 0;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [galleryPlugin] });
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

  test.each(WINDOWS)("preserve changes of $of: Escape asks, and staying keeps them", async (window) => {
    const page = await pages.visit(window.path);
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
    await pages.releasePage(page);
  });

  /** Returns the validation errors by label, and the focused field. */
  const findErrors = async (page: Page) => ({
    wrong: await page.locator("[aria-invalid=true]").evaluateAll((all) =>
      all.map((one) => {
        const { id, labels } = one as unknown as { id: string; labels: { textContent: string }[] };
        const errorText = one.ownerDocument.getElementById(`${id}-error`)?.textContent;
        return [labels[0]?.textContent.replace(/\s*\*$/, ""), errorText];
      }),
    ),
    focused: await page.evaluate("document.activeElement.labels?.[0]?.textContent.replace(/\\s*\\*$/, '')"),
  });

  test("show all errors of a record at their fields at once, and focus the first", async () => {
    const page = await pages.visit("/area/plants");
    await page.getByTestId("new-record").click();
    await labelled("Height (cm)")(page).fill("9999");
    await page.getByTestId("save-record").click();
    await page.getByText("must be less than or equal to 9000").waitFor();
    await takeScreenshot(page, "form-all-wrong");
    expect(await findErrors(page)).toEqual({
      wrong: [
        ["Name", "Is required"],
        ["Height (cm)", "Must be less than or equal to 9000"],
      ],
      focused: "Name",
    });
    await pages.releasePage(page);
  });

  test("show errors of a model, also in collapsed sections", async () => {
    const page = await pages.visit("/models");
    await button("Add model")(page);
    const form = page.getByRole("dialog");
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("Mine");
    await form.getByLabel("Address (base URL)").fill("ftp://nowhere");
    await form.getByText("All parameters").click();
    await form.getByLabel("Top P", { exact: false }).fill("7");
    await form.getByText("All parameters").click();
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await findErrors(page)).wrong.length, SHORT_TIMEOUT).toBe(3);
    const { wrong, focused } = await findErrors(page);
    expect(wrong.map(([label]) => label)).toEqual(["Address (base URL)", "Model name", "Top p"]);
    expect(focused).toBe("Address (base URL)");
    await form.getByLabel("Top P", { exact: false }).waitFor();
    await pages.releasePage(page);
  });

  test("show errors of a channel's settings", async () => {
    const page = await pages.visit("/channels");
    const card = page.locator('[data-channel="bot"]');
    await card.getByTestId("edit-channel").click();
    const form = page.getByRole("dialog");
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("");
    await form.getByTestId("save-channel").click();
    await expect.poll(async () => (await findErrors(page)).wrong.length, SHORT_TIMEOUT).toBe(1);
    expect(await findErrors(page)).toEqual({ wrong: [["Name", "Is not allowed to be empty"]], focused: "Name" });
    await pages.releasePage(page);
  });

  test("show errors in Chinese", async () => {
    const page = await pages.visit("/area/plants/new", { locale: "zh-CN" });
    await page.getByRole("dialog").getByLabel("高度（厘米）").fill("9999");
    await page.getByTestId("save-record").click();
    await page.getByText("不能大于 9000").waitFor();
    expect((await findErrors(page)).wrong).toEqual([
      ["名称", "必填"],
      ["高度（厘米）", "不能大于 9000"],
    ]);
    await pages.releasePage(page);
  });

  const RECORDS: readonly Shared[] = [
    {
      of: "an entry of a world book",
      make: async ({ api }) => {
        const { id: book } = await api.post<Made>("/api/world-books", { name: "Port" });
        const entries = `/api/world-books/${book}/entries`;
        const { id } = await api.post<Made>(entries, { name: "Mira", content: "before" });
        return { list: entries, at: `${entries}/${id}`, path: `/world-books/${book}` };
      },
      open: (page) => page.getByTestId("entry-list").getByText("Mira").click(),
      field: field("entry-content"),
      save: "save-entry",
      isNoticedEarly: true,
    },
    {
      of: "a memory",
      make: async ({ api }) =>
        toPlace(await api.post<Made>("/api/memory", { title: "A fact", content: "before" }), "/api/memory"),
      path: "/memories",
      open: pressButton("edit-memory"),
      field: field("memory-content"),
      save: "save-memory",
      theirs: { title: "Their title" },
    },
    {
      of: "a task",
      make: async ({ api }) => {
        const task = { name: "Morning", prompt: "before", trigger: "cron", config: { cron: "0 8 * * *" } };
        return toPlace(await api.post<Made>("/api/task-center", task), "/api/task-center");
      },
      path: "/automation/tasks",
      open: (page) =>
        page.getByTestId("task-row").filter({ hasText: "Morning" }).getByRole("button", { name: "Edit" }).click(),
      field: field("task-prompt"),
      save: "save-task",
      theirs: { name: "Morning of theirs" },
    },
    {
      of: "a character",
      make: async ({ api }) => {
        const one = await api.post<Made>("/api/characters", { name: "Mira", description: "before" });
        return { ...toPlace(one, "/api/characters"), path: `/characters/${one.id}` };
      },
      open: async () => {},
      field: (page) => page.getByLabel("Description", { exact: true }),
      save: "save-card",
    },
    {
      of: "a workflow",
      make: async ({ api }) => {
        const one = await api.post<Made>("/api/workflows", { name: "Flow", description: "Says hello.", steps: [] });
        return { ...toPlace(one, "/api/workflows"), path: `/automation/workflows/${one.id}` };
      },
      open: async () => {},
      field: field("workflow-name"),
      save: "save-workflow",
    },
    {
      of: "a tool",
      make: async ({ api }) => {
        const tool = {
          name: "shout",
          description: "before",
          parameters: { type: "object" },
          implementation: { type: "static", result: "!" },
        };
        return toPlace(await api.post<Made>("/api/tools", tool), "/api/tools");
      },
      path: "/tools",
      open: async (page) => page.getByRole("button", { name: "Edit" }).first().click(),
      field: field("tool-description"),
      save: "save-tool",
      theirs: { description: "theirs" },
    },
    {
      of: "a rule",
      make: async ({ api }) =>
        toPlace(
          await api.post<Made>("/api/message-filter", { pattern: "before", type: "keyword" }),
          "/api/message-filter",
        ),
      path: "/filter",
      open: async (page) => page.getByRole("button", { name: "Edit" }).first().click(),
      field: field("rule-pattern"),
      save: "save-rule",
      theirs: { action: "recall" },
    },
    {
      of: "a model",
      make: async ({ api }) =>
        toPlace(await api.post<Made>("/api/ai-models", { name: "Mine", model: "before" }), "/api/ai-models"),
      path: "/models",
      open: async (page) => {
        await page.getByTestId("card-menu").first().click();
        await page.getByRole("menuitem", { name: "Edit" }).click();
      },
      field: labelled("Name"),
      save: "save-model",
      theirs: { model: "theirs" },
    },
    {
      of: "an MCP server",
      make: async ({ api }) => {
        const server = { id: "other", name: "Other", transport: "streamable-http", url: "https://mcp.example/mcp" };
        return toPlace(
          await api.post<Made>("/api/mcp-servers", { ...server, auto_connect: false }),
          "/api/mcp-servers",
        );
      },
      path: "/mcp",
      open: async (page) => {
        await page.locator('[data-server="other"]').getByTestId("card-menu").click();
        await page.getByTestId("edit-server").click();
      },
      field: field("server-name"),
      save: "save-server",
      theirs: { timeout_s: 31 },
    },
    {
      of: "a record",
      make: async ({ api }) =>
        toPlace(await api.post<Made>("/api/plants", { name: "Fern", notes: "before" }), "/api/plants"),
      path: "/area/plants",
      open: (page) => page.getByRole("link", { name: "Fern" }).click(),
      field: labelled("Notes"),
      save: "save-record",
    },
  ];

  test.each(RECORDS)("preserve changes of $of that somebody deletes meanwhile, and can store it again", async (one) => {
    const { list, at, path = one.path } = await one.make(pages);
    const page = await pages.visit(path ?? "/");
    await one.open(page);
    const written = one.field(page);
    await written.fill("What I wrote.");
    const box = page.getByTestId("changed-meanwhile");
    if (one.theirs) {
      await pages.api.put(at, one.theirs);
      await page.getByTestId(one.save).click();
      await box.getByText("Someone else has changed this in the meantime.").waitFor();
      expect(await written.inputValue()).toBe("What I wrote.");
      await page.getByTestId("see-differences").click();
      const mine = page.getByTestId("difference").filter({ hasText: "What I wrote." });
      await takeScreenshot(page, `form-differs-${one.of.replaceAll(" ", "-")}`);
      const label = await written.evaluate((field) => (field as unknown as Labelled).labels[0]?.textContent);
      expect(await mine.getAttribute("aria-label")).toBe(label?.replace(/\s*\*$/, ""));
    }
    expect(await pages.api.send("DELETE", at)).toMatchObject({ status: 200 });
    if (!one.isNoticedEarly) await page.getByTestId(one.theirs ? "save-anyway" : one.save).click();
    await box.getByText("This has been deleted in the meantime. Your changes are still here.").waitFor();
    expect(await written.inputValue()).toBe("What I wrote.");
    const { y = 0, height = 0 } = (await box.boundingBox()) ?? {};
    // After a save the notice is scrolled into view; while typing the page does not move.
    if (!one.isNoticedEarly) expect([y >= 0, y + height <= 800]).toEqual([true, true]);
    await takeScreenshot(page, `form-removed-${one.of.replaceAll(" ", "-")}`);
    await box.getByTestId("create-anew").click();
    await box.waitFor({ state: "detached" });
    await expect.poll(async () => JSON.stringify(await pages.api.get(list)), SHORT_TIMEOUT).toContain("What I wrote.");
    expect(pages.problems).toEqual([]);
    await pages.releasePage(page);
  });

  test("show the differences when another person changed the record, and can apply them", async () => {
    const rule = { pattern: "harbour", type: "keyword", action: "strip", replacement: "" };
    const { id } = await pages.api.post<Made>("/api/message-filter", rule);
    const page = await pages.visit("/filter");
    const row = page.getByTestId("rule-row").filter({ hasText: "harbour" });
    await row.getByRole("button", { name: "Edit" }).click();
    await page.getByTestId("rule-pattern").fill("lighthouse");
    await pages.api.put(`/api/message-filter/${id}`, { action: "recall", filter_target: "both" });
    await page.getByTestId("save-rule").click();
    await page.getByTestId("see-differences").click();
    const differing = page.getByTestId("difference");
    await expect.poll(() => differing.count(), SHORT_TIMEOUT).toBe(3);
    const deed = page.getByRole("region", { name: "Effect" });
    expect(await deed.textContent()).toBe("EffectUse theirsTheirsblock the messageYoursremove the text");
    await takeScreenshot(page, "form-differences");
    await page.getByRole("button", { name: "Use theirs: Effect" }).click();
    await expect.poll(() => differing.count(), SHORT_TIMEOUT).toBe(2);
    await pages.api.put(`/api/message-filter/${id}`, { filter_target: "ai" });
    await page.getByTestId("save-anyway").click();
    // A third user has stored a version that nobody here has seen.
    await page.getByTestId("see-differences").click();
    await page.getByRole("region", { name: "For" }).waitFor();
    expect(await pages.api.get(`/api/message-filter/${id}`)).toMatchObject({ pattern: "harbour", filter_target: "ai" });
    // Without a revision in the rejection, the stored version is not overwritten.
    const header = "x-parley-error";
    await page.route(`**/api/message-filter/${id}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        headers: { ...answer.headers(), [header]: '{"key":"changed_meanwhile"}' },
      });
    });
    await pages.api.put(`/api/message-filter/${id}`, { filter_target: "user" });
    await page.getByTestId("save-rule").click();
    await page.getByTestId("save-anyway").waitFor({ state: "detached" });
    await differing.first().waitFor();
    await page.unroute(`**/api/message-filter/${id}`);
    await page.getByTestId("save-rule").click();
    await page.getByTestId("save-anyway").click();
    await page.getByTestId("rule-pattern").waitFor({ state: "detached" });
    expect(await pages.api.get(`/api/message-filter/${id}`)).toMatchObject({ pattern: "lighthouse", action: "recall" });
    await pages.api.send("DELETE", `/api/message-filter/${id}`);
    await pages.releasePage(page);
  });

  test("load another person's changes of a workflow on request only", async () => {
    const { id } = await pages.api.post<Made>("/api/workflows", {
      name: "Mine",
      description: "Says hello.",
      steps: [],
    });
    const page = await pages.visit(`/automation/workflows/${id}`);
    const name = page.getByTestId("workflow-name");
    const theirs = (text: string) => pages.api.put(`/api/workflows/${id}`, { name: text });
    const shown = async () => {
      await theirs(`Theirs ${++count}`);
      return name.inputValue();
    };
    // Each change starts a new request and cancels the previous one.
    await expect.poll(shown, { ...SHORT_TIMEOUT, interval: 1_000 }).toContain("Theirs");
    await name.fill("What I wrote.");
    await theirs("Theirs again");
    await page.getByTestId("save-workflow").click();
    await page.getByText("Someone else has changed this in the meantime.").waitFor();
    expect(await name.inputValue()).toBe("What I wrote.");
    await page.getByTestId("load-theirs").click();
    await expect.poll(() => name.inputValue(), SHORT_TIMEOUT).toBe("Theirs again");
    await name.fill("Mine after all");
    await theirs("Theirs once more");
    await page.getByTestId("save-workflow").click();
    await page.getByTestId("save-anyway").click();
    await page.getByTestId("changed-meanwhile").waitFor({ state: "detached" });
    expect(await pages.api.get(`/api/workflows/${id}`)).toMatchObject({ name: "Mine after all" });
    await pages.releasePage(page);
  });

  test("do not return to the list after saving when the person continued to edit", async () => {
    const { id } = await pages.api.post<Made>("/api/plants", { name: "Moss" });
    const page = await pages.visit(`/area/plants/${id}`);
    const stored = Promise.withResolvers<void>();
    await page.route(`**/api/plants/${id}`, async (route) => {
      if (route.request().method() === "PUT") await stored.promise;
      await route.continue();
    });
    await labelled("Notes")(page).fill("damp");
    await page.getByTestId("save-record").click();
    await page.goto(`${pages.parley.address}/#/area/plants/new`);
    await page.getByText("Leave without saving?").waitFor();
    stored.resolve();
    await page.getByTestId("toast").getByText("Moss").waitFor();
    await page.getByTestId("save-record").getByText("Create").waitFor();
    await labelled("Name")(page).fill("Heather");
    expect(page.url()).toMatch(/plants\/new$/);
    await page.close();
  });

  test("ask when a window is closed during saving: rejected input is restored, after success the question closes", async () => {
    const page = await pages.visit("/models");
    const [first, again] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/api/ai-models", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await first.promise;
      return route.fulfill({ status: 503, json: { success: false, error: "not now", code: "unavailable" } });
    });
    const name = page.getByRole("dialog").getByRole("textbox", { name: "Name", exact: true });
    const question = page.getByText("Leave without saving?");
    await page.getByRole("button", { name: "Add model" }).first().click();
    await name.fill("Under way");
    await labelled("Model name")(page).fill("under-way");
    await page.getByTestId("save-model").click();
    await page.keyboard.press("Escape");
    await question.waitFor();
    first.resolve();
    await page.getByText("not now").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Stay" }).click();
    expect(await name.inputValue()).toBe("Under way");

    await page.unroute("**/api/ai-models");
    await page.route("**/api/ai-models", async (route) => {
      if (route.request().method() === "POST") await again.promise;
      await route.continue();
    });
    await page.getByTestId("save-model").click();
    await page.keyboard.press("Escape");
    await question.waitFor();
    again.resolve();
    await name.waitFor({ state: "detached" });
    await question.waitFor({ state: "detached" });
    await page.getByTestId("model-card").getByText("Under way").waitFor();
    await page.close();
  });

  test("show the secret of an API key even if the window was left while it was created", async () => {
    const page = await pages.visit("/area/api-keys/new");
    const stored = Promise.withResolvers<void>();
    await page.route("**/api/api-keys", async (route) => {
      if (route.request().method() === "POST") await stored.promise;
      await route.continue();
    });
    await labelled("Name")(page).fill("made meanwhile");
    await page.getByRole("dialog").getByLabel("Read everything").check();
    await page.getByTestId("save-record").click();
    await page.goto(`${pages.parley.address}/#/tools`);
    await page.getByText("Leave without saving?").waitFor();
    stored.resolve();
    await page.getByRole("heading", { name: "Tools", includeHidden: true }).first().waitFor({ state: "attached" });
    const secret = (await page.getByTestId("secret").textContent()) ?? "";
    expect((await pages.api.as(secret).send("GET", "/api/sessions")).status).toBe(200);
    await takeScreenshot(page, "secret-once");
    await page.close();
  });

  test("do not block the page while a saved window fades out", async () => {
    await pages.api.post("/api/ai-models", { name: "Fades", model: "fades" });
    const page = await pages.visit("/models", { reducedMotion: "no-preference" });
    const card = page.getByTestId("model-card").filter({ hasText: "Fades" });
    await card.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await labelled("Model name")(page).fill("gone-on");
    await page.evaluate(`{
      const look = () => {
        const save = document.querySelector('[data-testid="save-model"]');
        if (save?.dataset.loading === undefined) location.hash = "/tools";
        else requestAnimationFrame(look);
      };
      const begin = () => document.querySelector('[data-testid="save-model"]')?.dataset.loading ? look() : requestAnimationFrame(begin);
      begin();
    }`);
    await page.getByTestId("save-model").click();
    await page.getByTestId("add-tool").first().click();
    await field("tool-name")(page).waitFor();
    await page.close();
  });

  test("copy the text of a record that cannot be created again", async () => {
    await pages.api.post("/api/channels", {
      id: "gone",
      name: "Gone",
      type: "imB",
      transport: "webhook",
      enabled: false,
    });
    const page = await pages.visit("/channels", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.locator('[data-channel="gone"]').getByTestId("edit-channel").click();
    const written = page.getByTestId("channel-description");
    const save = page.getByTestId("save-channel");
    const box = page.getByTestId("changed-meanwhile");
    await written.fill("Downstairs");
    await pages.api.put("/api/channels/gone", { description: "Upstairs" });
    await save.click();
    await box.getByText("Someone else has changed this in the meantime.").waitFor();
    expect(await written.inputValue()).toBe("Downstairs");
    await page.getByTestId("load-theirs").click();
    await expect.poll(() => written.inputValue(), SHORT_TIMEOUT).toBe("Upstairs");
    await written.fill("Downstairs");
    await pages.api.send("DELETE", "/api/channels/gone");
    await save.click();
    await page.getByTestId("copy-written").click();
    await page.getByTestId("copy-written").getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("Description\nDownstairs");
    await page.close();
  });

  test("set when the AI writes first in a conversation, and how often", async () => {
    const { id } = await pages.api.post<Made>("/api/sessions", { name: "Early" });
    const page = await pages.visit(`/sessions/${id}`);
    const openSettings = async () => {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByTestId("session-setup").click();
    };
    await openSettings();
    await page.getByRole("switch", { name: "Write first when nobody has written for a while" }).click();
    await page.getByTestId("proactive-idle_minutes").fill("45");
    await page.getByTestId("proactive-daily_limit").fill("2");
    await page.getByTestId("save-setup").click();
    await page.getByTestId("save-setup").waitFor({ state: "detached" });
    const proactive_chat = { enabled: true, idle_minutes: 45, daily_limit: 2, prompt: "" };
    expect(await pages.api.get(`/api/sessions/${id}`)).toMatchObject({ proactive_chat });
    await openSettings();
    expect(await page.getByTestId("proactive-daily_limit").inputValue()).toBe("2");
    await page.close();
  });

  test("preserve and copy the settings of a conversation that others change and delete", async () => {
    const { id } = await pages.api.post<Made>("/api/sessions", { name: "Shared" });
    const at = `/api/sessions/${id}`;
    const page = await pages.visit(`/sessions/${id}`, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByTestId("session-setup").click();
    const written = page.getByTestId("session-prompt");
    const box = page.getByTestId("changed-meanwhile");
    await written.fill("Be brief.");
    await pages.api.put(at, { name: "Renamed" });
    // Changes to other fields do not conflict.
    await page.getByRole("heading", { name: "Renamed", includeHidden: true }).waitFor({ state: "attached" });
    await page.getByTestId("save-setup").click();
    await written.waitFor({ state: "detached" });
    expect(await pages.api.get(at)).toMatchObject({ name: "Renamed", system_prompt: "Be brief." });

    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByTestId("session-setup").click();
    await written.fill("Rhyme.");
    await pages.api.put(at, { system_prompt: "Be loud." });
    await page.getByTestId("save-setup").click();
    await box.getByText("Someone else has changed this in the meantime.").waitFor();
    expect(await written.inputValue()).toBe("Rhyme.");
    await pages.api.send("DELETE", at);
    await page.getByText("This conversation was deleted").waitFor({ state: "attached" });
    await box.getByText("This has been deleted in the meantime. Your changes are still here.").waitFor();
    expect(await written.inputValue()).toBe("Rhyme.");
    await page.getByTestId("copy-written").click();
    await page.getByTestId("copy-written").getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("Rhyme.");
    await page.close();
  });
});
