import { Sessions } from "@parley/core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, openBrowser, takeScreenshot } from "../harness/browser.ts";
import { type ForeignPage, startForeignPage } from "../harness/foreign-page.ts";
import { openWidgetPage } from "../harness/http/widget-visitor.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createAskingPlugin } from "../harness/plugins/asking.ts";
import { findViolations } from "./axe.ts";
import { PHONE, SHORT_TIMEOUT } from "./console.ts";

const ANSWER = [
  "**Yes**, we do: see [the list](https://shop.example/tea) or `tea.txt`.",
  "",
  "1. green",
  "2. black",
  "",
  '<img src=x onerror="alert(1)"> [bad](javascript:alert(1))',
].join("\n");

describe.skipIf(!canBrowse)("the chat on a website with a strict policy", () => {
  let service: ParleyWithModel;
  let website: ForeignPage;
  const problems: string[] = [];
  const contexts: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    service = await startParleyWithModel({
      config: "[plugin.gateway]\nslow_reply =\n",
      plugins: [createAskingPlugin()],
    });
    website = await startForeignPage(service.parley.address, "widget");
    const config = {
      allowed_origins: [website.origin],
      title: "Tea shop",
      greeting: "Hello! Ask us **anything**.",
      files: true,
      burst: "off",
    };
    await service.api.post("/api/channels/presets/widget", { config });
  });
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    await website[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  const openContext = async (options: BrowserContextOptions = {}) => {
    const browser = await openBrowser();
    const context = await browser.newContext({
      viewport: { width: 1100, height: 760 },
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(SHORT_TIMEOUT.timeout);
    contexts.push(context);
    return context;
  };
  const watch = (page: Page) => {
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (line) => {
      if (line.type() === "error" && !/WebSocket connection/.test(line.text())) problems.push(line.text());
    });
    return page;
  };
  const visit = async (options: BrowserContextOptions = {}, language = "en") => {
    const page = watch(await (await openContext(options)).newPage());
    await page.goto(website.address(language));
    return page;
  };
  const openChat = (page: Page) => page.getByRole("button", { name: /Open chat|打开聊天/ }).click();
  const write = async (page: Page, text: string) => {
    await page.getByRole("textbox").fill(text);
    await page.getByRole("textbox").press("Enter");
  };
  const configure = (config: object) => service.api.put("/api/channels/widget", { config });

  test("answers in Markdown whose HTML stays text, and shows the conversation again after a reload", async () => {
    const page = await visit();
    await openChat(page);
    await page.locator("strong", { hasText: "anything" }).waitFor();
    service.models.script.push({ kind: "text", text: ANSWER });
    await write(page, "Do you sell tea?");
    await page.locator("strong", { hasText: "Yes" }).waitFor();
    const link = page.getByRole("link", { name: "the list" });
    expect(await link.getAttribute("href")).toBe("https://shop.example/tea");
    expect(await link.getAttribute("rel")).toContain("noopener");
    expect(await page.locator("ol li").allTextContents()).toEqual(["green", "black"]);
    await page.getByText('<img src=x onerror="alert(1)"> [bad](javascript:alert(1))').waitFor();
    expect(await page.locator("[data-parley-widget] img").count()).toBe(0);
    await takeScreenshot(page, "widget-light");

    await page.reload();
    await openChat(page);
    await page.getByText("Do you sell tea?").waitFor();
    await page.locator("strong", { hasText: "Yes" }).waitFor();
    expect(problems.splice(0)).toEqual([]);
  });

  test("is used by keyboard: it opens, sends, closes, and leaves the focus where it was", async () => {
    const page = await visit();
    const launcher = page.getByRole("button", { name: "Open chat" });
    await launcher.waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Tea shop" }).waitFor();
    await page.keyboard.type("first line");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("second line");
    await page.keyboard.press("Enter");
    await page.getByText("You said: first line").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
  });

  test("shows in every tab what is written in one, and counts answers while it is closed", async () => {
    const page = await visit();
    await openChat(page);
    await write(page, "one");
    await page.getByText("You said: one").waitFor();
    const second = watch(await page.context().newPage());
    await second.goto(website.address());
    const unread = second.getByRole("button", { name: "Open chat: New messages" });
    await write(page, "two");
    await unread.waitFor();
    await unread.click();
    await second.getByText("You said: two").waitFor();
    await second.getByText("two", { exact: true }).waitFor();
  });

  test("keeps what is written while the service is away, and sends it once afterwards", async () => {
    const page = await visit();
    await openChat(page);
    await write(page, "before");
    await page.getByText("You said: before").waitFor();
    await service.api.post("/api/channels/widget/toggle", { enabled: false });
    await page.getByText("Connecting…").waitFor();
    await write(page, "meanwhile");
    await page.getByText("Sending…").waitFor();
    await page.getByRole("textbox").fill("a draft");
    await service.api.post("/api/channels/widget/toggle", { enabled: true });
    await page.getByText("You said: meanwhile").waitFor();
    expect(await page.getByText("Sending…").count()).toBe(0);
    await page.reload();
    await openChat(page);
    await page.getByText("You said: meanwhile").waitFor();
    expect(await page.getByText("meanwhile", { exact: true }).count()).toBe(1);
    expect(await page.getByRole("textbox").inputValue()).toBe("a draft");
    problems.length = 0;
  });

  test("keeps a message that was not accepted, with the reason and a retry", async () => {
    const page = await visit();
    await openChat(page);
    await write(page, "hello");
    await page.getByText("You said: hello").waitFor();
    const visitor = await page.evaluate<string>("JSON.parse(Object.values(localStorage)[0]).visitor");
    using quick = await openWidgetPage(service.parley.address, { channelId: "widget", visitor });
    for (let at = 1; at < 15; at += 1) await quick.say(`m${at}`, `t-${at}`);
    await write(page, "too much");
    await page.getByText(/Not sent\. Too many messages: wait \d+ seconds\./).waitFor();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText(/Not sent\./).waitFor();
    await takeScreenshot(page, "widget-not-sent");
  });

  test("shows nothing more of a conversation that was deleted", async () => {
    const page = await visit();
    await openChat(page);
    await write(page, "forget this");
    await page.getByText("You said: forget this").waitFor();
    const sessions = service.parley.host.get(Sessions);
    const { items } = await sessions.list({ channelId: "widget", limit: 1, offset: 0 });
    await service.api.send("DELETE", `/api/sessions/${encodeURIComponent(items[0]?.id ?? "")}`);
    await page.getByText("You said: forget this").waitFor({ state: "detached" });
    expect(await page.getByText("forget this").count()).toBe(0);
  });

  test("sends a file and gets it back by a link", async () => {
    const page = await visit();
    await openChat(page);
    await write(page, "hello");
    await page.getByText("You said: hello").waitFor();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach a file" }).click();
    await (await chooser).setFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("the invoice") });
    await page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
    await takeScreenshot(page, "widget-file");
    await write(page, "see the file");
    await page.getByText("You said: see the file").waitFor();
    await page.reload();
    await openChat(page);
    const href = await page.getByRole("link", { name: "notes.txt" }).getAttribute("href");
    expect(await (await fetch(href ?? "")).text()).toBe("the invoice");
    expect(problems.splice(0)).toEqual([]);
  });

  test("shows buttons, lists and cards, and what was chosen in every tab and after a reload", async () => {
    const page = await visit();
    await openChat(page);
    for (const form of ["", "select", "card"]) await write(page, `/ask ${form}`);
    const coffee = page.getByRole("button", { name: "Coffee" });
    await page.getByRole("region", { name: "Two cups" }).waitFor();
    const second = watch(await page.context().newPage());
    await second.goto(website.address());
    await second.getByRole("button", { name: /Open chat/ }).click();
    await second.getByRole("button", { name: "Coffee" }).waitFor();
    expect(await page.getByRole("link", { name: "Menu" }).getAttribute("href")).toBe("https://example.com/menu");
    expect(await findViolations(page)).toEqual([]);
    await takeScreenshot(page, "widget-elements");
    await coffee.focus();
    await page.keyboard.press("Enter");
    await page.getByText("You said: Coffee").waitFor();
    expect(
      await page.evaluate("document.querySelector('[data-parley-widget]').shadowRoot.activeElement.textContent"),
    ).toBe("Coffee");
    await page.getByRole("combobox", { name: "Pick a size" }).selectOption({ label: "Large" });
    await page.getByRole("button", { name: "Choose" }).click();
    await page.getByText("You said: Large").waitFor();
    await second.getByText("Chosen: Large").waitFor();
    await second.reload();
    await second.getByRole("button", { name: /Open chat/ }).click();
    for (const one of [page, second]) {
      await one.getByText("Chosen: Coffee").waitFor();
      expect(await one.getByRole("button", { name: "Tea", exact: true }).getAttribute("aria-disabled")).toBe("true");
      expect(await one.getByText("Coffee", { exact: true }).count()).toBe(2);
    }
    expect(await findViolations(page)).toEqual([]);
    await takeScreenshot(page, "widget-elements-chosen");
    expect(problems.splice(0)).toEqual([]);
  });

  test("says in Chinese on a phone that something was already chosen", async () => {
    const page = await visit(PHONE, "zh");
    await openChat(page);
    await write(page, "/ask");
    const tea = page.getByRole("button", { name: "Tea", exact: true });
    await tea.waitFor();
    const elements: unknown = await page.evaluate("JSON.parse(Object.values(localStorage)[0]).visitor");
    using other = await openWidgetPage(service.parley.address, { channelId: "widget", visitor: String(elements) });
    const [asked] = other.history().flatMap((one) => ("elements" in one ? [one.elements] : []));
    const [{ id }] = asked as readonly [{ readonly id: string }];
    await page.context().setOffline(true);
    other.send({ type: "action", element_id: id, item_id: "coffee", temp_id: "p-1" });
    await other.answer("You said: Coffee");
    await page.context().setOffline(false);
    await page.getByText("已选择：Coffee").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await takeScreenshot(page, "widget-elements-phone");
    problems.length = 0;
  });

  test("says that a person has taken over", async () => {
    const page = await visit();
    await openChat(page);
    await write(page, "a person please");
    await page.getByText("You said: a person please").waitFor();
    const sessions = service.parley.host.get(Sessions);
    const { items } = await sessions.list({ channelId: "widget", limit: 1, offset: 0 });
    await service.api.post(`/api/sessions/${encodeURIComponent(items[0]?.id ?? "")}/take-over`, {});
    await page.getByText("You are talking to a person now.").waitFor();
  });

  test("asks for consent before anything is sent or stored", async () => {
    await configure({ require_consent: true, consent_text: "Read [our policy](https://shop.example/privacy)." });
    try {
      const page = watch(await (await openContext()).newPage());
      const requests: string[] = [];
      page.on("request", (request) => requests.push(new URL(request.url()).pathname));
      page.on("websocket", (socket) => requests.push(new URL(socket.url()).pathname));
      await page.goto(website.address());
      await openChat(page);
      await page.getByRole("link", { name: "our policy" }).waitFor();
      expect(requests).toEqual(["/", "/widget.js", "/api/widget/widget"]);
      expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([0, 0, ""]);
      expect(await page.getByRole("textbox").count()).toBe(0);
      await takeScreenshot(page, "widget-consent");
      await page.getByRole("button", { name: "Agree and start" }).click();
      await write(page, "hello");
      await page.getByText("You said: hello").waitFor();
      expect(requests.at(-1)).toBe("/api/widget/widget/socket");
      await page.reload();
      await openChat(page);
      await page.getByText("You said: hello").waitFor();
    } finally {
      await configure({ require_consent: false, consent_text: "" });
    }
  });

  test.each<[name: string, options: BrowserContextOptions, language: string]>([
    ["light", {}, "en"],
    ["dark", { colorScheme: "dark" }, "en"],
    ["zh", {}, "zh-CN"],
    ["phone-zh-dark", PHONE, "zh-CN"],
  ])("has no accessibility violation: %s", async (name, options, language) => {
    // The rules of the test are no script of the page.
    const page = await visit({ ...options, bypassCSP: true }, language);
    expect(await findViolations(page)).toEqual([]);
    await openChat(page);
    service.models.script.push({ kind: "text", text: ANSWER });
    await write(page, "Do you sell tea?");
    await page.locator("strong", { hasText: "Yes" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth > window.innerWidth")).toBe(false);
    await takeScreenshot(page, `widget-${name}`);
  });

  test("fills the screen of a phone", async () => {
    const page = await visit(PHONE, "zh-CN");
    await openChat(page);
    const box = await page.getByRole("dialog").boundingBox();
    expect(box).toEqual({ x: 0, y: 0, width: 390, height: 800 });
    await page.getByRole("button", { name: "关闭聊天" }).click();
    await page.getByRole("button", { name: "打开聊天" }).waitFor();
  });

  test("stays away from a page that may not show it", async () => {
    await configure({ allowed_origins: [] });
    try {
      const page = await visit();
      await expect.poll(() => problems.join("\n"), SHORT_TIMEOUT).toMatch(/403|cannot be shown|CORS/);
      expect(await page.locator("[data-parley-widget]").count()).toBe(0);
    } finally {
      problems.length = 0;
      await configure({ allowed_origins: [website.origin] });
    }
  });
});
