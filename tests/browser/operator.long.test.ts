import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { openExplanation } from "./message-actions.ts";

const desk = createFakeChannel("desk", "none");

describe.runIf(canBrowse)("an operator in the console", () => {
  let pages: Console;
  let models: ModelServer;
  let page: Page;

  beforeAll(async () => {
    [pages, models] = await Promise.all([startConsole({ plugins: [desk.plugin] }), startModelServer()]);
    const model = { name: "m", model: "m", base_url: models.baseUrl, api_key: "sk-scripted" };
    const { id } = await pages.api.post<{ id: string }>("/api/ai-models", model);
    await pages.api.post(`/api/ai-models/${id}/apply`, {});
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
  const pending = () => page.getByTestId("pending");
  const say = async (text: string) => {
    await composer().fill(text);
    await composer().press("Enter");
  };
  const shows = (text: string) =>
    messages().locator(".message_bubble").getByText(text, { exact: true }).first().waitFor();
  const newTalk = async () => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "A talk" });
    page = await pages.visit(`/sessions/${id}`);
    await composer().waitFor();
  };
  const hasFocus = () => page.evaluate("document.activeElement?.dataset.testid");

  test("sees the person outside, asks the AI privately, and sends only when that is chosen", async () => {
    const berta = { sessionId: "desk:berta", conversation: { id: "berta", isGroup: false } };
    await desk.say("berta", "hello from outside", { ...berta, sender: { id: "berta", name: "Berta", isAdmin: false } });
    const sent = () => desk.sent.map(({ text }) => text);
    await expect.poll(sent, SHORT_TIMEOUT).toEqual(["You said: hello from outside"]);

    page = await pages.visit("/");
    const row = page.getByTestId("session-item").filter({ hasText: "Berta" });
    await row.getByTestId("channel-badge").getByText("Front desk").waitFor();
    await row.click();
    const place = page.getByTestId("channel-target");
    await place.getByText("Front desk").waitFor();
    expect(await place.textContent()).toContain("private · berta");
    const theirs = messages().first();
    await theirs.getByText("Berta").waitFor();
    expect(await theirs.getAttribute("data-from")).toBe("outside");

    await messages().last().hover();
    await messages().last().getByTestId("regenerate").click();
    await takeScreenshot(page, "operator-again");
    expect(await hasFocus()).toBe("answer-here");
    models.script.push({ kind: "text", text: "Good day, Berta." });
    await page.getByTestId("answer-and-send").click();
    await expect.poll(sent, SHORT_TIMEOUT).toEqual(["You said: hello from outside", "Good day, Berta."]);

    await page.getByText("Nothing is sent. Neither your question nor the answer reaches Berta.").waitFor();
    await say("is she angry?");
    await shows("You said: is she angry?");
    await messages().last().getByTestId("regenerate").click();
    await expect.poll(() => models.requests.length, SHORT_TIMEOUT).toBe(4);
    await shows("You said: is she angry?");
    expect(await messages().getByText("only here, not sent").count()).toBe(2);
    expect(await messages().nth(2).getAttribute("data-from")).toBeNull();
    await takeScreenshot(page, "operator-ask");

    await page.getByText("Send as the bot", { exact: true }).click();
    await page.getByText("Goes to Berta on Front desk. The AI does not answer.").waitFor();
    await composer().fill("A person takes over.");
    await takeScreenshot(page, "operator-send");
    await page.getByRole("button", { name: "Send to Berta" }).click();
    await messages().getByText("sent as the bot").waitFor();
    await expect
      .poll(sent, SHORT_TIMEOUT)
      .toEqual(["You said: hello from outside", "Good day, Berta.", "A person takes over."]);
    expect(await composer().inputValue()).toBe("");

    // A message of an operator cannot be regenerated.
    expect(await messages().last().getByTestId("regenerate").count()).toBe(0);
    await page.reload();
    await page.getByTestId("mode").waitFor();
    expect(await page.getByTestId("mode").getAttribute("data-mode")).toBe("ask");
  });

  test("sees a person on a channel without a name, whose messages are not shown as the operator's", async () => {
    const quiet = { sessionId: "desk:quiet", conversation: { id: "quiet", isGroup: false } };
    await desk.say("quiet", "who am I", { ...quiet, sender: { id: "quiet", name: "", isAdmin: false } });
    await expect.poll(() => desk.sent.map(({ text }) => text), SHORT_TIMEOUT).toContain("You said: who am I");
    page = await pages.visit("/");
    await page.getByTestId("session-item").filter({ hasText: "who am I" }).click();
    await shows("who am I");
    expect(await messages().first().locator(".text_meta").textContent()).toMatch(/^Someone/);
  });

  test("takes over a conversation, answers in it, adds a note, and hands it back", async () => {
    const carl = { sessionId: "desk:carl", conversation: { id: "carl", isGroup: false } };
    const says = (text: string) =>
      desk.say("carl", text, { ...carl, sender: { id: "carl", name: "Carl", isAdmin: false } });
    const sent = () => desk.sent.filter(({ conversation }) => conversation.id === "carl").map(({ text }) => text);
    await says("hello");
    await expect.poll(sent, SHORT_TIMEOUT).toEqual(["You said: hello"]);

    page = await pages.visit("/");
    await page.getByTestId("channel-filter").selectOption({ label: "Front desk" });
    await page.getByTestId("session-item").filter({ hasText: "A talk" }).first().waitFor({ state: "detached" });
    await page.getByTestId("session-item").filter({ hasText: "Carl" }).click();
    await page.getByTestId("take-over").click();
    await page.getByTestId("taken-over").getByText("taken over by admin").waitFor();
    await page.getByTestId("session-item").filter({ hasText: "Carl" }).getByText("taken over").waitFor();

    await says("is a person there?");
    await shows("is a person there?");
    await page.getByText("Send as the bot", { exact: true }).click();
    await say("Yes, this is Ann.");
    await expect.poll(sent, SHORT_TIMEOUT).toEqual(["You said: hello", "Yes, this is Ann."]);

    await page.getByText("Note", { exact: true }).click();
    await page.getByText("It is not sent to anyone, and the AI does not answer.").waitFor();
    await say("promised a call tomorrow");
    const note = messages().filter({ hasText: "promised a call tomorrow" });
    await note.getByText("note · only here, not sent").waitFor();
    await takeScreenshot(page, "operator-taken-over");

    await page.getByTestId("hand-back").click();
    await page.getByTestId("take-over").waitFor();
    await says("thank you");
    await expect.poll(sent, SHORT_TIMEOUT).toEqual(["You said: hello", "Yes, this is Ann.", "You said: thank you"]);
    expect(JSON.stringify(models.requests.at(-1)?.body.messages)).not.toContain("promised a call");

    // The outcome of a message, and the explanation of its answer.
    const theirs = messages().filter({ hasText: "is a person there?" });
    await openExplanation(theirs);
    await page.getByTestId("to-trace").click();
    await page.getByTestId("trace-text").getByText("is a person there?").waitFor();
    await page.getByTestId("trace-step").getByText("admin answers in this conversation, not the AI").waitFor();
    await takeScreenshot(page, "operator-trace");
    await page.getByTestId("to-conversation").click();
    const answer = messages().last();
    await openExplanation(answer);
    const explained = page.getByTestId("explained");
    await explained.getByTestId("layer").getByText("Rules of the service").waitFor();
    await explained.getByText(/m answered in [\d.,]+ (ms|sec)/).waitFor();
    await explained.getByText("delivered").waitFor();
    await takeScreenshot(page, "explained");
  });

  test("sends one text to many after a preview of the recipients, and sees the results", async () => {
    const text = "We are closed on Friday.";
    page = await pages.visit("/broadcasts");
    await page.getByTestId("add-broadcast").click();
    await page.getByTestId("broadcast-text").fill(text);
    await page.getByText("Select channels or conversations.").waitFor();
    expect(await page.getByTestId("send-broadcast").isDisabled()).toBe(true);
    await page.getByTestId("broadcast-channels").click();
    await page.getByRole("option", { name: "Front desk" }).click();
    await page.getByTestId("broadcast-preview").getByText("Reaches 3 conversations").waitFor();
    await page.getByTestId("broadcast-text").focus();
    await page.getByText("Filters").click();
    await takeScreenshot(page, "broadcast-form");
    await page.getByTestId("send-broadcast").click();
    const sure = page.getByRole("dialog", { name: "Send to 3 conversations" });
    await sure.getByText(text).waitFor();
    expect(desk.sent.filter((one) => one.text === text)).toEqual([]);
    await sure.getByRole("button", { name: "Send to 3 conversations" }).click();
    const row = page.getByTestId("broadcast-row").filter({ hasText: text });
    await row.getByTestId("broadcast-state").getByText("done").waitFor();
    await row.getByText("3 of 3").waitFor();
    expect(desk.sent.filter((one) => one.text === text)).toHaveLength(3);
    await takeScreenshot(page, "broadcasts");
    await row.getByRole("button", { name: "Recipients" }).click();
    const delivered = page.getByTestId("recipient-row").filter({ hasText: "delivered" });
    await expect.poll(() => delivered.count(), SHORT_TIMEOUT).toBe(3);
    await takeScreenshot(page, "broadcast-recipients");
    const small = await pages.visit("/broadcasts", PHONE);
    await small.getByTestId("broadcast-row").filter({ hasText: text }).waitFor();
    await expectNoOverflow(small, "broadcasts-phone");
    await small.getByTestId("add-broadcast").click();
    await small.getByTestId("broadcast-channels").waitFor();
    await expectNoOverflow(small, "broadcast-form-phone");
    await pages.releasePage(small);
    await page.goto(`${pages.parley.address}/#/channels`);
    await page
      .locator("main")
      .getByText(/\d+ messages in 7 days/)
      .waitFor();
  });

  test("sees an undelivered bot message with its reason", async () => {
    page = await pages.visit(`/sessions/${encodeURIComponent("desk:berta")}`);
    await page.getByText("Send as the bot", { exact: true }).click();
    await pages.api.post("/api/channels/desk/toggle", { enabled: false });
    await say("are you there?");
    await page.getByRole("alert").getByText("switched off").waitFor();
    expect(await composer().inputValue()).toBe("are you there?");
    await pages.api.post("/api/channels/desk/toggle", { enabled: true });
    await composer().press("Enter");
    await expect.poll(() => desk.sent.at(-1)?.text, SHORT_TIMEOUT).toBe("are you there?");
  });

  test("stops one reply: waiting messages continue or are withdrawn, and the focus stays in the composer", async () => {
    await newTalk();
    const [gate, last] = [createGate(), createGate()];
    models.script.push(
      { kind: "held", pieces: ["I will ", "go on"], gate },
      { kind: "held", pieces: ["Two."], gate: last },
    );
    await say("one");
    gate.next();
    await page.getByTestId("streaming").getByText("I will").waitFor();
    for (const text of ["two", "three", "four"]) await say(text);
    await expect.poll(() => page.getByTestId("withdraw").count(), SHORT_TIMEOUT).toBe(3);
    await takeScreenshot(page, "waiting");
    await composer().fill("and");
    await pending().filter({ hasText: "three" }).getByTestId("withdraw").click();
    await expect.poll(() => composer().inputValue(), SHORT_TIMEOUT).toBe("three\nand");
    expect(await hasFocus()).toBe("composer");
    await page.getByTestId("stop").click();
    expect(await hasFocus()).toBe("composer");
    await messages().getByText("stopped").waitFor();
    await pending().filter({ hasText: "four" }).waitFor();
    // The waiting message is being answered and can be stopped before the model's first word.
    await page.getByTestId("stop").waitFor();
    last.next();
    await shows("Two.");
    await shows("You said: four");
    expect(await pending().count()).toBe(0);
    const userBubbles = messages().and(page.locator('[data-role="user"]')).locator(".message_bubble");
    expect(await userBubbles.allTextContents()).toEqual(["one", "two", "four"]);
    // The outcome of the stopped message.
    await openExplanation(messages().filter({ hasText: "I will" }));
    await page.getByTestId("to-trace").click();
    await page.getByTestId("trace-step").getByText("stopped").first().waitFor();
    expect(await page.getByTestId("trace-step").getByText("answered").count()).toBe(0);
    await takeScreenshot(page, "trace-stopped");
  });

  test("pastes a long text: nothing is cut, the limit is shown, and one click turns it into a file", async () => {
    await newTalk();
    const paste = (length: number) => composer().fill("A long line of text. ".repeat(10_000).slice(0, length));
    await paste(31_500);
    await page.getByTestId("characters-left").getByText("500 characters left").waitFor();
    await paste(105_000);
    await page.getByTestId("too-long").getByText("73,000 characters over the limit").waitFor();
    expect((await composer().inputValue()).length).toBe(105_000);
    await composer().press("Enter");
    expect(await page.getByTestId("send").isDisabled()).toBe(true);
    await page.reload();
    await page.getByTestId("too-long").waitFor();
    await takeScreenshot(page, "too-long");
    expect(await messages().count()).toBe(0);
    await page.getByTestId("attach-text").click();
    const file = page.getByTestId("picked-file").filter({ hasText: "Pasted text.txt" });
    await file.getByText("first 64 KB").waitFor();
    expect(await composer().inputValue()).toBe("");
    await page.getByTestId("file-input").setInputFiles([
      { name: "note.md", mimeType: "text/markdown", buffer: Buffer.from("the code is 4711") },
      { name: "data.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 1, 2, 3]) },
    ]);
    await page.getByTestId("picked-file").filter({ hasText: "data.bin" }).getByText("name only").waitFor();
    await page.getByTestId("name-only").getByText("sees only the name").waitFor();
    expect(await page.getByTestId("picked-file").filter({ hasText: "note.md" }).getByTestId("reading").count()).toBe(0);
    await takeScreenshot(page, "reading");
    await say("look");
    await messages().last().getByText("the code is 4711").waitFor();
    const asked = JSON.stringify(models.requests.at(-1)?.body.messages);
    expect(asked).toContain("the code is 4711");
    expect(asked).toContain("data.bin, of which you see only the name");
    await messages().first().getByTestId("reading").getByText("name only").waitFor();

    await messages().first().hover();
    await messages().first().getByTestId("edit").click();
    await page.getByTestId("editor").fill("😀".repeat(32_001));
    await page.getByTestId("too-long").getByText("1 character over the limit").waitFor();
    expect(await page.getByTestId("save-edit").isDisabled()).toBe(true);
  });

  test("confirms the removal of a plugin, which shows what is deleted; required plugins cannot be disabled", async () => {
    page = await pages.openPage();
    await page.route("**/api/plugins", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { items: { id: string; required?: boolean }[] } };
      for (const one of body.data.items)
        if (one.id === "sessions") Object.assign(one, { required: true, required_reason: "" });
      await route.fulfill({ response: answer, json: body });
    });
    await page.context().request.post(`${pages.parley.address}/api/login`, { data: pages.parley.credentials });
    await page.goto(`${pages.parley.address}/#/plugins`);
    const card = (id: string) => page.locator(`[data-plugin="${id}"]`);
    await card("sessions").getByText("required by the console").waitFor();
    expect(await card("sessions").getByRole("switch").count()).toBe(0);
    await card("dice").getByRole("switch").press("Space");
    const dialog = page.getByRole("dialog", { name: "Switch off: dice" });
    await dialog.getByTestId("what-goes").getByText("tools").waitFor();
    await takeScreenshot(page, "plugin-off");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await card("dice").getByText("running").count()).toBe(1);

    await page.goto(`${pages.parley.address}/#/sessions/${encodeURIComponent("desk:berta")}`);
    await page.getByRole("heading", { name: "Berta" }).waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).last().click();
    await page.getByRole("dialog").getByText("Berta", { exact: true }).waitFor();
    await takeScreenshot(page, "delete-names");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Berta" }).waitFor();
  });

  test("navigates from a message to its trace and back; interrupted turns are marked as problems", async () => {
    const dora = { sessionId: "desk:dora", conversation: { id: "dora", isGroup: false } };
    // Nothing was shown yet, so the model is retried; it breaks off each time.
    models.script.push(...Array.from({ length: 8 }, () => ({ kind: "cut", text: "Your parcel is " }) as const));
    await desk.say("dora", "where is my parcel?", { ...dora, sender: { id: "dora", name: "Dora", isAdmin: false } });
    page = await pages.visit(`/sessions/${encodeURIComponent("desk:dora")}`);
    await shows("Your parcel is");
    models.script.length = 0;
    await openExplanation(messages().last());
    await page.getByTestId("to-trace").click();
    await page.getByTestId("trace-text").getByText("where is my parcel?").waitFor();
    await page.getByTestId("trace-step").getByText("the answer broke off").first().waitFor();
    await takeScreenshot(page, "trace-broke-off");
    await page.getByTestId("to-conversation").click();
    await shows("where is my parcel?");

    await page.goto(`${pages.parley.address}/#/gateway`);
    await page.getByText("Problems", { exact: true }).click();
    const event = page.getByTestId("gateway-event").filter({ hasText: "Front desk · dora" });
    await event.filter({ hasText: "the model did not answer" }).first().waitFor();
    await takeScreenshot(page, "problems-broke-off");

    const found = page.getByTestId("found-message");
    const find = async (fields: Readonly<Record<string, string>>, count: number) => {
      for (const [name, value] of Object.entries(fields)) {
        const field = page.getByTestId(name);
        if (name === "find-channel") await field.selectOption(value);
        else await field.fill(value);
      }
      await page.getByTestId("find-trace").click();
      await expect.poll(() => found.count(), SHORT_TIMEOUT).toBe(count);
    };
    await find({ "trace-id": "my parcel" }, 1);
    await found.getByText("answer broke off").waitFor();
    await find({ "find-sender": "dora", "find-channel": "desk", "find-since": "2026-01-01 00:00" }, 1);
    await takeScreenshot(page, "found-message");
    await find({ "find-until": "2026-01-02 00:00" }, 0);
    await page.getByText("No matching message").waitFor();
    await find({ "find-until": "" }, 1);
    await found.click();
    await page.getByTestId("trace-text").getByText("where is my parcel?").waitFor();
  });

  test("sees the recipient and the mode on a phone, in Chinese and dark", async () => {
    page = await pages.visit(`/sessions/${encodeURIComponent("desk:berta")}`, PHONE);
    await page.getByText("不会发送任何内容。你的问题和 AI 的回答都不会到达 Berta。").waitFor();
    // The bar has the name and one more line.
    const bar = () => page.locator(".chat_bar").evaluate((one) => one.clientHeight);
    expect(await bar()).toBeLessThan(64);
    await expectNoOverflow(page, "operator-phone-ask");
    await page.getByTestId("take-over").click();
    await page.getByTestId("hand-back").waitFor();
    expect(await bar()).toBeLessThan(64);
    await expectNoOverflow(page, "operator-phone-taken");
    await page.getByTestId("hand-back").click();
    await page.getByTestId("take-over").waitFor();
    await page.getByText("以机器人身份发送", { exact: true }).click();
    await composer().fill("长".repeat(32_100));
    await page.getByTestId("too-long").waitFor();
    await expectNoOverflow(page, "operator-phone-send");
  });
});
