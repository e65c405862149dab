import { randomUUID } from "node:crypto";
import { Files } from "@parley/core";
import { createGate, type ModelServer, startModelServer, startReplayServer } from "@parley/simulators";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { findViolations } from "./axe.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { runMessageAction } from "./message-actions.ts";

/** The dark variant differs in colours only, and is used for screenshots. */
const OTHERS = [
  ["phone", PHONE],
  ...(process.env.PICTURES ? [["dark", { colorScheme: "dark" }] as const] : []),
] as const;
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const RICH = [
  "First line\nsecond line, $E=mc^2$ and \\(a_1\\), but $5 and $10",
  "",
  "| Name | Price |\n|---|---|\n| a very long name of a thing that is sold | $1.20 |",
  "",
  "```ts\nconst answer: number = 42; // why\n```",
  "",
  "```mermaid\ngraph TD; A[Ask] --> B[Answer]\n```",
  "",
  "[bad](javascript:alert(1)) ![worse](data:image/svg+xml,x)",
].join("\n");

describe.runIf(canBrowse)("the chat in the console", () => {
  let pages: Console;
  let models: ModelServer;
  let page: Page;
  let scripted: string;
  const chat = async (name: string, ...messages: readonly string[]) => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name });
    for (const content of messages) await pages.api.post(`/api/sessions/${id}/chat`, { content });
    return id;
  };
  const answers = (...texts: readonly string[]) => {
    for (const text of texts) models.script.push({ kind: "text", text });
  };
  const bubbles = () => page.getByTestId("message").locator(".message_bubble");
  const reads = (...texts: readonly string[]) =>
    expect
      .poll(async () => (await bubbles().allTextContents()).map((text) => text.trim()), SHORT_TIMEOUT)
      .toEqual(texts);
  const composer = () => page.getByTestId("composer");
  const isDrawn = (image: Locator) =>
    expect
      .poll(() => image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth), SHORT_TIMEOUT)
      .toBe(1);

  beforeAll(async () => {
    [pages, models] = await Promise.all([startConsole(), startModelServer()]);
    const model = { name: "scripted", model: "scripted", base_url: models.baseUrl };
    scripted = (await pages.api.post<{ id: string }>("/api/ai-models", model)).id;
    await pages.api.post(`/api/ai-models/${scripted}/apply`, {});
  }, 60_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await models?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    models.script.length = 0;
    pages.problems.length = 0;
  });
  afterEach(() => pages.releasePage(page));

  test("branches and undoes: another question beside the first, the first again, and the variants of an answer", {
    timeout: 60_000,
  }, async () => {
    const id = await chat("Branches");
    page = await pages.visit(`/sessions/${id}`);
    answers("Paris", "Rome", "Roma", "It is the capital.", "Roma, I say.");
    await composer().fill("Capital of France?");
    await composer().press("Enter");
    await reads("Capital of France?", "Paris");
    await page.getByTestId("message").first().getByTestId("edit").click();
    await page.getByTestId("editor").fill("Capital of Italy?");
    await takeScreenshot(page, "chat-edit");
    await page.getByTestId("save-edit").click();
    await reads("Capital of Italy?", "Rome");
    await page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
    await reads("Capital of France?", "Paris");
    await page.getByTestId("variants").getByText("1 / 2").waitFor();
    await page.getByTestId("variant-next").click();
    await reads("Capital of Italy?", "Rome");
    await page.getByTestId("message").last().getByTestId("regenerate").click();
    await reads("Capital of Italy?", "Roma");
    await expect.poll(() => page.getByTestId("variants").count(), SHORT_TIMEOUT).toBe(2);
    await takeScreenshot(page, "chat-variants");
    await page.getByTestId("variants").last().getByTestId("variant-back").click();
    await reads("Capital of Italy?", "Rome");
    await runMessageAction(page.getByTestId("message").last(), "continue-reply");
    await reads("Capital of Italy?", "Rome", "It is the capital.");
    await runMessageAction(page.getByTestId("message").last(), "regenerate-with");
    await page.getByTestId("regenerate-with-model").getByText("scripted").click();
    await reads("Capital of Italy?", "Roma, I say.");
    expect(pages.problems).toEqual([]);
  });

  test("several models answer side by side, on a phone one below the other, and one of them is continued", {
    timeout: 60_000,
  }, async () => {
    const model = { name: "second", model: "second", base_url: models.baseUrl };
    const { id: second } = await pages.api.post<{ id: string }>("/api/ai-models", model);
    const away = { name: "away", model: "away", base_url: "http://127.0.0.1:9/v1", retry_count: 0 };
    const { id: third } = await pages.api.post<{ id: string }>("/api/ai-models", away);
    page = await pages.visit("/sessions/new");
    const gate = createGate();
    answers("I am the first.");
    models.script.push({ kind: "held", pieces: ["I am ", "the second."], gate });
    await page.getByTestId("ask-several").click();
    await page.getByRole("checkbox", { name: "scripted" }).click();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("checkbox", { name: "second" }).click();
    await page.getByRole("checkbox", { name: "away" }).click();
    expect(await page.getByTestId("asked-count").textContent()).toBe("3 models");
    await page.route("**/ask-models", (route) => route.abort());
    await composer().fill("Who are you?");
    await composer().press("Enter");
    // A message that could not be sent is not lost, even as the first one, and goes to the same models again.
    await page.getByTestId("pending").getByRole("button", { name: "Send again" }).waitFor();
    await page.unroute("**/ask-models");
    await page.getByTestId("pending").getByRole("button", { name: "Send again" }).click();
    const columns = page.getByTestId("comparison-answer");
    await columns.first().getByText("I am the first.").waitFor();
    gate.next();
    await columns.nth(1).getByText("I am", { exact: false }).waitFor();
    gate.next();
    await columns.nth(1).getByText("I am the second.").waitFor();
    await columns.nth(1).getByTestId("comparison-shown").waitFor();
    const silent = "The model did not answer: the connection failed";
    await columns.last().getByTestId("no-answer").getByText(silent).waitFor();
    expect(await page.getByText(silent).count()).toBe(1);
    await columns.first().getByTestId("explain").click();
    await page.getByRole("dialog").getByText("scripted").first().waitFor();
    await page.keyboard.press("Escape");
    await takeScreenshot(page, "chat-side-by-side");
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoOverflow(page, "chat-side-by-side-phone");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.reload();
    await columns.nth(1).getByTestId("comparison-shown").waitFor();
    await columns.last().getByTestId("no-answer").getByText(silent).waitFor();
    await columns.first().getByTestId("comparison-choose").click();
    await columns.first().getByTestId("comparison-shown").waitFor();
    await page.reload();
    await columns.first().getByTestId("comparison-shown").waitFor();
    answers("As I said.");
    await composer().fill("And?");
    await composer().press("Enter");
    await reads("Who are you?", "I am the first.", "And?", "As I said.");
    expect(await page.getByText(silent).count()).toBe(0);
    // Another question shows its own failures and none of the previous one.
    const next = await chat("Asked of several");
    const few = [second, third];
    models.script.push({ kind: "status", status: 404, message: "gone" });
    await pages.api.post(`/api/sessions/${next}/ask-models`, { content: "You two?", model_ids: few });
    await page.goto(`${pages.parley.address}/#/sessions/${next}`);
    const none = page.getByTestId("no-answer");
    await none.first().getByText("the provider does not have this model").waitFor();
    await none.last().getByText(silent).waitFor();
    answers("Now I do.");
    models.script.push({ kind: "status", status: 404, message: "gone" });
    await pages.api.post(`/api/sessions/${next}/ask-models`, { content: "And now?", model_ids: [second, scripted] });
    await columns.first().getByText("Now I do.").waitFor();
    await none.getByText("the provider does not have this model").waitFor();
    expect(await none.getByText(silent).count()).toBe(0);
    for (const id of [second, third]) await pages.api.send("DELETE", `/api/ai-models/${id}`);
    expect(pages.problems).toEqual([]);
  });

  test("a tap on a message shows its actions; the last message shows them always", async () => {
    const id = await chat("Touched", "one", "two");
    page = await pages.visit(`/sessions/${id}`, { ...PHONE, hasTouch: true, isMobile: true });
    const copyButton = (at: number) => page.getByTestId("message").nth(at).getByTestId("copy");
    await copyButton(3).waitFor();
    expect(await copyButton(0).isVisible()).toBe(false);
    await bubbles().first().tap();
    await copyButton(0).waitFor();
    expect(await copyButton(2).isVisible()).toBe(false);
    // The actions take one line, with the others in a menu.
    const last = page.getByTestId("message").last();
    await last.tap();
    expect(await last.locator(".message_actions").evaluate((row) => row.clientHeight)).toBeLessThan(40);
    await last.getByTestId("message-menu").tap();
    await page.getByTestId("message-menu-items").getByTestId("fork-here").waitFor();
    await expectNoOverflow(page, "chat-menu-phone");
    expect(await findViolations(page)).toEqual([]);
    await page.getByTestId("message-menu-items").getByTestId("quote").tap();
    await page.getByTestId("reply-draft").getByText("two").waitFor();
  });

  test("an edit in progress survives a reload, and is discarded on request", async () => {
    const id = await chat("Edited", "one");
    page = await pages.visit(`/sessions/${id}`);
    await page.getByTestId("message").first().getByTestId("edit").click();
    await page.getByTestId("editor").fill("half a thought");
    await page.reload();
    await page.getByTestId("message").first().getByTestId("edit").click();
    expect(await page.getByTestId("editor").inputValue()).toBe("half a thought");
    await page.getByTestId("editor").press("Escape");
    await page.getByTestId("message").first().getByTestId("edit").click();
    expect(await page.getByTestId("editor").inputValue()).toBe("one");
  });

  test("an edit does not overwrite another person's edit, unless confirmed", async () => {
    const id = await chat("Corrected");
    const { api } = pages;
    const path = `/api/sessions/${id}/messages`;
    const { message } = await api.post<{ message: { id: string } }>(path, { role: "assistant", content: "Pari" });
    page = await pages.visit(`/sessions/${id}`);
    await runMessageAction(page.getByTestId("message"), "edit");
    await page.getByTestId("editor").fill("Paris");
    await api.put(`${path}/${message.id}`, { content: "Paree" });
    await page.getByTestId("save-edit").click();
    await page.getByText("Your changes are still here.").waitFor();
    expect(await page.getByTestId("editor").inputValue()).toBe("Paris");
    await page.getByRole("button", { name: "Load the latest version" }).click();
    expect(await page.getByTestId("editor").inputValue()).toBe("Paree");
    await page.getByTestId("editor").fill("Paris!");
    await page.getByTestId("save-edit").click();
    await reads("Paris!");
  });

  test("a pasted megabyte becomes a file, and a shorter text stays and survives a reload", async () => {
    const id = await chat("Large");
    page = await pages.visit(`/sessions/${id}`);
    await composer().waitFor();
    const paste = (text: string) =>
      composer().evaluate((field, words) => {
        const { DataTransfer, ClipboardEvent } = globalThis as unknown as {
          readonly DataTransfer: new () => { setData(type: string, text: string): void };
          readonly ClipboardEvent: typeof CustomEvent;
        };
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", words);
        const given = { clipboardData, bubbles: true, cancelable: true };
        (field as unknown as EventTarget).dispatchEvent(new ClipboardEvent("paste", given));
      }, text);
    const ready = page.locator('[data-testid="picked-file"][data-state="ready"]');
    await paste("0123456789abcde\n".repeat(65_536));
    await ready.getByText("Pasted text.txt").waitFor();
    expect(await composer().inputValue()).toBe("");
    // A text that the service rejects stays in the composer, however long.
    const text = "0123456789abcdef".repeat(13_000);
    await page.route("**/api/upload", (route) => route.abort("connectionreset"));
    await paste(text);
    await page.getByTestId("rejected-files").waitFor();
    await page.unrouteAll();
    await page.getByTestId("attach-text").waitFor();
    await expect
      .poll(() => page.evaluate(`localStorage.getItem("parley.draft.admin/${id}")?.length`), SHORT_TIMEOUT)
      .toBeLessThan(20);
    await page.reload();
    await expect.poll(async () => (await composer().inputValue()).length, SHORT_TIMEOUT).toBe(text.length);
    await ready.getByText("Pasted text.txt").waitFor();
    await page.getByTestId("attach-text").press("Enter");
    await expect.poll(() => ready.count(), SHORT_TIMEOUT).toBe(2);
    expect(await composer().inputValue()).toBe("");
  });

  test("search finds words in all conversations or in one, and leads to their place", { timeout: 60_000 }, async () => {
    const messages = Array.from({ length: 700 }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      content: at === 3 ? "The lighthouse of the north" : `line ${at}`,
      timestamp: new Date(Date.UTC(2026, 0, at < 350 ? 1 : 5, 9, at % 350)).toISOString(),
    }));
    await pages.api.post("/api/sessions/import", { sessions: [{ name: "Long ago", messages }] });
    page = await pages.visit("/");
    await page.getByTestId("session-search").fill("LIGHTHOUSE");
    await page.getByTestId("found-message").getByText("lighthouse of the north").waitFor();
    await expectNoOverflow(page, "chat-search");
    await page.getByTestId("found-message").click();
    const found = page.locator('[data-found="true"]');
    await found.getByText("The lighthouse of the north").waitFor();
    await expect.poll(() => found.evaluate((one) => one.getBoundingClientRect().top), SHORT_TIMEOUT).toBeGreaterThan(0);
    await page.getByTestId("open-search-within").click();
    await page.getByTestId("search-within").fill("line 65");
    await found.getByText("line 659", { exact: true }).waitFor();
    await page.getByTestId("found-older").click();
    await found.getByText("line 658", { exact: true }).waitFor();
    await takeScreenshot(page, "chat-search-within");
    await page.getByTestId("search-within").press("Escape");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByTestId("to-beginning").click();
    await found.getByText("line 0", { exact: true }).waitFor();
    // A day without messages leads to the next day with some.
    await page.getByRole("button", { name: "More" }).click();
    await page.getByTestId("to-day").click();
    await page.getByRole("dialog").getByLabel("Day").fill("2026-01-03");
    await page.getByRole("dialog").getByRole("button", { name: "Show" }).click();
    await found.getByText("line 350", { exact: true }).waitFor();
    await page.getByTestId("day").getByText("January 5, 2026").waitFor();
    // The day is shown above, so a message shows only its time.
    expect(await found.locator("time").textContent()).toMatch(/^\d{1,2}:\d\d\s[AP]M$/);
    await expectNoOverflow(page, "chat-day");
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await bubbles().getByText("line 699", { exact: true }).waitFor();
  });

  test("a new conversation is created with its first message, and is named even if its answer was stopped", async () => {
    const total = async () => (await pages.api.get<{ total: number }>("/api/sessions")).total;
    page = await pages.visit("/");
    const before = await total();
    for (let at = 0; at < 4; at += 1) await page.getByTestId("new-session").click();
    await page.getByTestId("start").waitFor();
    expect(await total()).toBe(before);
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["Tides ", "rise"], gate });
    await composer().fill("Why do tides rise?");
    await composer().press("Enter");
    gate.next();
    await page.getByTestId("streaming").getByText("Tides").waitFor();
    expect(await page.locator(".message_caret").count()).toBe(1);
    await page.getByTestId("stop").click();
    await page.getByTestId("message").last().getByText("stopped").waitFor();
    expect(await page.evaluate("document.activeElement?.dataset.testid")).toBe("composer");
    await page.getByTestId("session-item").first().getByText("Why do tides rise?").waitFor();
    expect(await total()).toBe(before + 1);
    expect(await page.getByTestId("session-item").getByText("New session").count()).toBe(0);
    // The reasoning is visible until the reply starts.
    const later = createGate();
    models.script.push({ kind: "held", pieces: ["It pulls."], gate: later, thinking: "The moon, I suppose." });
    await composer().fill("And the moon?");
    await composer().press("Enter");
    await page.getByTestId("thinking-card").getByText("The moon, I suppose.").waitFor();
    await takeScreenshot(page, "chat-thinks");
    later.next();
    await bubbles().getByText("It pulls.").waitFor();
    await page.getByTestId("thinking-card").waitFor({ state: "detached" });
  });

  test("of 5,000 messages few are rendered, and typing is as fast as among ten", { timeout: 120_000 }, async () => {
    const messages = Array.from({ length: 5_000 }, (_, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      content: `Line **${at}** of a long conversation, with some words in it.`,
    }));
    await pages.api.post("/api/sessions/import", {
      sessions: [
        { name: "Huge", messages },
        { name: "Tiny", messages: messages.slice(0, 10) },
      ],
    });
    const { items } = await pages.api.get<{ items: readonly { id: string; name: string }[] }>("/api/sessions?limit=50");
    const keyMs = async (name: string) => {
      page = await pages.visit(`/sessions/${items.find((one) => one.name === name)?.id}`);
      await composer().waitFor();
      if (name === "Huge") {
        await page.getByRole("button", { name: "More" }).click();
        await page.getByTestId("to-beginning").click();
        await page.locator('[data-found="true"]').getByText("Line **0** of").waitFor();
        expect(Number(await page.evaluate("document.querySelectorAll('*').length"))).toBeLessThan(9_000);
      }
      await composer().focus();
      const times = await page.evaluate<number[]>(`(async () => {
        const times = [];
        for (let at = 0; at < 60; at += 1) {
          const from = performance.now();
          document.execCommand("insertText", false, "a");
          await Promise.resolve();
          document.body.offsetHeight;
          times.push(performance.now() - from);
          await new Promise((done) => requestAnimationFrame(done));
        }
        return times.sort((a, b) => a - b);
      })()`);
      await pages.releasePage(page);
      return times[30] ?? 0;
    };
    const [huge, tiny] = [await keyMs("Huge"), await keyMs("Tiny")];
    // A key may take one frame; on a busy machine three times as long as in a short list.
    expect(huge, `among ten: ${tiny} ms`).toBeLessThan(Math.max(16, 3 * tiny));
  });

  test("right-to-left text starts at the right, while it is typed and in the message", async () => {
    answers("مرحبا Parley\n\n- بند Parley\n\n> قول");
    const id = await chat("محادثة Parley", "مرحبا Parley");
    page = await pages.visit(`/sessions/${id}`);
    await bubbles().first().waitFor();
    const styleOf = (what: string, name: string) =>
      page.evaluate(`[...document.querySelectorAll('${what}')].map((one) => getComputedStyle(one).${name})`);
    expect(await styleOf("[data-testid=message] .message_bubble", "direction")).toEqual(["rtl", "rtl"]);
    expect(await styleOf(".message_bubble ul", "paddingLeft")).toEqual(["0px"]);
    expect(await styleOf(".message_bubble blockquote", "borderLeftStyle")).toEqual(["none"]);
    expect(await styleOf(".chat_bar h1", "direction")).toEqual(["rtl"]);
    const row = '[data-testid="session-item"][aria-current]';
    expect(await styleOf(`${row} p[title]`, "direction")).toEqual(["rtl"]);
    expect(await styleOf(`${row} .session-list_preview`, "direction")).toEqual(["rtl"]);
    await takeScreenshot(page, "chat-from-the-right");
    const phone = await pages.visit(`/sessions/${id}`, PHONE);
    await phone.getByTestId("message").last().waitFor();
    await expectNoOverflow(phone, "chat-from-the-right-phone");
    await pages.releasePage(phone);
    await page.getByTestId("message").first().getByTestId("edit").click();
    expect(await styleOf("[data-testid=editor]", "direction")).toEqual(["rtl"]);
    await page.getByTestId("editor").press("Escape");
    await composer().fill("مرحبا");
    await expect.poll(() => styleOf("[data-testid=composer]", "direction"), SHORT_TIMEOUT).toEqual(["rtl"]);
    await composer().fill("Parley");
    await expect.poll(() => styleOf("[data-testid=composer]", "direction"), SHORT_TIMEOUT).toEqual(["ltr"]);
  });

  test("messages are formatted: lines, tables, formulas, code, diagrams, and safe links", {
    timeout: 60_000,
  }, async () => {
    answers(RICH);
    const id = await chat("Rich", "Show me");
    page = await pages.visit(`/sessions/${id}`);
    const bubble = bubbles().last();
    await expect.poll(() => bubble.locator("math").count(), SHORT_TIMEOUT).toBe(2);
    await bubble.locator(".hljs-keyword").first().waitFor();
    await page.getByTestId("code-block").first().getByText("ts", { exact: true }).waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByTestId("copy-code").first().click();
    await page.getByTestId("copy-code").first().getByText("Copied").waitFor();
    expect(String(await page.evaluate("navigator.clipboard.readText()")).trim()).toBe(
      "const answer: number = 42; // why",
    );
    expect(await bubble.locator("br").count()).toBeGreaterThan(0);
    expect(await bubble.getByText("$5 and $10").count()).toBe(1);
    expect(await bubble.locator("a").count()).toBe(0);
    const drawing = page.frameLocator('[data-testid="diagram"]');
    await drawing.locator("svg").first().waitFor();
    expect(await drawing.locator("svg").first().textContent()).toContain("Answer");
    await expect
      .poll(() => page.getByTestId("diagram").evaluate((one) => one.clientHeight), SHORT_TIMEOUT)
      .not.toBe(120);
    expect(await page.getByTestId("diagram").getAttribute("sandbox")).toBe("allow-scripts");
    await expectNoOverflow(page, "chat-rich");
    for (const [name, options] of OTHERS) {
      const other = await pages.visit(`/sessions/${id}`, options);
      // Blocks outside the viewport are rendered when they come near.
      await other.locator(".hljs-keyword").first().waitFor({ state: "attached" });
      await other.getByTestId("diagram").scrollIntoViewIfNeeded();
      await other.frameLocator('[data-testid="diagram"]').locator("svg").first().waitFor();
      await expectNoOverflow(other, `chat-rich-${name}`);
      await other.goto(`${pages.parley.address}/#/sessions/new`);
      await other.getByTestId("start").waitFor();
      await expectNoOverflow(other, `chat-new-${name}`);
      await other.goto(`${pages.parley.address}/#/`);
      await other.getByTestId("session-item").first().waitFor();
      await expectNoOverflow(other, `chat-start-${name}`);
      await pages.releasePage(other);
    }
    expect(pages.problems).toEqual([]);
  });

  test("a diagram by a model is rendered in isolation, and an invalid one is reported", async () => {
    const away = "https://away.invalid";
    const hostile = [
      '%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%',
      "graph TD",
      `A["<img src='${away}/a.png' onerror='top.hurt = 1'><script>top.hurt = 2</script>Ask"] --> B[Answer]`,
      'click A "javascript:top.hurt = 3" "tip"',
      `click B href "${away}/b" "tip" _top`,
    ].join("\n");
    answers(`\`\`\`mermaid\n${hostile}\n\`\`\`\n\n\`\`\`mermaid\ngraph TD; A[[[\n\`\`\``);
    const id = await chat("Hostile diagram", "Draw.");
    page = await pages.visit(`/sessions/${id}`);
    const sent = new Map<string, string | undefined>();
    page.on("request", (request) => sent.set(request.url(), undefined));
    page.on("requestfailed", (request) => sent.set(request.url(), request.failure()?.errorText));
    const drawing = page.frameLocator('[data-testid="diagram"]');
    await page.getByText("This diagram cannot be drawn").waitFor();
    await drawing.locator("svg").getByText("Answer").first().waitFor();
    // A click on a diagram does not navigate, whether on a node or on its parts.
    for (const name of ["Ask", "Answer"]) {
      await drawing.locator("svg").getByText(name).first().dispatchEvent("click");
    }
    await drawing.locator("svg").getByText("Answer").first().waitFor();
    expect(await page.evaluate("[globalThis.hurt, localStorage.hurt].join()")).toBe(",");
    expect(page.url()).toContain(id);
    expect([...sent].filter(([url, why]) => url.startsWith(away) && why !== "csp")).toEqual([]);
    await takeScreenshot(page, "chat-hostile-diagram");
    pages.problems.length = 0;
  });

  test("own pictures in a reply are shown and enlarged, remote ones on request", {
    timeout: 60_000,
  }, async () => {
    await using server = await startReplayServer();
    const { url: own } = await pages.parley.host.get(Files).put(PNG, { name: "cat.png" });
    const data = `data:image/png;base64,${PNG.toString("base64")}`;
    const away = `${server.address}/dog.png`;
    const shown = [`![our cat](${own})`, `![a dot](${data})`, `![a dog in the snow](${away})`];
    answers([...shown, "![evil](data:image/svg+xml;base64,PHN2Zz4=)", "![no](/api/logout)"].join("\n\n"));
    const id = await chat("Pictures", "Show me");
    page = await pages.visit(`/sessions/${id}`);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.reload();
    const pictures = bubbles().last().getByRole("img");
    for (const name of ["our cat", "a dot"]) await isDrawn(pictures.and(page.getByRole("img", { name })));
    expect(await pictures.count()).toBe(2);
    await bubbles().last().getByText("evil").waitFor();
    await bubbles().last().getByText("our cat").or(pictures.first()).first().click();
    await page.getByTestId("lightbox").waitFor();
    await page.keyboard.press("Escape");
    const card = page.getByTestId("outside-picture");
    await card.getByText("a dog in the snow").waitFor();
    await card.getByText(`Picture from ${new URL(away).host}`).waitFor();
    expect(server.calls).toEqual([]);
    expect(asked.filter((url) => url.startsWith(server.address) || url.includes("logout"))).toEqual([]);
    await takeScreenshot(page, "chat-outside-picture");
    await page.getByTestId("show-picture").click();
    await card
      .getByRole("alert")
      .getByText(/connections to .* are not allowed/)
      .waitFor();
    await pages.api.put("/api/settings", { gateway: { allow_private_outbound: true } });
    server.answers.push({ body: "<html>" }, { body: PNG });
    await page.getByTestId("show-picture").click();
    await card.getByRole("alert").getByText("does not lead to a PNG").waitFor();
    for (const [name, options] of OTHERS) {
      const other = await pages.visit(`/sessions/${id}`, options);
      await other.getByTestId("show-picture").waitFor();
      await expectNoOverflow(other, `chat-outside-picture-${name}`);
      await pages.releasePage(other);
    }
    await page.getByTestId("show-picture").click();
    await isDrawn(page.getByRole("img", { name: "a dog in the snow" }));
    expect(asked.filter((url) => url.startsWith(server.address))).toEqual([]);
    await page.getByRole("img", { name: "a dog in the snow" }).click();
    await isDrawn(page.getByTestId("lightbox"));
    await takeScreenshot(page, "chat-outside-picture-shown");
    await page.keyboard.press("Escape");
    await pages.api.put("/api/settings", { gateway: { allow_private_outbound: false } });
    expect(pages.problems).toEqual([]);
  });

  test("a copy that the browser prevents is not reported as done", async () => {
    const id = await chat("Refused");
    page = await pages.visit(`/sessions/${id}`);
    answers("```js\nconst a = 1;\n```");
    await composer().fill("Show me");
    await composer().press("Enter");
    const copy = page.getByTestId("copy-code");
    await copy.waitFor();
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('Write permission denied'))");
    await copy.click();
    await page.getByTestId("toast").getByText("The browser does not allow copying").waitFor();
    expect(await copy.textContent()).not.toContain("Copied");
    const words = page.getByTestId("message").last();
    await words.hover();
    await words.getByTestId("copy").click();
    await expect.poll(() => page.getByTestId("toast").count(), SHORT_TIMEOUT).toBeGreaterThan(1);
    expect(pages.problems).toEqual([]);
  });

  test("an unanswered question has one plain explanation, and a failed regeneration keeps the old answer", {
    timeout: 60_000,
  }, async () => {
    const id = await chat("Broken off");
    page = await pages.visit(`/sessions/${id}`);
    models.script.push({ kind: "status", status: 400, message: "no" }, { kind: "cut", text: "Half of" });
    await composer().fill("first");
    await composer().press("Enter");
    await page.getByTestId("answer-again").waitFor();
    await composer().fill("second");
    await composer().press("Enter");
    await page.getByText("The answer breaks off here").waitFor();
    expect(await page.getByTestId("message").getByRole("alert").count()).toBe(2);
    // On the first message the action would answer the second one again.
    expect(await page.getByTestId("answer-again").count()).toBe(1);
    expect(await page.getByTestId("message").first().getByTestId("regenerate").count()).toBe(0);
    answers("Whole.");
    await page.getByTestId("answer-again").click();
    await reads("first", "second", "Whole.");
    expect(await page.getByTestId("message").getByRole("alert").count()).toBe(1);
    // The old answer stays, above the single notice that explains why there is no new one.
    const alerts = page.getByRole("alert");
    for (const word of ["bad key", "worse key"]) {
      models.script.push({ kind: "status", status: 401, message: word });
      await page.getByTestId("message").last().getByTestId("regenerate").click();
      await alerts.last().getByText("This could not be answered again: the provider rejected the API key").waitFor();
      await expect.poll(() => alerts.last().textContent(), SHORT_TIMEOUT).toContain(`auth · 401 · ${word}`);
      expect(await alerts.last().getByText(word).isVisible()).toBe(false);
      await reads("first", "second", "Whole.");
      expect(await alerts.count()).toBe(2);
      await page.reload();
      await reads("first", "second", "Whole.");
      expect(await alerts.count()).toBe(2);
      await alerts.last().getByText("Details").click();
      await alerts.last().getByText(`auth · 401 · ${word}`).waitFor();
    }
    await takeScreenshot(page, "chat-not-again");
    const other = await pages.visit(`/sessions/${id}`, PHONE);
    const notice = other.getByRole("alert").last();
    await notice.getByText("未能重新回答：服务商拒绝了密钥").waitFor();
    await notice.getByText("详情").click();
    await expectNoOverflow(other, "chat-not-again-phone");
    await pages.releasePage(other);
    answers("Whole again.", "Whole for good.");
    await page.getByTestId("answer-again").click();
    await reads("first", "second", "Whole again.");
    await page.getByTestId("message").last().getByTestId("regenerate").click();
    await reads("first", "second", "Whole for good.");
    expect(await alerts.count()).toBe(1);
    const variants = page.getByTestId("message").last().getByTestId("variants");
    await variants.getByText("4 / 4").waitFor();
    for (const text of ["Whole again.", "Whole."]) {
      await variants.getByTestId("variant-back").click();
      await reads("first", "second", text);
    }
  });

  test("messages that fail to load show an error with a retry button on the same line", async () => {
    const id = await chat("Not loaded", "here I am");
    page = await pages.visit("/");
    await page.route("**/api/sessions/*/messages?**", (route) => route.abort());
    await page.goto(`${pages.parley.address}/#/sessions/${id}`);
    const alert = page.getByRole("alert");
    const again = alert.getByRole("button", { name: "Try again" });
    await again.waitFor();
    const middleOf = async (what: Locator) => {
      const box = await what.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0) / 2;
    };
    expect(Math.abs((await middleOf(again)) - (await middleOf(alert.locator(".common_failure > span"))))).toBeLessThan(
      6,
    );
    await takeScreenshot(page, "chat-not-loaded");
    await page.unrouteAll();
    await again.click();
    await bubbles().getByText("here I am", { exact: true }).waitFor();
    await alert.waitFor({ state: "detached" });
  });

  test("a slash opens the list of commands, which supports arrows, Enter and Escape", async () => {
    const id = await chat("Slash");
    page = await pages.visit(`/sessions/${id}`);
    await composer().pressSequentially("/he");
    await page.getByTestId("slash-choice").first().waitFor();
    await takeScreenshot(page, "chat-slash");
    await composer().press("Enter");
    expect(await composer().inputValue()).toBe("/help ");
    await composer().press("Enter");
    await expect.poll(async () => (await bubbles().last().textContent())?.includes("\n"), SHORT_TIMEOUT).toBe(true);
    await composer().pressSequentially("/");
    await page.getByTestId("slash-menu").waitFor();
    expect(await page.getByTestId("slash-menu").evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false);
    await composer().press("Escape");
    await page.getByTestId("slash-menu").waitFor({ state: "detached" });
    expect(await composer().inputValue()).toBe("/");
    await composer().fill("/nosuch thing");
    await page.getByTestId("slash-unknown").getByText("There is no command /nosuch").waitFor();
    for (const known of ["/help me", "/usr/bin is a path"]) {
      await composer().fill(known);
      await page.getByTestId("slash-unknown").waitFor({ state: "detached" });
    }
  });

  test("a slash inserts a saved prompt, which asks for its variables, and a skill", {
    timeout: 60_000,
  }, async () => {
    const content = "Sum up {{topic}} in a {{tone: formal | casual}} tone, {{topic}} alone:\n{{clipboard}}";
    await pages.api.post("/api/prompts", { name: "Sum up for friends", content });
    await pages.api.post("/api/skills", { name: "tea-making", description: "How tea is made.", skill_md: "# Tea" });
    const id = await chat("Prompts");
    page = await pages.visit(`/sessions/${id}`);
    // As on a page without TLS.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await composer().pressSequentially("/for fr");
    await page.locator('[data-testid="slash-choice"][data-kind="prompt"]').waitFor();
    await composer().press("Enter");
    await page.getByTestId("variable-topic").fill("{{tone}} tea");
    await page.getByTestId("variable-tone").selectOption("casual");
    await page.getByTestId("variable-clipboard").fill("Three minutes.");
    await takeScreenshot(page, "chat-prompt");
    await page.getByTestId("variable-clipboard").press("Enter");
    const prompt = "Sum up {{tone}} tea in a casual tone, {{tone}} tea alone:\nThree minutes.";
    await expect.poll(() => composer().inputValue(), SHORT_TIMEOUT).toBe(prompt);
    await composer().fill("/tea");
    await page.locator('[data-testid="slash-choice"][data-kind="skill"]').click();
    expect(await composer().inputValue()).toBe("Use the skill “tea-making”: ");
    await composer().fill("/");
    await page.getByTestId("all-prompts").click();
    await page.getByTestId("new-record").click();
    await page.locator('[data-field="name"]').fill("Greet");
    expect(await page.locator('[data-field="id"]').count()).toBe(0);
    await page.locator('[data-field="content"]').fill("Hello.");
    await takeScreenshot(page, "prompts-new");
    await page.getByTestId("save-record").click();
    await page.getByRole("link", { name: "Greet" }).waitFor();
    await takeScreenshot(page, "prompts");
    expect(pages.problems).toEqual([]);
  });

  test("a temporary conversation is marked as such, is in no list, can be saved, and is deleted when it is left", {
    timeout: 60_000,
  }, async () => {
    const begin = async (words: string) => {
      answers("Nobody will know.");
      await page.getByTestId("new-session").click();
      await page.getByTestId("temporary").click();
      await page.getByTestId("temporary-hint").waitFor();
      await composer().fill(words);
      await composer().press("Enter");
      await reads(words, "Nobody will know.");
      return /sess_\w+/.exec(page.url())?.[0] ?? "";
    };
    const isThere = async (id: string) => (await pages.api.send("GET", `/api/sessions/${id}`)).status;
    page = await pages.visit("/");
    const session = await begin("keep me");
    await expectNoOverflow(page, "chat-temporary");
    expect(await page.locator("nav").getByText("keep me").count()).toBe(0);
    await page.getByTestId("keep-session").click();
    await page.getByTestId("temporary-bar").waitFor({ state: "detached" });
    await page.locator(`nav a[href$="${session}"]`).waitFor();

    const left = await begin("forget me");
    await page.locator(`nav a[href$="${session}"]`).click();
    await page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
    await reads("forget me", "Nobody will know.");
    await page.goto("about:blank");
    await expect.poll(() => isThere(left), SHORT_TIMEOUT).toBe(404);
    expect(await isThere(session)).toBe(200);
    page = await pages.visit("/");
    expect(pages.problems).toEqual([]);
  });

  test("several conversations are pinned, tagged and archived at once, which can be undone", {
    timeout: 60_000,
  }, async () => {
    // A unique word, so that the messages of an earlier attempt are not found.
    const mark = randomUUID().slice(0, 8);
    const names = [`Bulk ${mark} one`, `Bulk ${mark} two`];
    const tag = `shop ${mark}`;
    const tagFilter = () => page.getByTestId("tag-filter").filter({ hasText: tag });
    for (const name of names) await chat(name);
    page = await pages.visit("/");
    await page.getByTestId("session-search").fill(mark);
    await expect.poll(() => page.getByTestId("session-item").count(), SHORT_TIMEOUT).toBe(2);
    const choose = async () => {
      await page.getByTestId("select-several").click();
      for (const name of names) await page.getByRole("checkbox", { name }).check();
    };
    await choose();
    await takeScreenshot(page, "chat-bulk");
    await page.getByTestId("bulk-tag").click();
    await page.getByTestId("bulk-tag-name").fill(tag);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await tagFilter().waitFor();
    await page.getByTestId("session-search").fill("");
    await tagFilter().click();
    await expect.poll(() => page.getByTestId("session-item").count(), SHORT_TIMEOUT).toBe(2);
    await choose();
    await page.getByTestId("bulk-archive").click();
    await expect.poll(() => page.getByTestId("session-item").count(), SHORT_TIMEOUT).toBe(0);
    await page.getByTestId("toast").last().getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => page.getByTestId("session-item").count(), SHORT_TIMEOUT).toBe(2);
  });

  test("a reply to a message shows and links that message, and the model reads it", async () => {
    answers("A fjord is a drowned valley.", "Very.");
    page = await pages.visit(`/sessions/${await chat("Replies", "What is a fjord?")}`);
    await runMessageAction(page.getByTestId("message").first(), "quote");
    await composer().press("Escape");
    await page.getByTestId("reply-draft").waitFor({ state: "detached" });
    await runMessageAction(page.getByTestId("message").last(), "quote");
    await page.getByTestId("reply-draft").getByText("Replying to: A fjord is a drowned valley.").waitFor();
    await composer().fill("How deep?");
    await composer().press("Enter");
    await reads("What is a fjord?", "A fjord is a drowned valley.", "How deep?", "Very.");
    expect(JSON.stringify(models.requests.at(-1)?.body.messages)).toContain("drowned valley.\\n\\nHow deep?");
    await page.getByTestId("reply-draft").waitFor({ state: "detached" });
    await takeScreenshot(page, "chat-replied");
    await page.getByTestId("replied-to").getByText("A fjord is a drowned valley.").click();
    await page.locator('[data-testid="message"][data-found="true"]').getByText("drowned").waitFor();
    expect(pages.problems).toEqual([]);
  });

  test("a page that a model wrote is shown in an isolated frame", { timeout: 60_000 }, async () => {
    const away = "https://away.invalid";
    const hostile = [
      `<!doctype html><title>T</title><meta http-equiv="refresh" content="0;url=${away}/refresh">`,
      `<link rel="preconnect" href="${away}"><link rel="stylesheet" href="${away}/a.css"><base href="${away}/">`,
      `<style>@import "${away}/b.css"; h1 { color: rgb(1, 2, 3); background: url(${away}/c.png) }</style>`,
      `<h1 onclick="top.hurt = 1">Tide table</h1><img src="${away}/d.png" onerror="top.location = '${away}/e'">`,
      `<svg width="20" height="20"><image href="${away}/f.png" width="9" height="9"/><script>top.hurt = 2</script></svg>`,
      `<iframe src="${away}/g"></iframe><object data="${away}/h"></object><video src="${away}/i" autoplay></video>`,
      `<a id="top" target="_top" href="${away}/j">top</a><a id="self" href="${away}/k">self</a>`,
      `<form action="${away}/l"><button id="go">go</button></form><a id="js" href="javascript:top.hurt=3">js</a>`,
      "<script>localStorage.hurt = 4; parent.hurt = 5; for (;;) {}</script>",
    ].join("\n");
    answers(`Here:\n\n\`\`\`html\n${hostile}\n\`\`\`\n\n\`\`\`svg\n<svg><circle r="9"/></svg>\n\`\`\``);
    const id = await chat("Hostile", "Write a page.");
    page = await pages.visit(`/sessions/${id}`);
    // Blocked requests are reported too; one that is sent would fail, since the host does not exist.
    const sent = new Map<string, string | undefined>();
    page.on("request", (request) => sent.set(request.url(), undefined));
    page.on("requestfailed", (request) => sent.set(request.url(), request.failure()?.errorText));
    await page.getByTestId("preview").first().click();
    const frame = page.frameLocator('[data-testid="preview-frame"]');
    const title = frame.getByRole("heading", { name: "Tide table" });
    await title.waitFor();
    const colour = await title.evaluate(
      (one) =>
        (globalThis as unknown as { getComputedStyle(one: unknown): { color: string } }).getComputedStyle(one).color,
    );
    expect(colour).toBe("rgb(1, 2, 3)");
    await takeScreenshot(page, "chat-preview");
    for (const one of [
      title,
      frame.locator("#js"),
      frame.locator("#go"),
      frame.locator("#top"),
      frame.locator("#self"),
    ]) {
      await one.click();
    }
    expect(await page.evaluate("[globalThis.hurt, localStorage.hurt].join()")).toBe(",");
    expect(page.url()).toContain(id);
    const reasons = () => [...sent].filter(([url, why]) => url.startsWith(away) && why !== "csp");
    await expect.poll(reasons, SHORT_TIMEOUT).toEqual([]);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByTestId("save-page").click()]);
    expect(file.suggestedFilename()).toBe("page.html");
    await page.getByTestId("enlarge-page").click();
    await frame.getByText("Tide table").waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("preview").first().click();
    await page.getByTestId("page-preview").waitFor({ state: "detached" });
    await page.getByTestId("preview").last().click();
    await frame.locator("circle").waitFor({ state: "attached" });
    pages.problems.length = 0;
  });

  test("saved and rated messages are found again, and a deletion can be undone for a while", {
    timeout: 60_000,
  }, async () => {
    answers("A fjord is a drowned valley.");
    const id = await chat("Geography", "What is a fjord?");
    page = await pages.visit(`/sessions/${id}`);
    const message = (text: string) => page.getByTestId("message").filter({ hasText: text });
    await message("drowned").waitFor();
    await runMessageAction(message("drowned"), "star-message");
    await message("drowned").getByTestId("rate-bad").click();
    await message("drowned").getByText("bad answer").waitFor();
    await message("drowned").getByTestId("message-menu").click();
    await page.getByTestId("star-message").getByText("Remove the star").waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${pages.parley.address}/#/`);
    await page.getByTestId("starred-messages").click();
    for (const part of ["Starred", "Bad answer"]) {
      await page.getByRole("dialog").getByText(part, { exact: true }).click();
      await page.getByTestId("starred-message").getByText("drowned valley").waitFor();
      await takeScreenshot(page, `chat-${part}`);
    }
    await page.getByTestId("starred-message").click();
    await page.locator(`[data-testid="message"][data-found="true"]`).getByText("drowned").waitFor();
    // A message: restored once, then deleted for good with the next message.
    const stored = async () => (await pages.api.get<{ total: number }>(`/api/sessions/${id}/messages`)).total;
    const undo = page.getByTestId("toast").getByText("Undo");
    await runMessageAction(message("drowned"), "delete");
    await message("drowned").waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement !== document.body")).toBe(true);
    expect(await stored()).toBe(2);
    await undo.click();
    await message("drowned").waitFor();
    await runMessageAction(message("drowned"), "delete");
    answers("Yes.");
    await composer().fill("Are you there?");
    await composer().press("Enter");
    await message("Yes.").waitFor();
    const asked = JSON.stringify(models.requests.at(-1)?.body.messages);
    expect(asked).toContain("Are you there?");
    expect(asked).not.toContain("drowned");
    // The whole conversation.
    const remove = async () => {
      await page.getByRole("button", { name: "Delete", exact: true }).last().click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByTestId("start").waitFor();
    };
    const rows = page.getByTestId("session-item").filter({ hasText: "Geography" });
    await remove();
    expect(await rows.count()).toBe(0);
    await undo.last().click();
    await message("Are you there?").waitFor();
    await remove();
    // Closing the toast means that the deletion is not undone.
    await page.getByTestId("toast").last().getByRole("button", { name: "Close" }).click();
    await expect.poll(async () => (await pages.api.send("GET", `/api/sessions/${id}`)).status, SHORT_TIMEOUT).toBe(404);
    expect(pages.problems).toEqual([]);
  });

  test("a deletion that was not undone is carried out when the page is left", async () => {
    const id = await chat("Left behind", "hello");
    page = await pages.visit(`/sessions/${id}`);
    await runMessageAction(page.getByTestId("message").first(), "delete");
    await page.getByTestId("toast").waitFor();
    await page.reload();
    await expect
      .poll(async () => (await pages.api.get<{ total: number }>(`/api/sessions/${id}/messages`)).total, SHORT_TIMEOUT)
      .toBe(1);
  });

  test("conversations are moved into folders, alone and several at once, and a draft is marked", {
    timeout: 60_000,
  }, async () => {
    for (const name of ["Kyoto", "Rome", "Taxes"]) await chat(name);
    page = await pages.visit("/");
    const row = (name: string) => page.getByTestId("session-item").filter({ hasText: name });
    const inFolder = async (...names: readonly string[]) => {
      for (const name of names) await row(name).waitFor();
      await row("Taxes").waitFor({ state: "detached" });
    };
    await row("Kyoto").click();
    await page.getByRole("heading", { name: "Kyoto" }).waitFor();
    await composer().fill("shall we go in spring?");
    await page.getByRole("button", { name: "More" }).last().click();
    await page.getByTestId("to-folder").click();
    await page.getByTestId("to-folder-name").fill("Travel");
    await page.getByTestId("to-folder-save").click();
    await page.getByTestId("folder-filter").waitFor();
    await page.getByTestId("select-several").click();
    await row("Rome").getByRole("checkbox").click();
    await page.getByTestId("bulk-folder").click();
    await page.getByTestId("folder-choice").getByText("Travel").click();
    await page.getByTestId("to-folder-save").click();
    await page.getByTestId("bulk-bar").waitFor({ state: "detached" });
    await page.getByTestId("folder-filter").selectOption("Travel");
    await inFolder("Kyoto", "Rome");
    await row("Rome").click();
    await row("Kyoto").getByTestId("draft-mark").waitFor();
    await takeScreenshot(page, "chat-folder");
    await page.getByTestId("edit-folder").click();
    await page.getByTestId("folder-name").fill("Journeys");
    await page.getByTestId("folder-name").press("Enter");
    await expect.poll(() => page.getByTestId("folder-filter").inputValue(), SHORT_TIMEOUT).toBe("Journeys");
    await inFolder("Kyoto", "Rome");
    await page.getByTestId("edit-folder").click();
    await page.getByTestId("remove-folder").click();
    await row("Taxes").waitFor();
    await page.getByTestId("folder-filter").waitFor({ state: "detached" });
  });

  test("keyboard shortcuts are listed on every page, also while typing, and for mouse users", async () => {
    page = await pages.visit("/");
    const help = page.getByTestId("keyboard-help");
    const opens = async (open: () => Promise<void>) => {
      await open();
      await help.waitFor();
      await page.keyboard.press("Escape");
      await help.waitFor({ state: "detached" });
    };
    await composer().fill("what?");
    await composer().press("?");
    expect(await composer().inputValue()).toBe("what??");
    await opens(() => page.keyboard.press("Control+/"));
    await composer().fill("");
    await page.goto(`${pages.parley.address}/#/channels`);
    await page.getByRole("heading", { name: "Channels", level: 1 }).waitFor();
    await opens(() => page.keyboard.press("Shift+?"));
    await page.getByTestId("account").click();
    await opens(() => page.getByTestId("show-keys").click());
  });

  test("a reply that arrives on another page is marked until it is viewed", async () => {
    const id = await chat("Unread", "one");
    page = await pages.visit(`/sessions/${id}`);
    await bubbles().last().waitFor();
    const other = await chat("Elsewhere");
    await page.goto(`${pages.parley.address}/#/sessions/${other}`);
    await page.getByRole("heading", { name: "Elsewhere" }).waitFor();
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["news"], gate });
    const sending = pages.api.post(`/api/sessions/${id}/chat`, { content: "two" });
    gate.next();
    await sending;
    const row = page.getByTestId("session-item").filter({ hasText: "Unread" });
    await row.getByTestId("unread").waitFor();
    await row.click();
    await bubbles().getByText("news").waitFor();
    await row.getByTestId("unread").waitFor({ state: "detached" });
  });

  test("the last of 620 conversations can be reached, and no page of them is fetched twice", {
    timeout: 60_000,
  }, async () => {
    const names = Array.from({ length: 620 }, (_, at) => `Heap ${at}`);
    for (const some of [names.slice(0, 310), names.slice(310)]) {
      const sessions = some.map((name) => ({ name, messages: [{ role: "user", content: "kept" }] }));
      await pages.api.post("/api/sessions/import", { sessions });
    }
    page = await pages.visit("/");
    await page.getByTestId("session-search").fill("Heap");
    const shown = () => page.getByTestId("session-item").locator("p[title]").allTextContents();
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/api/sessions?") && asked.push(request.url()));
    await expect.poll(async () => (await shown()).every((name) => name.startsWith("Heap")), SHORT_TIMEOUT).toBe(true);
    const seen = new Set<string>();
    const scrolled = async () => {
      for (const name of await shown()) seen.add(name);
      await page.locator("nav.session-list_items").evaluate((items) => items.scrollBy({ top: 500 }));
      return seen.size;
    };
    await expect.poll(scrolled, { timeout: 40_000, interval: 20 }).toBe(620);
    const pagesAsked = asked.filter((url) => url.includes("cursor="));
    expect(pagesAsked.length).toBeGreaterThan(5);
    expect(new Set(pagesAsked).size).toBe(pagesAsked.length);
  });
});
