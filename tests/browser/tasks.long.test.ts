import { type DefinedPlugin, definePlugin } from "@parley/core";
import { createGate, type ImbServer, type ModelServer, startImbServer, startModelServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { type McpHttpServer, startMcpHttpServer } from "../harness/mcp/mcp-http-server.ts";
import { type Console, expectNoOverflow, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { type CountedUser, createCountedUser, type Effort } from "./counted-user.ts";

/** Maximum effort of each task, from the first page after sign-in unless stated. */
const MOST = {
  "sign in, and get a first answer": { clicks: 0, keys: 2 },
  "set up a model, and chat with it": { clicks: 2, keys: 2, fields: 4 },
  "set up imB alone, and have a message of its platform answered": { clicks: 3, fields: 2 },
  "see what became of a message, from where it stands": { clicks: 1 },
  "stop a reply": { clicks: 1 },
  "have an answer made anew": { clicks: 1 },
  "put a question another way": { clicks: 2, fields: 1 },
  "delete a message": { clicks: 2 },
  "fork a conversation": { clicks: 2 },
  "drop files into a message": { clicks: 0, keys: 1 },
  "write a rule of the filter, and see it at work": { clicks: 4, keys: 1, fields: 1 },
  "make an API key": { clicks: 3, keys: 1, fields: 1 },
  "find out from the log why an answer failed": { clicks: 2 },
  "change a setting, and see it": { clicks: 2, keys: 1, fields: 1 },
  "load the plugins again": { clicks: 2 },
  "connect an MCP server, and have its tool used": { clicks: 3, keys: 2, fields: 2 },
  "search for what was said": { clicks: 0, keys: 2 },
  "export a conversation": { clicks: 2 },
  "import a conversation, and read it": { clicks: 1 },
} satisfies Readonly<Record<string, Effort>>;

/** A plugin that is installed while the service runs. */
const late = definePlugin({ id: "late-comer", register() {} });

describe.runIf(canBrowse)("tasks measured in clicks", () => {
  const installed: DefinedPlugin[] = [];
  let pages: Console;
  let models: ModelServer;
  let platform: ImbServer;
  let tools: McpHttpServer;
  let page: Page;

  beforeAll(async () => {
    [models, platform, tools] = await Promise.all([
      startModelServer(),
      startImbServer({ token: "77:typed" }),
      startMcpHttpServer(),
    ]);
    pages = await startConsole({ plugins: installed, logLevel: "warn" });
  }, 60_000);
  afterAll(async () => {
    await Promise.all([pages, models, platform, tools].map((one) => one?.[Symbol.asyncDispose]()));
  });
  beforeEach(() => {
    models.script.length = 0;
    pages.problems.length = 0;
  });
  afterEach(() => pages.releasePage(page));

  let painted = "";

  const composer = () => page.getByTestId("composer");
  const messages = () => page.getByTestId("message");
  const shows = (text: string) => messages().last().locator(".message_bubble").getByText(text).first().waitFor();
  const go = (name: string) => page.getByRole("link", { name, exact: true });
  const dialog = () => page.getByRole("dialog");
  const openList = async () => {
    page = await pages.visit("/");
    await composer().waitFor();
    return page;
  };
  const visit = (path: string) => page.goto(`${pages.parley.address}/#${path}`);
  const answers = (...texts: readonly string[]) => {
    for (const text of texts) models.script.push({ kind: "text", text });
  };
  /** Sends a message; the composer has the focus already. */
  const say = async (hand: CountedUser, text: string) => {
    await hand.type(text);
    await hand.press("Enter");
  };
  const conversation = async (name: string, ...contents: readonly string[]) => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name });
    for (const content of contents) await pages.api.post(`/api/sessions/${id}/chat`, { content });
    await visit(`/sessions/${id}`);
    await page.getByRole("heading", { name, exact: true }).waitFor();
  };
  const task = (name: keyof typeof MOST, work: (hand: CountedUser) => Promise<void>, begin = openList) =>
    test(name, async () => {
      page = await begin();
      const hand = createCountedUser(page);
      await work(hand);
      hand.expectAtMost(MOST[name]);
      expect(pages.problems).toEqual([]);
    });

  task(
    "sign in, and get a first answer",
    async (hand) => {
      const total = async () => (await pages.api.get<{ total: number }>("/api/sessions")).total;
      await page.goto(pages.parley.address);
      await page.getByRole("textbox", { name: "Password" }).waitFor();
      await say(hand, pages.parley.credentials.password);
      // The page shows what is set up, the next step, and the composer.
      await expect.poll(() => page.getByTestId("setup-step").count(), SHORT_TIMEOUT).toBe(3);
      expect(await page.locator('[data-testid="setup-step"][data-done="true"]').count()).toBe(0);
      await page.getByTestId("today-number").first().waitFor();
      await expectNoOverflow(page, "task-first");
      expect(await total()).toBe(0);
      await say(hand, "Hello?");
      await shows("offline");
      expect(await total()).toBe(1);
      // A new conversation is created with its first message.
      await page.getByTestId("new-session").click();
      await page.locator('[data-testid="start"][data-new="true"]').waitFor();
      expect(await total()).toBe(1);
    },
    () => pages.openPage(),
  );

  task("set up a model, and chat with it", async (hand) => {
    await hand.click(page.getByTestId("first-model").getByRole("link", { name: "DeepSeek" }));
    await hand.write(page.getByLabel("Address (base URL)"), models.baseUrl);
    await hand.write(page.getByTestId("model-name"), "scripted");
    await hand.write(dialog().getByRole("textbox", { name: "Name", exact: true }), "My helper");
    await hand.write(page.getByRole("textbox", { name: "API key" }), "sk-secret");
    await hand.press("Enter");
    await page.getByTestId("model-card").getByText("in use").waitFor();
    await takeScreenshot(page, "task-model");
    await hand.click(go("Conversations"));
    await page.locator('[data-testid="setup-step"][data-done="true"]').first().waitFor();
    await page.getByTestId("recent-session").first().waitFor();
    answers("At your service.");
    await say(hand, "And now?");
    await shows("At your service.");
    // The answer shows the name that the user gave the model.
    expect(await page.getByTestId("answered-by").last().textContent()).toBe("My helper");
  });

  task("set up imB alone, and have a message of its platform answered", async (hand) => {
    await hand.click(page.getByTestId("setup-step").filter({ hasText: "channel" }).getByRole("link"));
    await hand.click(page.getByTestId("create-channel"));
    await dialog().getByTestId("channel-guide").getByText("/newbot").first().waitFor();
    // The default is the platform's server, which is simulated here.
    await hand.write(dialog().getByRole("textbox", { name: "API server" }), platform.address);
    expect(await dialog().getByRole("alert").count()).toBe(0);
    const token = dialog().getByRole("textbox", { name: "Bot token", exact: true });
    await token.fill("77:wrong");
    await dialog().getByTestId("check-credentials").click();
    await dialog().getByRole("alert").getByText("Unauthorized").waitFor();
    await hand.write(token, "77:typed");
    await dialog().getByTestId("check-credentials").click();
    await dialog().getByTestId("checked-account").getByText("@parley_bot").waitFor();
    // Without a public address the channel polls, so the token is all it needs.
    await hand.click(dialog().getByRole("button", { name: "Save and switch on" }));
    await dialog().getByText("Stored since").first().waitFor();
    await takeScreenshot(page, "task-imb");
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    const card = page.locator('[data-channel="imB"]');
    await card.getByTestId("channel-state").getByText("connected", { exact: true }).waitFor();
    expect(await card.getByRole("alert").count()).toBe(0);
    await card.getByTestId("edit-channel").click();
    await dialog().getByText("Stored since").first().waitFor();
    expect(await dialog().getByTestId("secret-IMB_BOT_TOKEN").inputValue()).toBe("");

    answers("Good day, Lin.");
    await platform.say("501", "Is anybody there?");
    await platform.waitFor(() => platform.shown("501").includes("Good day, Lin."));
    await visit("/");
    const row = page.getByTestId("session-item").filter({ has: page.getByText("Lin", { exact: true }) });
    await row.getByTestId("channel-badge").waitFor();
    await takeScreenshot(page, "task-imb-answered");
  });

  task("see what became of a message, from where it stands", async (hand) => {
    await page
      .getByTestId("session-item")
      .filter({ has: page.getByText("Lin", { exact: true }) })
      .click();
    await messages().first().hover();
    await hand.click(messages().first().getByTestId("show-processing"));
    const explanation = page.getByTestId("explained");
    await explanation.getByText("My helper was asked").waitFor();
    await explanation.getByText(/answered in [\d,]+ ms/).waitFor();
    await explanation.getByText("delivered").waitFor();
    await takeScreenshot(page, "task-became");
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
  });

  task("stop a reply", async (hand) => {
    await conversation("Stop");
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["I will ", "go on"], gate });
    await composer().fill("Talk");
    await composer().press("Enter");
    gate.next();
    await page.getByTestId("streaming").getByText("I will").waitFor();
    await hand.click(page.getByTestId("stop"));
    await messages().last().getByText("stopped").waitFor();
    await shows("I will");
    await models.waitFor(() => models.aborted() === 1);
  });

  task("have an answer made anew", async (hand) => {
    await conversation("Paint", "Which colour?");
    await shows("You said: Which colour?");
    answers("Blue.");
    await messages().last().hover();
    await hand.click(messages().last().getByTestId("regenerate"));
    await shows("Blue.");
    await page.getByTestId("variants").getByText("2 / 2").waitFor();
    painted = page.url();
  });

  task("put a question another way", async (hand) => {
    await page.goto(painted);
    await shows("Blue.");
    answers("Green.");
    await messages().first().hover();
    await hand.click(messages().first().getByTestId("edit"));
    await hand.write(page.getByTestId("editor"), "Which colour for a door?");
    await hand.click(page.getByTestId("save-edit"));
    await shows("Green.");
    expect(await messages().first().locator(".message_bubble").textContent()).toBe("Which colour for a door?");
    await takeScreenshot(page, "task-edit");
  });

  task("fork a conversation", async (hand) => {
    await page.goto(painted);
    await shows("Green.");
    await messages().last().hover();
    await hand.click(messages().last().getByTestId("message-menu"));
    await hand.click(page.getByTestId("fork-here"));
    await page.getByRole("heading", { name: "Paint - Fork" }).waitFor();
    await shows("Green.");
  });

  task("delete a message", async (hand) => {
    await page.goto(painted);
    await shows("Green.");
    await messages().last().hover();
    await hand.click(messages().last().getByTestId("message-menu"));
    await hand.click(page.getByTestId("delete"));
    // The toast offers undo while it is visible.
    await page.getByTestId("toast").waitFor();
    await expect.poll(() => messages().count(), SHORT_TIMEOUT).toBe(1);
    await shows("Which colour for a door?");
  });

  task("drop files into a message", async (hand) => {
    await conversation("Files");
    const data = await page.evaluateHandle(() => {
      const { DataTransfer } = globalThis as unknown as {
        readonly DataTransfer: new () => { readonly items: { add(file: File): void } };
      };
      const carried = new DataTransfer();
      for (const [name, text] of [
        ["plan.txt", "water the roses"],
        ["bill.csv", "roses,12"],
      ] as const)
        carried.items.add(new File([text], name, { type: "text/plain" }));
      return carried;
    });
    await page.locator(".chat_messageLog").dispatchEvent("dragover", { dataTransfer: data });
    await page.getByText("Drop files here to attach them").waitFor();
    await page.locator(".chat_messageLog").dispatchEvent("drop", { dataTransfer: data });
    await expect
      .poll(() => page.locator('[data-testid="picked-file"][data-state="ready"]').count(), SHORT_TIMEOUT)
      .toBe(2);
    answers("Roses, I see.");
    await say(hand, "What is planned?");
    await shows("Roses, I see.");
    const asked = JSON.stringify(models.requests.at(-1)?.body.messages);
    expect(asked).toContain("water the roses");
    expect(asked).toContain("roses,12");
  });

  task("write a rule of the filter, and see it at work", async (hand) => {
    await hand.click(go("Filter"));
    await hand.click(page.getByTestId("add-rule"));
    await page.getByTestId("rule-pattern").waitFor();
    await hand.type("badword");
    await hand.write(page.getByTestId("rule-sample"), "a BadWord here");
    await page.getByTestId("rule-trial").getByText("a  here").waitFor();
    await takeScreenshot(page, "task-rule");
    await hand.click(page.getByTestId("save-rule"));
    await page.getByTestId("rule-row").getByText("badword").waitFor();
    await hand.click(go("Conversations"));
    await page.getByTestId("start").waitFor();
    await say(hand, "this badword goes");
    await messages().first().getByText("this goes").waitFor();
    await shows("this goes");
    await visit("/filter");
    const rule = page.getByTestId("rule-row").filter({ hasText: "badword" });
    await rule.getByTestId("rule-hits").getByText("1", { exact: true }).waitFor();
  });

  task("make an API key", async (hand) => {
    await hand.click(go("API keys"));
    await hand.click(page.getByTestId("new-record"));
    await hand.click(dialog().getByLabel("Read everything"));
    await hand.write(dialog().getByLabel("Name"), "from the page");
    await hand.press("Enter");
    const secret = (await page.getByTestId("secret").textContent()) ?? "";
    await takeScreenshot(page, "task-key");
    const key = pages.api.as(secret);
    expect((await key.send("GET", "/api/sessions")).status).toBe(200);
    await dialog().getByRole("button", { name: "Close" }).last().click();
    await page.getByTestId("secret").waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("button", { name: "Actions for from the page" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByTestId("confirm-remove").click();
    await page.getByTestId("record-row").waitFor({ state: "detached" });
    expect((await key.send("GET", "/api/sessions")).status).toBe(401);
  });

  task("find out from the log why an answer failed", async (hand) => {
    await conversation("Failing");
    models.script.push({ kind: "status", status: 401, message: "the key is for another house" });
    await composer().fill("Hello");
    await composer().press("Enter");
    await messages().first().getByRole("alert").waitFor();
    await hand.click(go("Status"));
    const line = page.getByTestId("log-row").filter({ hasText: "not answered" }).first();
    await hand.click(line.locator("summary"));
    await line.getByText("the key is for another house").waitFor();
    await takeScreenshot(page, "task-log");
  });

  task("change a setting, and see it", async (hand) => {
    await hand.click(go("Settings"));
    await hand.write(page.getByLabel("Largest file (MB)"), "7");
    await hand.press("Enter");
    await page.getByText("Saved").waitFor();
    expect(await pages.api.get("/api/settings")).toMatchObject({ files: { max_upload_mb: 7 } });
    await hand.click(go("Conversations"));
    await page.getByRole("button", { name: "Attach files (≤ 7 MB)" }).waitFor();
  });

  task("load the plugins again", async (hand) => {
    installed.push(late);
    await hand.click(go("Plugins"));
    await page.getByTestId("plugin-card").first().waitFor();
    await hand.click(page.getByTestId("reload-core"));
    await page.locator('[data-plugin="late-comer"]').getByText("running").waitFor();
    await takeScreenshot(page, "task-plugins");
  });

  task("connect an MCP server, and have its tool used", async (hand) => {
    await hand.click(go("MCP"));
    await hand.click(page.getByTestId("add-server"));
    await hand.write(page.getByTestId("server-name"), "Weather");
    await hand.write(page.getByTestId("server-url"), tools.address);
    await hand.press("Enter");
    const card = page.locator('[data-testid="server-card"][data-server="weather"]');
    await card.getByTestId("server-state").getByText("connected", { exact: true }).waitFor();
    await takeScreenshot(page, "task-mcp");
    await hand.click(go("Conversations"));
    await page.getByTestId("start").waitFor();
    models.script.push({ kind: "tool", name: "mcp__weather__look", args: {} }, { kind: "text", text: "It rains." });
    await say(hand, "What is it like outside?");
    await shows("It rains.");
    expect(tools.calls.map(({ name }) => name)).toEqual(["look"]);
  });

  task("search for what was said", async (hand) => {
    await hand.press("Control+k");
    await page.getByTestId("palette-input").waitFor();
    await hand.type("for a door");
    await page.getByTestId("palette-choice").getByText("Which colour for a door?").first().waitFor();
    await takeScreenshot(page, "task-search");
    await hand.press("Enter");
    await page.locator('[data-found="true"]').getByText("Which colour for a door?").waitFor();
  });

  task("export a conversation", async (hand) => {
    await conversation("Portable", "Take me along");
    await shows("You said: Take me along");
    await hand.click(page.getByRole("button", { name: "More", exact: true }));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      hand.click(page.getByRole("menuitem", { name: "Export (JSON)" })),
    ]);
    await download.saveAs(`${pages.parley.root}/portable.json`);
  });

  task("import a conversation, and read it", async (hand) => {
    const chooser = page.waitForEvent("filechooser");
    await hand.click(page.getByRole("button", { name: "Import" }));
    await (await chooser).setFiles(`${pages.parley.root}/portable.json`);
    await page.getByRole("heading", { name: "Portable" }).waitFor();
    await shows("You said: Take me along");
    expect(await messages().count()).toBe(2);
    const { items } = await pages.api.get<{ items: readonly { name: string }[] }>("/api/sessions?q=Portable");
    expect(items).toHaveLength(2);
    const again = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Import" }).click();
    const broken = { name: "holiday.json", mimeType: "application/json", buffer: Buffer.from("{no") };
    await (await again).setFiles(broken);
    // The file name keeps its case at the start of the sentence.
    const alert = page.getByRole("alert").filter({ hasText: "holiday.json" });
    const shown = await alert.evaluate((alert) => Reflect.get(alert, "innerText"));
    expect(shown).toMatch(/^'holiday\.json' is not valid JSON/);
  });

  test("importing many conversations shows progress, and asks about duplicates", async () => {
    page = await pages.visit("/");
    const messages = [{ role: "user", content: "long ago" }];
    const old = Array.from({ length: 500 }, (_, at) => ({ id: `old_${at}`, name: `Old ${at}`, messages }));
    const give = async (sessions: readonly object[]) => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Import" }).click();
      const buffer = Buffer.from(JSON.stringify({ version: 1, sessions }));
      await (await chooser).setFiles({ name: "old.json", mimeType: "application/json", buffer });
    };
    const countSessions = async () => (await pages.api.get<{ total: number }>("/api/sessions?q=Old&limit=1")).total;
    await give(old);
    await page
      .getByRole("status")
      .getByText(/^Imported: \d+ of 500$/)
      .waitFor();
    await page.getByRole("status").getByText("Imported: 500", { exact: true }).waitFor({ timeout: 60_000 });
    await give([{ id: "fresh", name: "Fresh one", messages: [{ role: "user", content: "just now" }] }, ...old]);
    const asked = page.getByRole("dialog", { name: "500 conversations were imported before" });
    await asked.getByText(/^Old 0, Old 1, /).waitFor();
    await takeScreenshot(page, "import-twice");
    await asked.getByRole("button", { name: "Import the other conversation" }).click();
    await page.getByRole("heading", { name: "Fresh one" }).waitFor();
    await shows("just now");
    expect(await countSessions()).toBe(500);
    await give(old.slice(0, 1));
    await page.getByRole("button", { name: "Import it again" }).click();
    await page.getByRole("heading", { name: "Old 0", exact: true }).waitFor();
    expect(await countSessions()).toBe(501);
  });
});
