import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { type Console, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { runMessageAction } from "./message-actions.ts";

const desk = createFakeChannel("desk", "none");
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const LONG = Array.from({ length: 120 }, (_, at) => `Paragraph ${at}: ${"the tide comes and goes. ".repeat(4)}`);

/** Offset of the last reply's text from the upper edge of the conversation. */
const TOP = `(() => {
  const words = [...document.querySelectorAll("[role=log] [data-role=assistant] [data-words]")].at(-1);
  return Math.round(words.getBoundingClientRect().top - words.closest("[role=log]").getBoundingClientRect().top);
})()`;

describe.runIf(canBrowse)("writing and reading in a conversation", () => {
  let pages: Console;
  let models: ModelServer;
  let page: Page;

  beforeAll(async () => {
    [pages, models] = await Promise.all([startConsole({ plugins: [desk.plugin] }), startModelServer()]);
    for (const name of ["second", "first"]) {
      const model = { name, model: name, base_url: models.baseUrl, api_key: "sk-scripted" };
      const { id } = await pages.api.post<{ id: string }>("/api/ai-models", model);
      await pages.api.post(`/api/ai-models/${id}/apply`, {});
    }
    await pages.api.post("/api/channels", { id: "desk", name: "Front desk", type: "desk", transport: "bridge" });
  }, 60_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await models?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    models.script.length = 0;
  });
  afterEach(async () => {
    await pages.releasePage(page);
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const composer = () => page.getByTestId("composer");
  const messages = () => page.getByTestId("message");
  const focused = () => page.evaluate("document.activeElement?.dataset.testid");
  const sentTo = (id: string) => desk.sent.filter(({ conversation }) => conversation.id === id).map(({ text }) => text);
  const saysOutside = (id: string, name: string, text: string) =>
    desk.say(id, text, {
      sessionId: `desk:${id}`,
      conversation: { id, isGroup: false },
      sender: { id, name, isAdmin: false },
    });

  test("after a takeover a message typed at once reaches the person outside, without a request to the AI", async () => {
    await saysOutside("dora", "Dora", "hello");
    await expect.poll(() => sentTo("dora"), SHORT_TIMEOUT).toEqual(["You said: hello"]);
    page = await pages.visit("/sessions/desk%3Adora");
    await composer().waitFor();
    const asked = models.requests.length;
    await page.getByTestId("take-over").click();
    await page.getByTestId("taken-over").waitFor();
    await expect.poll(focused, SHORT_TIMEOUT).toBe("composer");
    expect(await page.getByTestId("mode").getAttribute("data-mode")).toBe("send");
    await page.keyboard.type("Hello, I am a person.");
    await page.keyboard.press("Enter");
    await expect.poll(() => sentTo("dora"), SHORT_TIMEOUT).toEqual(["You said: hello", "Hello, I am a person."]);
    expect(models.requests.length).toBe(asked);
    // After a reload the operator still answers, until the conversation is handed back to the AI.
    await page.reload();
    await page.getByTestId("mode").waitFor();
    expect(await page.getByTestId("mode").getAttribute("data-mode")).toBe("send");
    await page.getByTestId("hand-back").click();
    await expect.poll(() => page.getByTestId("mode").getAttribute("data-mode"), SHORT_TIMEOUT).toBe("ask");
  });

  test("the scroll position stays when a long streamed answer ends", async () => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "Tides" });
    page = await pages.visit(`/sessions/${id}`);
    const gate = createGate();
    models.script.push({ kind: "held", pieces: [LONG.join("\n\n"), "\n\nThe end."], gate });
    await composer().fill("Tell me all of it");
    await composer().press("Enter");
    gate.next();
    await page.getByTestId("streaming").getByText("Paragraph 119").waitFor({ timeout: 30_000 });
    const talk = page.getByRole("log");
    await talk.hover();
    await page.mouse.wheel(0, -4_000);
    const where = () => page.evaluate<number>(TOP);
    const isUp = () =>
      talk.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight > 2_000);
    await expect.poll(isUp, SHORT_TIMEOUT).toBe(true);
    const before = await where();
    gate.next();
    await messages().last().getByText("The end.").waitFor({ timeout: 30_000 });
    await page.getByTestId("streaming").waitFor({ state: "detached" });
    expect(Math.abs((await where()) - before)).toBeLessThan(4);
    expect(await isUp()).toBe(true);
  });

  test("the scroll position stays on a phone when the answer used a tool, whose steps move into it", async () => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "Clock" });
    page = await pages.visit(`/sessions/${id}`, { viewport: { width: 390, height: 800 } });
    const gate = createGate();
    models.script.push({ kind: "tool", name: "get_date_time", args: {}, text: "I look at the clock." });
    models.script.push({ kind: "held", pieces: [LONG.join("\n\n"), "\n\nThe end."], gate });
    await composer().fill("What time is the tide?");
    await composer().press("Enter");
    gate.next();
    await page.getByTestId("streaming").getByText("Paragraph 119").waitFor({ timeout: 30_000 });
    await page.getByRole("log").hover();
    await page.mouse.wheel(0, -4_000);
    const whereIsIt = () =>
      page.evaluate<number>(`(() => {
        const words = [...document.querySelectorAll("[role=log] p")].find((one) => one.textContent.startsWith("Paragraph 70:"));
        return Math.round(words.getBoundingClientRect().top);
      })()`);
    let before = Number.NaN;
    const isAtRest = async () => {
      const last = before;
      before = await whereIsIt();
      return before === last;
    };
    await expect.poll(isAtRest, { ...SHORT_TIMEOUT, interval: 200 }).toBe(true);
    gate.next();
    await messages().last().getByText("The end.").waitFor({ state: "attached", timeout: 30_000 });
    await page.getByTestId("streaming").waitFor({ state: "detached" });
    expect(Math.abs((await whereIsIt()) - before)).toBeLessThan(4);
  });

  test("typing continues after the first words of a new conversation without losing a letter", async () => {
    const count = async () => (await pages.api.get<{ total: number }>("/api/sessions")).total;
    const before = await count();
    page = await pages.visit("/sessions/new");
    await composer().waitFor();
    await page.evaluate("document.querySelector('[data-testid=composer]').dataset.same = 'yes'");
    // The service is slow to create the conversation.
    await page.route("**/api/sessions", async (route) => {
      if (route.request().method() === "POST") await new Promise((done) => setTimeout(done, 600));
      await route.continue();
    });
    await composer().click();
    await page.keyboard.type("First words");
    await page.keyboard.press("Enter");
    for (const letter of "and the second words") await page.keyboard.type(letter, { delay: 60 });
    await page.waitForURL(/sessions\/sess_/);
    await messages().last().getByText("You said: First words").waitFor();
    expect(await composer().inputValue()).toBe("and the second words");
    expect(await composer().getAttribute("data-same")).toBe("yes");
    await page.keyboard.press("Enter");
    await messages().last().getByText("You said: and the second words").waitFor();
    expect(await composer().inputValue()).toBe("");
    // The next new conversation starts with an empty composer.
    await page.goto(`${pages.parley.address}/#/sessions/new`);
    await page.getByTestId("start").waitFor();
    expect(await composer().inputValue()).toBe("");
    expect(await count()).toBe(before + 1);
  });

  test("a picture and a file are shown beside each other, each in its own size", async () => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "Files" });
    page = await pages.visit(`/sessions/${id}`);
    await page.getByTestId("file-input").setInputFiles([
      { name: "notes.csv", mimeType: "text/csv", buffer: Buffer.from("item,qty\nflour,27\n") },
      { name: "dot.png", mimeType: "image/png", buffer: PNG },
    ]);
    await composer().fill("What is this?");
    await expect.poll(() => page.getByTestId("send").isEnabled(), SHORT_TIMEOUT).toBe(true);
    await composer().press("Enter");
    const own = messages().first();
    const file = own.locator("a");
    const drawn = own.getByTestId("picture");
    await Promise.all([file.waitFor(), drawn.waitFor()]);
    const boxes = await Promise.all([file, drawn].map((one) => one.boundingBox()));
    const [first, second] = boxes.toSorted((a, b) => (a?.x ?? 0) - (b?.x ?? 0));
    if (!first || !second) throw new Error("they are not drawn");
    expect(second.x - (first.x + first.width)).toBeLessThan(24);
    expect((await file.boundingBox())?.height).toBeLessThan(60);
    await takeScreenshot(page, "attachments-beside");
  });

  test("Escape closes what is open, and returns the focus", async () => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "Keys" });
    await pages.api.post(`/api/sessions/${id}/chat`, { content: "hello" });
    page = await pages.visit(`/sessions/${id}`);
    await page.getByTestId("ask-several").click();
    await page.getByRole("checkbox").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("checkbox").first().waitFor({ state: "detached" });
    await expect.poll(focused, SHORT_TIMEOUT).toBe("ask-several");

    await messages().last().hover();
    await messages().last().getByTestId("message-menu").click();
    await page.getByTestId("message-menu-items").waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("message-menu-items").waitFor({ state: "detached" });
    await expect.poll(focused, SHORT_TIMEOUT).toBe("message-menu");

    await runMessageAction(messages().last(), "edit");
    await page.getByTestId("editor").press("Escape");
    await expect.poll(focused, SHORT_TIMEOUT).toBe("message");
  });
});
