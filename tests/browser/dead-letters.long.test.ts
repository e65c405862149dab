import { DeliveryError } from "@parley/core";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

const desk = createFakeChannel("desk", "none");
const FORBIDDEN = "Forbidden: bot was blocked by the user";

describe.runIf(canBrowse)("an undelivered message", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [desk.plugin] });
    await pages.api.post("/api/channels", { id: "desk", name: "Front desk", type: "desk", transport: "bridge" });
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());
  afterEach(async () => {
    await pages.releasePage(page);
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const says = (name: string, text: string) =>
    desk.say(name, text, {
      sessionId: `desk:${name}`,
      conversation: { id: name, isGroup: false },
      sender: { id: name, name, isAdmin: false },
    });
  const sentTo = (name: string) => desk.sent.filter(({ conversation }) => conversation.id === name);
  const letters = () => pages.api.get<{ total: number }>("/api/gateway/dead-letters");
  const row = (name: string) => page.getByTestId("session-item").filter({ hasText: name });
  const marks = () => page.getByTestId("undelivered");
  const count = () => page.getByTestId("dead-letter-count");

  test("is marked at the message, in the list and in the menu, live and after a reload", async () => {
    await says("Berta", "hello");
    await expect.poll(() => sentTo("Berta").length, SHORT_TIMEOUT).toBe(1);
    page = await pages.visit("/");
    await row("Berta").click();
    await page.getByTestId("message").nth(1).waitFor();
    expect(await marks().count()).toBe(0);

    desk.failures.push(new DeliveryError("permanent", FORBIDDEN));
    await says("Berta", "are you there?");
    await marks().waitFor();
    expect(await marks().textContent()).toContain("Not delivered");
    expect(await marks().textContent()).toContain(FORBIDDEN);
    await row("Berta").getByTestId("undelivered-dot").waitFor();
    expect(await count().textContent()).toBe("1");
    await expectNoOverflow(page, "undelivered");

    await page.reload();
    await marks().waitFor();
    await row("Berta").getByTestId("undelivered-dot").waitFor();
    expect(await count().textContent()).toBe("1");
    await page.goto(`${pages.parley.address}/#/`);
    await row("Berta").getByTestId("undelivered-dot").waitFor();
    await page.getByTestId("recent-session").filter({ hasText: "Berta" }).getByTestId("undelivered-dot").waitFor();
  });

  test("is retried in place, and its marks disappear", async () => {
    page = await pages.visit("/");
    await row("Berta").click();
    await marks().getByTestId("retry-sending").click();
    await expect
      .poll(
        () =>
          sentTo("Berta")
            .map(({ text }) => text)
            .at(-1),
        SHORT_TIMEOUT,
      )
      .toContain("are you there?");
    await expect.poll(() => marks().count(), SHORT_TIMEOUT).toBe(0);
    await expect.poll(() => page.getByTestId("undelivered-dot").count(), SHORT_TIMEOUT).toBe(0);
    expect(await count().count()).toBe(0);

    // The explanation reports the delivery, and not the earlier failure.
    await page.getByTestId("message").last().hover();
    await page.getByTestId("message").last().getByTestId("explain").click();
    const explained = page.getByTestId("explained");
    await explained.getByText("delivered", { exact: true }).waitFor();
    expect(await explained.textContent()).not.toContain(FORBIDDEN);
    await page.keyboard.press("Escape");
  });

  test("is marked once for an operator's message, too", async () => {
    await says("Carl", "hello");
    await expect.poll(() => sentTo("Carl").length, SHORT_TIMEOUT).toBe(1);
    page = await pages.visit("/");
    await row("Carl").click();
    await page.getByText("Send as the bot", { exact: true }).click();
    desk.failures.push(new DeliveryError("permanent", FORBIDDEN));
    await page.getByTestId("composer").fill("A person answers.");
    await page.getByTestId("composer").press("Enter");
    await marks().waitFor();
    const reply = page.getByTestId("message").filter({ hasText: "A person answers." });
    expect(await reply.getByRole("alert").count()).toBe(0);
    await marks().getByTestId("retry-sending").click();
    await expect.poll(() => sentTo("Carl").at(-1)?.text, SHORT_TIMEOUT).toBe("A person answers.");
    await expect.poll(() => marks().count(), SHORT_TIMEOUT).toBe(0);
    expect(await reply.getByRole("alert").count()).toBe(0);
  });

  test("is retried after a confirmation if it may have arrived, and is still marked so after it is discarded", async () => {
    await says("Dora", "hello");
    await expect.poll(() => sentTo("Dora").length, SHORT_TIMEOUT).toBe(1);
    page = await pages.visit("/");
    await row("Dora").click();
    await page.getByTestId("message").nth(1).waitFor();
    desk.failures.push(new DeliveryError("ambiguous", "the connection was lost"));
    await says("Dora", "and now?");
    await expect.poll(async () => (await letters()).total, { timeout: 20_000 }).toBe(1);
    await marks().getByRole("button", { name: "Retry" }).click();
    await page.getByRole("dialog").getByText("people may get it twice").waitFor();
    await page.keyboard.press("Escape");
    await pages.api.post("/api/gateway/dead-letters/discard", { channel_id: "desk", reason: "known" });
    await expect.poll(() => page.getByTestId("undelivered-dot").count(), SHORT_TIMEOUT).toBe(0);
    await expect.poll(() => marks().getByRole("button").count(), SHORT_TIMEOUT).toBe(0);
    expect(await marks().textContent()).toContain("Not delivered");
    expect(await count().count()).toBe(0);
  });

  test("is readable on a phone in dark mode and in Chinese", async () => {
    desk.failures.push(new DeliveryError("permanent", FORBIDDEN));
    await says("Emil", "hello");
    await expect.poll(async () => (await letters()).total, SHORT_TIMEOUT).toBe(1);
    page = await pages.visit("/", PHONE);
    await row("Emil").getByTestId("undelivered-dot").waitFor();
    await expectNoOverflow(page, "undelivered-phone-list");
    await row("Emil").click();
    await marks().getByText("未送达").waitFor();
    await expectNoOverflow(page, "undelivered-phone");
  });

  test("updates the conversation list at once, like sent and received messages, with time and order", async () => {
    await says("Fritz", "hello");
    await expect.poll(() => sentTo("Fritz").length, SHORT_TIMEOUT).toBe(1);
    await says("Gerda", "hello");
    await expect.poll(() => sentTo("Gerda").length, SHORT_TIMEOUT).toBe(1);
    page = await pages.visit("/");
    const first = () => page.getByTestId("session-item").first().textContent();
    await expect.poll(first, SHORT_TIMEOUT).toContain("Gerda");
    await row("Fritz").click();
    await page.getByTestId("take-over").click();
    await page.getByTestId("composer").fill("A person is here.");
    await page.getByTestId("composer").press("Enter");
    await expect.poll(first, SHORT_TIMEOUT).toContain("A person is here.");
    await says("Fritz", "good that you are");
    await expect.poll(first, SHORT_TIMEOUT).toContain("good that you are");
    expect(await first()).toContain("Fritz");

    // The start page also shows it.
    await page.goto(`${pages.parley.address}/#/`);
    await page.getByTestId("recent-session").first().getByText("good that you are").waitFor();
    await says("Fritz", "still there?");
    await page.getByTestId("recent-session").first().getByText("still there?").waitFor();
  });
});
