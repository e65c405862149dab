import Joi from "@hapi/joi";
import { type ChannelAdapter, ChannelAdapters, definePlugin } from "@parley/core";
import { type ImbServer, startImbServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { findViolations } from "./axe.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole, toggleSwitch } from "./console.ts";

/** A platform that never calls back, and one that cannot be reached. */
const adapter = (type: string, open: ChannelAdapter["open"]): ChannelAdapter => ({
  type,
  transports: ["websocket", "polling"],
  capabilities: {},
  settings: Joi.object({ room: Joi.string().default("lobby"), pass_env: Joi.string().default("TAVERN_PASS") }),
  idempotency: "none",
  open,
});
const silent = adapter("silent", async (_channel, io) => {
  io.report({ connected: false });
  return { send: async () => ({ quality: "accepted" }), async [Symbol.asyncDispose]() {} };
});
const broken = adapter("broken", async () => {
  throw new Error("the tavern is closed");
});
const taverns = definePlugin({
  id: "taverns",
  register({ contribute }) {
    contribute(ChannelAdapters, () => silent);
    contribute(ChannelAdapters, () => broken);
  },
});

describe.runIf(canBrowse)("the channels page", () => {
  const fake = createFakeChannel();
  let pages: Console;
  let platform: ImbServer;
  let page: Page;

  beforeAll(async () => {
    platform = await startImbServer();
    pages = await startConsole({
      plugins: [taverns, fake.plugin],
      env: { IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: "s3cret" },
    });
  }, 60_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await platform?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    page = await pages.visit("/channels");
  });
  afterEach(async () => {
    const { items } = await pages.api.get<{ items: readonly { id: string; builtin: boolean }[] }>("/api/channels");
    for (const { id, builtin } of items) if (!builtin) await pages.api.send("DELETE", `/api/channels/${id}`);
    await pages.releasePage(page);
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const card = (id: string) => page.locator(`[data-testid="channel-card"][data-channel="${id}"]`);
  const menu = (id: string) => card(id).getByTestId("card-menu");
  const shows = (id: string, state: string) =>
    card(id).getByTestId("channel-state").getByText(state, { exact: true }).waitFor();
  const create = (body: object) => pages.api.post("/api/channels", body);
  const dialog = () => page.getByRole("dialog");
  async function add(kind: string, given: { readonly id?: string; readonly name?: string } = {}): Promise<void> {
    await page.getByTestId("add-channel").click();
    await page.getByRole("radio", { name: kind, exact: true }).check();
    if (given.id) await page.getByTestId("channel-id").fill(given.id);
    if (given.name) await page.getByTestId("channel-name").fill(given.name);
  }

  test("a website chat is added with the websites that show it and the line for their pages", async () => {
    await add("Website chat", { id: "tea-shop" });
    await page.getByText("A chat on your website, by one line of script").waitFor();
    const guide = dialog().getByTestId("channel-guide");
    await guide.getByText('data-channel="tea-shop"').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByTestId("create-channel").click();
    const snippet = `<script src="${pages.parley.address}/widget.js" data-channel="tea-shop" async></script>`;
    await dialog().getByTestId("guide-copy").getByText(snippet, { exact: true }).waitFor();
    await takeScreenshot(page, "channel-widget");
    await dialog().getByRole("textbox", { name: "Title" }).fill("Tea shop");
    await dialog().getByRole("button", { name: "Save and switch on" }).click();
    await dialog().getByTestId("channel-saved").waitFor();
    await page.keyboard.press("Escape");
    await shows("tea-shop", "connected");
    expect((await fetch(`${pages.parley.address}/api/widget/tea-shop`)).status).toBe(200);
    await pages.api.send("DELETE", "/api/channels/tea-shop");
    await page.reload();
  });

  test("a check lists what works and what does not, with what to do", async () => {
    await create({ id: "bot", name: "Bot", type: "imB", transport: "webhook", config: { api_base: platform.address } });
    await page.reload();
    await card("bot").getByRole("button", { name: "Edit" }).click();
    await dialog().getByTestId("check-credentials").click();
    const rows = dialog().getByTestId("channel-check");
    await rows.filter({ hasText: "The platform recognises the bot as @parley_bot" }).waitFor();
    const failed = dialog().locator('[data-testid="channel-check"][data-state="failed"]');
    await failed.getByText("Enter the webhook address below and save").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await takeScreenshot(page, "channel-check");
    await page.keyboard.press("Escape");
  });

  test("a channel is added, shows what is missing, is changed, disabled, enabled, and deleted", async () => {
    await add("Webhook", { name: "Shop" });
    await page.getByTestId("create-channel").click();
    const missing = card("webhook").getByTestId("missing-variables");
    await missing.getByText("Missing: Token or key. Enter it under Edit.").waitFor();
    await missing.getByText("SVC_WEBHOOK_SECRET").waitFor();
    // The secret comes first; the name of its environment variable is collapsed.
    const variable = dialog().getByRole("textbox", { name: "Token or key: name" });
    expect(await variable.isVisible()).toBe(false);
    await dialog().getByText("Secrets from the environment").click();
    expect(await variable.inputValue()).toBe("SVC_WEBHOOK_SECRET");
    await dialog().getByRole("textbox", { name: "Reply address" }).fill("https://receiver.example/hook");
    const settings = dialog().getByRole("group", { name: "Settings" });
    await settings.getByRole("group", { name: "Sender verification" }).scrollIntoViewIfNeeded();
    await takeScreenshot(page, "channel-settings-groups");
    await dialog().getByRole("button", { name: "Save and switch on" }).click();
    await dialog().getByTestId("channel-saved").waitFor();
    await takeScreenshot(page, "channel-settings");
    await page.reload();
    await card("webhook").getByTestId("edit-channel").click();
    const address = dialog().getByRole("textbox", { name: "Reply address" });
    await expect.poll(() => address.inputValue(), SHORT_TIMEOUT).toBe("https://receiver.example/hook");
    await address.fill("https://elsewhere.example/hook");
    for (const leave of [() => page.keyboard.press("Escape"), () => dialog().getByLabel("Close").click()]) {
      await leave();
      await page.getByRole("button", { name: "Stay" }).click();
      expect(await address.inputValue()).toBe("https://elsewhere.example/hook");
    }
    await page.keyboard.press("Escape");
    await page.getByTestId("discard-changes").click();
    await card("webhook").getByText("/api/gateway/webhook/webhook").waitFor();
    await toggleSwitch(card("webhook").getByTestId("channel-switch"));
    await shows("webhook", "off");
    await takeScreenshot(page, "channels");
    await toggleSwitch(card("webhook").getByTestId("channel-switch"));
    await shows("webhook", "problem");
    expect(await pages.api.get("/api/channels?enabled=true&builtin=false")).toMatchObject({ total: 1 });
    await menu("webhook").click();
    await page.getByTestId("remove-channel").click();
    await dialog().getByRole("button", { name: "Delete" }).click();
    await card("webhook").waitFor({ state: "detached" });
  });

  test("is shown as connected only when messages can arrive: imB after its platform confirms, a webhook after a message", async () => {
    const config = { api_base: platform.address };
    await create({ id: "imB", name: "Bot", type: "imB", transport: "webhook", config });
    await shows("imB", "problem");
    await card("imB").getByText("no webhook is registered with the platform").waitFor();
    const auth = { type: "static", secret_env: "IMB_WEBHOOK_SECRET" };
    await create({ id: "shop", name: "Shop", type: "generic", transport: "webhook", config: { auth } });
    await shows("shop", "ready, nothing received yet");
    const address = `${pages.parley.address}/api/gateway/shop/webhook`;
    const post = (secret: string) =>
      fetch(address, {
        method: "POST",
        headers: { "content-type": "application/json", "x-svc-token": secret },
        body: JSON.stringify({ message: "hello", user_id: "7", conversation_id: "7", message_id: "1" }),
      });
    expect((await post("wrong")).status).toBe(401);
    await page.reload();
    await card("shop").getByTestId("request-rejected").waitFor();
    await expectNoOverflow(page, "channels-inbound");
    const phone = await pages.visit("/channels", PHONE);
    await phone.getByTestId("request-rejected").scrollIntoViewIfNeeded();
    await expectNoOverflow(phone, "channels-inbound-phone");
    await pages.releasePage(phone);
    expect((await post("s3cret")).status).toBe(200);
    await page.reload();
    await shows("shop", "connected");
    expect(await card("shop").getByTestId("request-rejected").count()).toBe(0);
    platform.useWebhook({ url: "https://bot.example.com/api/channels/imB/imB/webhook" });
    await toggleSwitch(card("imB").getByTestId("channel-switch"));
    await shows("imB", "off");
    await toggleSwitch(card("imB").getByTestId("channel-switch"));
    await shows("imB", "connected");
  });

  test("a model and a character are chosen for a channel, and a conversation may choose another model", async () => {
    const { api } = pages;
    const made = async (path: string, body: object) => (await api.post<{ id: string }>(path, body)).id;
    const model = { model: "m", base_url: "http://127.0.0.1:1/v1" };
    const quick = await made("/api/ai-models", { ...model, name: "Quick" });
    await made("/api/ai-models", { ...model, name: "Deep" });
    const mira = await made("/api/characters", { name: "Mira" });
    await create({ id: fake.id, name: "Shop", type: fake.id, transport: "bridge" });
    await card(fake.id).getByText("through a bridge").waitFor();
    await card(fake.id).getByTestId("edit-channel").click();
    const choice = (of: "model" | "character") => dialog().getByTestId(`choose-${of}`);
    await choice("model").selectOption({ label: "Quick" });
    await choice("character").selectOption({ label: "Mira" });
    await choice("character").scrollIntoViewIfNeeded();
    await takeScreenshot(page, "channel-choices");
    await page.getByTestId("save-channel").click();
    await dialog().getByTestId("channel-saved").waitFor();
    const { items } = await api.get<{ items: readonly { id: string; config: object }[] }>("/api/channels");
    expect(items.find(({ id }) => id === fake.id)?.config).toMatchObject({ model_id: quick, character_id: mira });

    await fake.say("team-1", "hello");
    await page.goto(`${pages.parley.address}/#/sessions/${encodeURIComponent("fake:group:team-1")}`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByTestId("session-setup").click();
    const chosen = page.getByTestId("session-model");
    await expect
      .poll(() => chosen.locator("option:checked").textContent(), SHORT_TIMEOUT)
      .toBe("Same as the channel: Quick");
    await expectNoOverflow(page, "channel-choices-session");
    await chosen.selectOption({ label: "Deep" });
    await page.getByTestId("session-temperature").fill("0.2");
    await page.getByTestId("save-setup").click();
    await page.getByTestId("save-setup").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByTestId("session-setup").click();
    await expect.poll(() => chosen.locator("option:checked").textContent(), SHORT_TIMEOUT).toBe("Deep");
    expect(await page.getByTestId("session-temperature").inputValue()).toBe("0.2");
    await page.getByTestId("reset-setup").click();
    expect(await page.getByTestId("session-temperature").inputValue()).toBe("");
    expect(await chosen.inputValue()).toBe("");
    await page.getByTestId("save-setup").click();
    await page.getByTestId("save-setup").waitFor({ state: "detached" });
    const path = `/api/sessions/${encodeURIComponent("fake:group:team-1")}`;
    const reset = {
      model_id: quick,
      parameters: { temperature: null, max_tokens: null },
      from_channel: ["model_id", "character_id", "burst"],
    };
    expect(await api.get(path)).toMatchObject(reset);
    await pages.api.send("DELETE", `/api/ai-models/${quick}`);
    await page.goto(`${pages.parley.address}/#/channels`);
    await card(fake.id).getByTestId("edit-channel").click();
    await expect
      .poll(() => choice("model").locator("option:checked").textContent(), SHORT_TIMEOUT)
      .toContain("no longer exists");
  });

  test("a second channel of one type gets its own id; a taken one is reported", async () => {
    await add("imB");
    expect(await page.getByTestId("channel-id").inputValue()).toBe("imB");
    await page.getByTestId("create-channel").click();
    await card("imB").waitFor();
    // The card may appear before the response that opens the settings.
    await dialog().getByTestId("save-channel").waitFor();
    await page.keyboard.press("Escape");

    await add("imB", { name: "Second shop" });
    expect(await page.getByTestId("channel-id").inputValue()).toBe("imB-2");
    await page.getByTestId("channel-id").fill("IMB");
    await dialog().getByText("Another channel has this id.").waitFor();
    expect(await page.getByTestId("create-channel").isDisabled()).toBe(true);
    await takeScreenshot(page, "channel-add");
    await page.getByTestId("channel-id").fill("imB-2");
    await page.getByTestId("create-channel").click();
    await card("imB-2").getByText("Second shop").waitFor();
    await card("imB-2").getByText("/api/channels/imB/imB-2/webhook").waitFor();
  });

  test("an id that was taken meanwhile is rejected with the reason", async () => {
    await add("imB", { id: "bar" });
    // The page is notified at once, so the request must be intercepted.
    await page.route("**/api/channels/presets/imB", async (route) => {
      await create({ id: "bar", name: "Bar" });
      await route.continue();
    });
    await page.getByTestId("create-channel").click();
    // The error of the service, or of the page if it already lists the other channel.
    await dialog()
      .getByText(/taken|Another channel has this ID/i)
      .waitFor();
  });

  test("a channel of another type is added with its connection and settings", async () => {
    await add("Another type");
    // The arrow keys move between the cards, as in any radio group.
    const other = page.getByRole("radio", { name: "Another type" });
    await other.press("ArrowDown");
    expect(await other.isChecked()).toBe(false);
    await page.keyboard.press("ArrowUp");
    expect(await other.isChecked()).toBe(true);
    await page.getByTestId("channel-id").fill("tavern");
    await page.getByTestId("channel-name").fill("Tavern");
    await page.getByTestId("channel-type").fill("silent");
    await page.getByTestId("channel-transport").selectOption("polling");
    await page.getByTestId("channel-config").fill('{"room": ');
    expect(await page.getByTestId("create-channel").isDisabled()).toBe(true);
    await takeScreenshot(page, "channel-add-other");
    await page.getByTestId("channel-config").fill('["cellar"]');
    expect(await page.getByTestId("create-channel").isDisabled()).toBe(true);
    await page.getByTestId("channel-config").fill('{"room": "cellar"}');
    await page.getByTestId("create-channel").click();
    await card("tavern").getByText("tavern · silent · polling").waitFor();
    expect(await dialog().getByLabel("room").inputValue()).toBe("cellar");
  });

  test("a channel's purpose is described", async () => {
    await create({ id: "tavern", name: "Tavern", type: "silent" });
    await card("tavern").getByTestId("edit-channel").click();
    await dialog().getByTestId("channel-description").fill("For the guests of the inn");
    await dialog().getByTestId("save-channel").click();
    await card("tavern").getByText("For the guests of the inn").waitFor();
  });

  test("missing settings and errors are both shown, also while the channel is disabled", async () => {
    await create({ id: "tavern", name: "Tavern", type: "broken" });
    const readStatus = async () => {
      await card("tavern").getByTestId("missing-variables").getByText("TAVERN_PASS").waitFor();
      await card("tavern").getByTestId("last-error").getByText("the tavern is closed").waitFor();
    };
    await shows("tavern", "problem");
    await readStatus();
    await toggleSwitch(card("tavern").getByTestId("channel-switch"));
    await shows("tavern", "off");
    await readStatus();
    await takeScreenshot(page, "channel-off");
  });

  test("a channel that waits for its platform is shown as running", async () => {
    await create({ id: "tavern", name: "Tavern", type: "silent" });
    await shows("tavern", "running, waiting for the platform");
  });

  test("unknown settings are shown unchanged", async () => {
    await create({ id: "ghost", name: "Ghost", type: "silent", config: { room: "attic" } });
    await pages.api.put("/api/plugins/generic", { enabled: false });
    await pages.api.put("/api/plugins/taverns", { enabled: false });
    await page.reload();
    await card("ghost").getByTestId("edit-channel").click();
    await dialog().getByTestId("raw-config").getByText('"room": "attic"').waitFor();
    await takeScreenshot(page, "channel-unserved");
    await pages.api.put("/api/plugins/taverns", { enabled: true });
    await pages.api.put("/api/plugins/generic", { enabled: true });
  });

  test("a test message that cannot be sent shows the reason", async () => {
    await create({ id: "shop", name: "Shop" });
    await create({ id: "tavern", name: "Tavern", type: "silent", enabled: false });
    const reason = async (id: string, text: string) => {
      await menu(id).click();
      const item = page.getByTestId("test-channel");
      await item.getByText(text).waitFor();
      expect(await item.isDisabled()).toBe(true);
      await takeScreenshot(page, `channel-no-test-${id}`);
      await page.keyboard.press("Escape");
      await item.waitFor({ state: "detached" });
    };
    await reason("web", "This channel is the console itself. Write in Conversations.");
    await reason("shop", "There is no address to send to: fill in outbound_url in the settings.");
    await reason("tavern", "Switch the channel on first.");
    await toggleSwitch(card("tavern").getByTestId("channel-switch"));
    await shows("tavern", "running, waiting for the platform");
    await menu("tavern").click();
    await page.getByTestId("test-channel").click();
    await dialog().getByLabel("Conversation").fill("7");
    await dialog().getByRole("button", { name: "Send" }).click();
    await dialog().getByRole("status").getByText("accepted by the platform").waitFor();
  });

  test("a webhook is registered at an https address, and its status on the platform is shown", async () => {
    await pages.api.post("/api/channels/presets/imB", { config: { api_base: platform.address } });
    await card("imB").getByTestId("edit-channel").click();
    await dialog().getByTestId("needs-https").waitFor();
    await takeScreenshot(page, "webhook-http");
    await dialog().getByTestId("webhook-url").fill("https://bot.example/api/channels/imB/imB/webhook");
    await dialog().getByTestId("needs-https").waitFor({ state: "detached" });
    await page.route("**/set-webhook", async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const trouble = { pending_update_count: 3, last_error_date: 1_780_000_000, last_error_message: "Bad Gateway" };
      await route.fulfill({
        response,
        json: { ...answer, data: { ...answer.data, result: { ...answer.data.result, ...trouble } } },
      });
    });
    await dialog().getByTestId("save-channel").click();
    const result = dialog().getByTestId("webhook-result");
    await result.getByText("https://bot.example/api/channels/imB/imB/webhook").waitFor();
    await result.getByText("Messages waiting at the platform: 3").waitFor();
    await result.getByText("Bad Gateway").waitFor();
    await takeScreenshot(page, "webhook-registered");
    expect(platform.webhook()).toMatchObject({ url: "https://bot.example/api/channels/imB/imB/webhook" });
  });

  test("a token alone connects a bot, and a webhook that was registered meanwhile is removed by one button", async () => {
    await add("imB");
    await page.getByTestId("create-channel").click();
    await dialog().getByTestId("secret-IMB_BOT_TOKEN").fill("42:secret");
    await dialog().getByLabel("API server").fill(platform.address);
    await dialog().getByTestId("secret-IMB_WEBHOOK_SECRET").waitFor();
    await dialog().getByTestId("channel-transport").selectOption("polling");
    await dialog().getByTestId("secret-IMB_WEBHOOK_SECRET").waitFor({ state: "detached" });
    await expect.poll(() => dialog().getByTestId("webhook-url").count()).toBe(0);
    await dialog().getByTestId("save-channel").click();
    await shows("imB", "connected");
    await page.keyboard.press("Escape");
    platform.useWebhook({ url: "https://other.example/hook" });
    await card("imB").getByText("a webhook was registered for this bot again").waitFor();
    await takeScreenshot(page, "polling-conflict");
    await card("imB").getByTestId("connect-again").click();
    await card("imB").getByText("webhook at other.example was removed").waitFor();
    await shows("imB", "connected");
    expect(platform.webhook()).toBeUndefined();
  });

  test("supports Chinese, dark mode and phones", async () => {
    await pages.api.post("/api/channels/presets/imB", { description: "楼下小店的机器人" });
    await pages.api.post("/api/channels/presets/generic_webhook", {});
    await create({ id: "tavern", name: "Tavern", type: "broken" });
    await create({
      id: "open",
      name: "Open",
      type: "custom",
      transport: "webhook",
      config: { auth: { type: "none" } },
    });
    const phone = await pages.visit("/channels", PHONE);
    await phone.locator('[data-channel="tavern"]').getByText("异常").waitFor();
    await phone.locator('[data-channel="open"]').getByText("此 Webhook 是开放的").waitFor();
    await expectNoOverflow(phone, "phone-channels");
    await phone.locator('[data-channel="webhook"]').scrollIntoViewIfNeeded();
    await expectNoOverflow(phone, "phone-channels-more");
    await phone.getByTestId("add-channel").click();
    await phone.getByTestId("channel-kind").waitFor();
    await expectNoOverflow(phone, "phone-channel-add");
    await phone.getByRole("radio", { name: "其他类型" }).check();
    await expectNoOverflow(phone, "phone-channel-add-other");
    await pages.releasePage(phone);
  });

  test("a channel's settings and an outage fit a phone", async () => {
    await pages.api.post("/api/channels/presets/imB", { transport: "webhook" });
    const phone = await pages.visit("/channels", PHONE);
    await phone.locator('[data-channel="imB"]').getByTestId("edit-channel").click();
    await phone.getByTestId("needs-https").waitFor();
    await expectNoOverflow(phone, "phone-channel-edit");
    await phone.getByTestId("webhook-url").scrollIntoViewIfNeeded();
    await expectNoOverflow(phone, "phone-channel-webhook");
    await phone.getByText("从环境变量读取密钥").click();
    await phone.getByText("保存机器人令牌的环境变量 · 默认：IMB_BOT_TOKEN").scrollIntoViewIfNeeded();
    await expectNoOverflow(phone, "phone-channel-settings");
    await phone.route("**/api/channels?*", (route) => route.abort());
    await phone.reload();
    await phone.getByRole("alert").getByText("无法连接到服务。").waitFor();
    await phone.close();
  });
});
