import Joi from "@hapi/joi";
import { Databases, definePlugin, Files, SettingDefinitions, setting } from "@parley/core";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newSession, toSessionRow } from "../../plugins/sessions/src/store/rows.ts";
import type { SessionTables } from "../../plugins/sessions/src/store/tables.ts";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { OGG, PNG } from "../harness/files/sample-files.ts";
import { type Console, SHORT_TIMEOUT, startConsole, toggleSwitch, WITH_SERVICE_WORKER } from "./console.ts";

/** Message fields in the row of a session without messages. */
const BARE_ROW = {
  message_count: 0,
  visible_count: 0,
  archived_count: 0,
  last_id: null,
  last_role: null,
  last_sender: null,
  last_preview: null,
  last_message_at: null,
  is_named: 1,
  custom_prompt: null,
  custom_prompt_at: null,
};

/** A third-party plugin with a setting. */
const parrot = definePlugin({
  id: "parrot",
  register({ contribute }) {
    const loud = setting({
      key: "parrot.loudness",
      schema: Joi.number().integer().min(1).max(9).default(3),
      group: "general",
      title: { en: "Loudness of the parrot", zh: "鹦鹉的音量" },
      help: { en: "From 1 to 9.", zh: "从 1 到 9。" },
    });
    contribute(SettingDefinitions, () => loud);
  },
});

// Skipped on a developer's machine without a browser; CI always has one.
describe.runIf(canBrowse)("the console in a real browser", () => {
  let pages: Console;
  let parley: Console["parley"];
  let api: Console["api"];
  let problems: Console["problems"];
  let opened: Console["openPage"];
  let models: ModelServer;
  let page: Page;

  beforeAll(async () => {
    [pages, models] = await Promise.all([startConsole({ plugins: [parrot] }), startModelServer()]);
    ({ parley, api, problems, openPage: opened } = pages);
    page = await opened(WITH_SERVICE_WORKER);
  }, 60_000);

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await models?.[Symbol.asyncDispose]();
  });

  beforeEach(() => {
    models.script.length = 0;
    problems.length = 0;
  });

  async function signIn(on: Page): Promise<void> {
    await on.goto(parley.address);
    await on.getByRole("textbox", { name: "Password" }).fill(parley.credentials.password);
    await on.getByRole("button", { name: "Sign in" }).click();
    await on.getByTestId("new-session").waitFor();
  }

  const go = (name: string) => page.getByRole("link", { name, exact: true }).click();
  const messages = () => page.getByTestId("message");
  async function newTalk(): Promise<void> {
    await go("Conversations");
    await page.getByTestId("new-session").click();
    // Waits for the new page, since the previous conversation has a composer too.
    await page.locator('section:has([data-testid="start"][data-new="true"])').getByTestId("composer").waitFor();
  }
  async function say(text: string): Promise<void> {
    await page.getByTestId("composer").fill(text);
    await page.getByTestId("composer").press("Enter");
  }
  const saysLast = (text: string) => messages().last().locator(".message_bubble").getByText(text).first().waitFor();

  test("a wrong password is reported, and the right one signs in", async () => {
    await page.goto(parley.address);
    await page.getByRole("textbox", { name: "Password" }).fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("wrong");
    await takeScreenshot(page, "sign-in");
    await signIn(page);
    expect(problems).toEqual([]);
  });

  test("a model is configured and tested from the page", async () => {
    await go("Models");
    await page.getByRole("button", { name: "Add model" }).first().click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Scripted");
    await page.getByLabel("Address (base URL)").fill(models.baseUrl);
    await page.getByTestId("model-name").fill("scripted");
    await page.getByRole("textbox", { name: "API key" }).fill("sk-very-secret-key");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByTestId("model-test").click();
    expect(await page.getByTestId("model-test-result").textContent()).toContain("The model answers");
    await page.getByText("in use").waitFor();
    expect(await page.content()).not.toContain("sk-very-secret-key");
    await takeScreenshot(page, "models");
  });

  test("a reply is streamed, and a reload in the middle neither loses nor duplicates text", async () => {
    await newTalk();
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["Once ", "upon ", "a ", "time."], gate });
    await say("Tell me a story");
    gate.next();
    gate.next();
    await page.getByTestId("streaming").getByText("Once upon").waitFor();
    await takeScreenshot(page, "streaming");
    await page.reload();
    await page.getByTestId("streaming").getByText("Once upon").waitFor();
    gate.next();
    gate.next();
    await page.getByTestId("streaming").waitFor({ state: "detached" });
    const shown = await messages().last().locator(".message_bubble").textContent();
    expect(shown?.trim()).toBe("Once upon a time.");
    expect(await messages().count()).toBe(2);
  });

  test("a failure is shown where it happened, and the question can be sent again", async () => {
    await newTalk();
    models.script.push({ kind: "status", status: 401, message: "bad key" });
    await say("Hello");
    await messages().first().getByRole("alert").waitFor();
    await takeScreenshot(page, "failure");
    await messages().first().getByTestId("regenerate").click();
    await saysLast("You said: Hello");
    expect(await messages().count()).toBe(2);
  });

  test("markup in a message is text, and no script runs", async () => {
    await newTalk();
    models.script.push({
      kind: "text",
      text: '<img src=x onerror="window.hit=1"> **bold** [x](javascript:window.hit=1)',
    });
    await say("<script>window.hit=1</script>");
    await messages().last().locator("strong").waitFor();
    expect(await page.evaluate("window.hit")).toBeUndefined();
    expect(await messages().first().locator(".message_bubble").textContent()).toContain("<script>");
    expect(await messages().last().locator("img").count()).toBe(0);
  });

  test("a conversation is renamed, saved, forked, archived, restored and deleted", async () => {
    await newTalk();
    await say("to be kept");
    await saysLast("to be kept");
    const menu = async (name: string) => {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name, exact: true }).click();
    };
    await menu("Rename");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("A fine talk");
    await page.getByRole("textbox", { name: "Name", exact: true }).press("Enter");
    await page.getByTestId("session-item").getByText("A fine talk").waitFor();
    await expect.poll(() => page.title(), SHORT_TIMEOUT).toBe("A fine talk · Parley");
    await page.getByTestId("favorite").click();
    await page.getByText("Favourites", { exact: true }).click();
    await expect.poll(() => page.getByTestId("session-item").count(), SHORT_TIMEOUT).toBe(1);
    await page.getByText("All", { exact: true }).click();
    await menu("Fork");
    await page.getByRole("heading", { name: "A fine talk - Fork" }).waitFor();
    await saysLast("to be kept");
    await menu("Archive");
    await page.getByText("This conversation is archived").waitFor();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByTestId("composer").waitFor();
    await page.getByTestId("session-search").fill("fine talk - F");
    await expect.poll(() => page.getByTestId("session-item").count(), SHORT_TIMEOUT).toBe(1);
    await page.getByRole("button", { name: "Delete", exact: true }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No conversations match").waitFor();
    await page.getByTestId("session-search").fill("");
  });

  test("a conversation that another person deletes shows that, and the draft moves to a new one", async () => {
    await newTalk();
    await say("soon gone");
    await saysLast("soon gone");
    await page.getByTestId("composer").fill("half a thought");
    const id = /sessions\/([^/?]+)/.exec(page.url())?.[1];
    const answer = await page.request.delete(`${parley.address}/api/sessions/${id}`, {
      headers: { "sec-fetch-site": "same-origin" },
    });
    expect(answer.status()).toBe(200);
    await page.getByText("This conversation was deleted").waitFor();
    expect(await page.getByTestId("composer").count()).toBe(0);
    await page.getByRole("button", { name: "Continue in a new conversation" }).click();
    await page.getByTestId("start").waitFor();
    await expect.poll(() => page.getByTestId("composer").inputValue(), SHORT_TIMEOUT).toBe("half a thought");
    await page.getByTestId("composer").fill("");
  });

  test("an attachment is shown", async () => {
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "With a picture" });
    const attachments = [{ type: "file", url: "https://example.org/report.pdf", name: "report.pdf" }];
    await api.post(`/api/sessions/${id}/messages`, { content: "see", attachments });
    await page.goto(`${parley.address}/#/sessions/${id}`);
    await messages().first().getByRole("link", { name: "report.pdf" }).waitFor();
  });

  test("files of the service are shown by their type", async () => {
    const files = parley.host.get(Files);
    const { url: cat } = await files.put(PNG, { name: "cat.png" });
    const { url: voice } = await files.put(OGG, { name: "voice.ogg" });
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "files" });
    const attachments = [
      { type: "image", url: cat, name: "cat.png" },
      { type: "audio", url: voice, name: "voice.ogg" },
    ];
    await api.post(`/api/sessions/${id}/messages`, { attachments });
    await page.goto(`${parley.address}/#/sessions/${id}`);
    const shown = page.getByRole("img", { name: "cat.png" });
    await shown.waitFor();
    await expect
      .poll(() => shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth), SHORT_TIMEOUT)
      .toBe(1);
    expect(await page.locator("audio").getAttribute("src")).toBe(voice);
    expect(problems).toEqual([]);
  });

  test("a long conversation shows one page, and older messages on demand", async () => {
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Long" });
    for (let index = 0; index < 90; index += 1)
      await api.post(`/api/sessions/${id}/messages`, { content: `line ${index}` });
    await page.goto(`${parley.address}/#/sessions/${id}`);
    await messages().getByText("line 89").waitFor();
    expect(await messages().getByText("line 29", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Show older messages" }).click();
    await page.getByRole("button", { name: "Show older messages" }).waitFor({ state: "detached" });
    await page.getByRole("log").evaluate((talk) => talk.scrollTo({ top: 0 }));
    await messages().getByText("line 0", { exact: true }).waitFor();
  });

  test("a login token for a device signs it in until it is revoked", async () => {
    await go("My account");
    await page.getByTestId("token-holder").fill("tablet");
    await page.getByTestId("create-token").click();
    const secret = (await page.getByTestId("secret").textContent()) ?? "";
    expect((await api.as(secret).send("GET", "/api/sessions")).status).toBe(200);
    await page.keyboard.press("Escape");
    const row = page.getByTestId("token-row").filter({ hasText: "tablet" });
    await row.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await row.waitFor({ state: "detached" });
    expect((await api.as(secret).send("GET", "/api/sessions")).status).toBe(401);
  });

  test("a plugin has a description; its settings are changed in a form and take effect", async () => {
    await go("Plugins");
    const dice = page.locator('[data-plugin="dice"]');
    await dice.getByText("running").waitFor();
    await dice.locator("summary").click();
    await dice.getByLabel("Dice", { exact: true }).fill("3");
    await dice.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => {
        const { items } = await api.get<{ items: readonly { id: string; config: { max_dice?: number } }[] }>(
          "/api/plugins",
        );
        return items.find(({ id }) => id === "dice")?.config.max_dice;
      }, SHORT_TIMEOUT)
      .toBe(3);
    await takeScreenshot(page, "plugins");
    await toggleSwitch(page.getByRole("switch", { name: "Enabled: dice" }));
    await page.getByTestId("switch-off").click();
    await dice.getByText("off", { exact: true }).waitFor();
  });

  test("the status page shows the state of the service", async () => {
    await go("Status");
    await page.getByText("ready", { exact: true }).waitFor();
    await page.getByTestId("reload-core").click();
    await page.getByText("Done").waitFor();
    await takeScreenshot(page, "status");
  });

  test("settings are changed and stored", async () => {
    await go("Settings");
    await page.getByLabel("Title").fill("Our Parley");
    await page.getByLabel("Loudness of the parrot").fill("7");
    await page.getByRole("button", { name: "Save" }).click();
    // "Saved" of the plugin's form may still be on the page.
    await expect
      .poll(() => api.get("/api/settings"), SHORT_TIMEOUT)
      .toMatchObject({ web: { title: "Our Parley" }, parrot: { loudness: 7 } });
    await takeScreenshot(page, "settings");
  });

  test("the keyboard alone is enough to find a conversation and send a message", async () => {
    await api.post("/api/sessions", { name: "Found by keyboard" });
    await go("Models");
    await page.keyboard.press("Control+k");
    await page.getByTestId("palette-input").waitFor();
    await page.keyboard.type("found by key");
    await page.getByTestId("palette-choice").getByText("Found by keyboard").waitFor();
    await page.keyboard.press("Enter");
    await page.getByTestId("composer").focus();
    await page.keyboard.type("by keyboard");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("two lines");
    await page.keyboard.press("Enter");
    await messages().first().getByText("two lines").waitFor();
    expect(await messages().first().locator(".message_bubble").textContent()).toBe("by keyboard\ntwo lines");
  });

  test("a list of words becomes rules, which can be searched", async () => {
    await go("Filter");
    await page.getByTestId("word-list").click();
    await page.getByTestId("words").fill(Array.from({ length: 300 }, (_, index) => `listed${index}`).join("\n"));
    await page.getByTestId("import-words").click();
    await page.getByTestId("words-result").getByText("300 words added, 0 skipped").waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("rule-search").fill("listed299");
    await expect.poll(() => page.getByTestId("rule-row").count(), SHORT_TIMEOUT).toBe(1);
    await takeScreenshot(page, "filter");
  });

  test("a list of words becomes rules for whole words where that is chosen", async () => {
    await go("Filter");
    await page.getByTestId("word-list").click();
    await page.getByTestId("words").fill("wholeword1\nwholeword2");
    await page.getByTestId("words-whole").check();
    await page.getByTestId("import-words").click();
    await page.getByTestId("words-result").getByText("2 words added, 0 skipped").waitFor();
    await page.keyboard.press("Escape");
    const { rules } = await pages.api.get<{ rules: { global: readonly { pattern: string; whole_word?: boolean }[] } }>(
      "/api/message-filter",
    );
    const made = rules.global.filter(({ pattern }) => pattern.startsWith("wholeword"));
    expect(made.map(({ whole_word }) => whole_word)).toEqual([true, true]);
  });

  test("a rule with catastrophic backtracking is rejected", async () => {
    await go("Filter");
    await page.getByTestId("add-rule").click();
    await page.getByTestId("rule-pattern").fill("(a+)+$");
    await page.getByLabel("Kind").selectOption("regex");
    await page.getByTestId("save-rule").click();
    await page.getByRole("alert").getByText("can take extremely long").waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).last().click();
    await page.getByTestId("rule-pattern").waitFor({ state: "detached" });
  });

  test("a recalled message disappears with a notice", async () => {
    await go("Filter");
    await page.getByTestId("add-rule").click();
    await page.getByTestId("rule-pattern").fill("topsecret");
    await page.getByLabel("Effect").selectOption("recall");
    await page.getByTestId("save-rule").click();
    await page.getByTestId("rule-pattern").waitFor({ state: "detached" });
    await newTalk();
    await say("it is TopSecret");
    await page.getByText("The filter blocked the message").waitFor();
    expect(await messages().count()).toBe(0);
    await api.post("/api/message-filter/toggle", { enabled: false });
    expect(problems).toEqual([]);
  });

  test("of 5,000 conversations those scrolled to are loaded, each once, also while others are created", async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `Elder ${5_000 - index}`);
    const tables = parley.host.get(Databases).main.tables<SessionTables>();
    const rows = names.map((name, index) => {
      const at = new Date(Date.UTC(2020, 0, 2) - index * 1_000).toISOString();
      return { ...BARE_ROW, ...toSessionRow(newSession(`sess_old${index}`, at, { name })) };
    });
    for (let at = 0; at < rows.length; at += 1_000) {
      await parley.host
        .get(Databases)
        .main.write([{ query: tables.insertInto("sessions").values(rows.slice(at, at + 1_000)) }]);
    }
    const page = await pages.visit("/");
    await page.getByTestId("session-search").fill("Elder");
    const shown = () => page.getByTestId("session-item").locator("p[title]").allTextContents();
    await expect.poll(async () => (await shown()).length, SHORT_TIMEOUT).toBeGreaterThan(30);
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/api/sessions?") && asked.push(request.url()));
    const list = page.locator("nav.session-list_items");
    // Only conversations near the viewport are rendered.
    const seen = new Set<string>();
    const scrolled = async () => {
      for (const name of await shown()) seen.add(name);
      await list.evaluate((items) => items.scrollBy({ top: 700 }));
      return seen.size;
    };
    await expect.poll(scrolled, SHORT_TIMEOUT).toBeGreaterThanOrEqual(150);
    await expect.poll(() => page.getByTestId("session-item").count(), SHORT_TIMEOUT).toBeLessThan(150);
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Elder, begun now" });
    await expect.poll(async () => (await shown())[0], SHORT_TIMEOUT).toBe("Elder, begun now");
    await api.send("DELETE", "/api/sessions/sess_old120");
    await list.evaluate((items) => items.scrollTo({ top: 0 }));
    await expect.poll(async () => (await shown()).includes("Elder 5000"), SHORT_TIMEOUT).toBe(true);
    seen.clear();
    await expect.poll(scrolled, SHORT_TIMEOUT).toBeGreaterThanOrEqual(200);
    expect(seen).not.toContain("Elder 4880");
    const [, ...others] = seen;
    expect(others.toSorted()).toEqual(
      names
        .filter((name) => name !== "Elder 4880")
        .slice(0, others.length)
        .toSorted(),
    );
    expect(asked.length).toBeLessThan(20);
    await api.send("DELETE", `/api/sessions/${id}`);
    await page.close();
  });

  test("an expired login asks for the password, and the draft is preserved", async () => {
    await newTalk();
    await page.getByTestId("composer").fill("half a thought");
    const { items } = await api.get<{ items: readonly { hash_full: string; current: boolean }[] }>("/api/login-tokens");
    for (const token of items) if (!token.current) await api.send("DELETE", `/api/login-tokens/${token.hash_full}`);
    await page.getByRole("textbox", { name: "Password" }).fill(parley.credentials.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByTestId("composer").waitFor();
    expect(await page.getByTestId("composer").inputValue()).toBe("half a thought");
  });
});
