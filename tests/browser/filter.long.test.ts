import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { openExplanation } from "./message-actions.ts";

const textAlign = (one: unknown) =>
  (globalThis as unknown as { getComputedStyle(one: unknown): { textAlign: string } }).getComputedStyle(one).textAlign;

describe.runIf(canBrowse)("a filter hit", () => {
  const fake = createFakeChannel();
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [fake.plugin] });
    const { api } = pages;
    await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
    await api.post("/api/message-filter", { pattern: "mild" });
    await api.post("/api/message-filter", { pattern: "severe", action: "recall" });
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    page = await pages.visit("/");
  });
  afterEach(async () => {
    await pages.releasePage(page);
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const marks = () => page.getByTestId("blocked-mark");
  const rows = () => page.getByTestId("hit-row");
  const talk = async () => (await pages.api.post<{ id: string }>("/api/sessions", { name: "House" })).id;
  const say = (id: string, content: string) => pages.api.post(`/api/sessions/${id}/chat`, { content });

  test("is shown in its conversation, also after a reload, with the matched words for administrators", async () => {
    const id = await talk();
    await page.goto(`${pages.parley.address}/#/sessions/${id}`);
    const write = async (text: string) => {
      await page.getByTestId("composer").fill(text);
      await page.keyboard.press("Enter");
    };
    await write("first words");
    await page.getByTestId("message").nth(1).waitFor();
    await write("a severe thing");
    await marks().waitFor();
    await page.getByText("The filter blocked the message").waitFor();
    await say(id, "last words");
    await page.reload();
    await page.getByTestId("message").nth(3).waitFor();
    await expect.poll(() => marks().count(), SHORT_TIMEOUT).toBe(1);
    const texts = await page
      .locator("[data-testid=message] .message_bubble, [data-testid=blocked-mark] > span")
      .allTextContents();
    expect(texts.indexOf("A message from admin was blocked by the filter")).toBe(2);
    await marks().getByText("Show").click();
    await marks().getByText("a severe thing").waitFor();
    await expectNoOverflow(page, "filter-mark");
  });

  test("is shown for a message on a channel", async () => {
    await fake.say("team-1", "hello");
    await fake.say("team-1", "severe", { sender: { id: "7", name: "Berta", isAdmin: false } });
    await page.goto(`${pages.parley.address}/#/sessions/${encodeURIComponent("fake:group:team-1")}`);
    await page.getByText("A message from Berta was blocked by the filter").waitFor();
    await page.reload();
    await page.getByText("A message from Berta was blocked by the filter").waitFor();
  });

  test("is shown beside the message from which parts were removed, and beside no other", async () => {
    const id = await talk();
    await say(id, "a mild day");
    await page.goto(`${pages.parley.address}/#/sessions/${id}`);
    const removed = page.getByText("Parts were removed by the filter");
    await removed.waitFor();
    expect(await removed.count()).toBe(1);
    const own = page.getByTestId("message").first();
    const endOf = async (what: Locator) => {
      const box = await what.boundingBox();
      return Math.round((box?.x ?? 0) + (box?.width ?? 0));
    };
    expect(await own.getByText("Parts were removed by the filter").evaluate(textAlign)).toBe("right");
    expect(await endOf(removed)).toBe(await endOf(own.locator(".text_meta").first()));
    await expectNoOverflow(page, "filter-removed");
    const phone = await pages.visit(`/sessions/${id}`, PHONE);
    await phone.getByText("部分内容已被过滤").waitFor();
    expect(await phone.getByText("部分内容已被过滤").count()).toBe(1);
    await expectNoOverflow(phone, "filter-removed-phone");
    await pages.releasePage(phone);
  });

  test("is listed with its rule, filtered by rule and time, and links to its conversation", async () => {
    const id = await talk();
    await say(id, "a mild thing");
    await page.goto(`${pages.parley.address}/#/filter`);
    await page.getByTestId("rule-row").filter({ hasText: "mild" }).getByTestId("rule-hits").click();
    await page.getByTestId("hit-rule").waitFor();
    await rows().filter({ hasText: "a mild thing" }).waitFor();
    expect(await rows().filter({ hasText: "severe" }).count()).toBe(0);
    await page.getByTestId("hit-rule").selectOption("");
    await rows().filter({ hasText: "severe" }).first().waitFor();
    await expectNoOverflow(page, "filter-hits");
    await page.getByTestId("hits-since").fill("2999-01-01T00:00");
    await page.getByText("No hits").waitFor();
    await page.getByTestId("hits-since").fill("");
    await rows().filter({ hasText: "a mild thing" }).getByRole("link", { name: "Conversation" }).click();
    await expect.poll(() => page.url(), SHORT_TIMEOUT).toContain(id);
    const answer = page.getByTestId("message").last();
    await openExplanation(answer);
    await page.getByTestId("explain-rule").getByText("parts removed · in the message").waitFor();
    await takeScreenshot(page, "explained-filter");
    await page.getByTestId("explain-rule").getByRole("link", { name: "mild" }).click();
    await expect
      .poll(() => page.getByTestId("rule-row").allTextContents(), SHORT_TIMEOUT)
      .toEqual([expect.stringMatching("mild")]);
  });

  test.each([["dark", { colorScheme: "dark" }] as const, ["phone", PHONE] as const])(
    "fits: %s",
    async (form, options) => {
      const other = await pages.visit("/filter/hits", options);
      await other.getByTestId("hit-row").first().waitFor();
      await expectNoOverflow(other, `filter-hits-${form}`);
      await other.close();
    },
  );

  test("can be deleted by an administrator; the counts stay", async () => {
    await page.goto(`${pages.parley.address}/#/filter/hits`);
    await rows().first().waitFor();
    await page.getByTestId("clear-hits").click();
    await page.getByRole("dialog").getByRole("button", { name: "Clear all" }).click();
    await page.getByText("No hits").waitFor();
    await page.getByTestId("tab-rules").click();
    const count = page.getByTestId("rule-row").filter({ hasText: "severe" }).getByTestId("rule-hits");
    expect(Number(await count.textContent())).toBeGreaterThan(0);
  });

  test("prevents streaming where a rule applies to answers, which is shown", async () => {
    await page.goto(`${pages.parley.address}/#/filter`);
    await page.getByTestId("filter-switch").waitFor();
    expect(await page.getByTestId("streaming-notice").count()).toBe(0);
    await pages.api.post("/api/message-filter", { pattern: "zzz", action: "strip", filter_target: "ai" });
    await page.reload();
    await page.getByTestId("streaming-notice").getByText("when complete").waitFor();
  });
});

describe.runIf(canBrowse)("the filter rules", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole();
    const { api } = pages;
    const window = { from: "2020-01-01", until: "2020-12-31", days: ["mon", "fri"], start: "22:00", end: "06:00" };
    await api.post("/api/message-filter", { pattern: "alpha" });
    await api.post("/api/message-filter", { pattern: "beta", action: "recall" });
    await api.post("/api/message-filter", { pattern: "gamma", window, filter_target: "ai" });
    await api.post("/api/message-filter", { pattern: "elf", group: "Holidays", window });
    await api.post("/api/message-filter", { pattern: "sleigh", group: "Holidays", enabled: false });
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    page = await pages.visit("/filter");
    await page.getByTestId("rule-row").first().waitFor();
  });
  afterEach(async () => {
    await pages.releasePage(page);
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const rows = () => page.getByTestId("rule-row");
  const row = (word: string) => rows().filter({ hasText: word });
  const order = () =>
    rows().evaluateAll((all) => all.map((one) => one.querySelector(".table_mainCell div")?.firstChild?.textContent));
  const focused = () => page.evaluate("document.activeElement?.getAttribute('aria-label')");
  interface Listing {
    readonly rules: {
      readonly global: readonly { readonly pattern: string; readonly enabled: boolean; readonly group?: string }[];
    };
  }
  const stored = async () => (await pages.api.get<Listing>("/api/message-filter")).rules.global;

  test("are moved with the keyboard, one position at a time", async () => {
    await expect.poll(order, SHORT_TIMEOUT).toEqual(["alpha", "beta", "gamma"]);
    await row("alpha").getByTestId("rule-down").focus();
    await page.keyboard.press("Enter");
    await expect.poll(order, SHORT_TIMEOUT).toEqual(["beta", "alpha", "gamma"]);
    await expect.poll(focused, SHORT_TIMEOUT).toBe("Move alpha down");
    await page.keyboard.press("Enter");
    await expect.poll(order, SHORT_TIMEOUT).toEqual(["beta", "gamma", "alpha"]);
    await expect.poll(focused, SHORT_TIMEOUT).toBe("Move alpha up");
    expect((await stored()).map(({ pattern }) => pattern)).toEqual(["beta", "gamma", "alpha", "elf", "sleigh"]);
    await page.keyboard.press("Enter");
    await expect.poll(order, SHORT_TIMEOUT).toEqual(["beta", "alpha", "gamma"]);
    await row("alpha").getByTestId("rule-up").press("Enter");
    await expect.poll(order, SHORT_TIMEOUT).toEqual(["alpha", "beta", "gamma"]);
  });

  test("in a group are collapsed with their number, expanded, toggled together and found", async () => {
    const group = page.getByTestId("rule-group");
    expect(await group.getByTestId("group-count").textContent()).toBe("2 rules, 1 on");
    expect(await row("elf").count()).toBe(0);
    await expectNoOverflow(page, "filter-rules");
    await group.getByTestId("fold-group").press("Enter");
    await row("elf").getByTestId("rule-inactive").getByText("not now").waitFor();
    await expectNoOverflow(page, "filter-group");
    await group.getByTestId("group-switch").press("Space");
    await group.getByText("2 rules, 0 on").waitFor();
    await group.getByTestId("group-switch").press("Space");
    await group.getByText("2 rules, 2 on").waitFor();
    await group.getByTestId("fold-group").press("Enter");
    await expect.poll(() => row("elf").count(), SHORT_TIMEOUT).toBe(0);
    await page.getByTestId("rule-search").fill("sleigh");
    await row("sleigh").waitFor();
    await page.getByTestId("rule-search").fill("");
  });

  test("are moved to another group by its name", async () => {
    await page.getByTestId("rename-group").click();
    await page.getByTestId("group-name").fill("Winter");
    await takeScreenshot(page, "filter-group-name");
    await page.getByTestId("save-group").click();
    await page.getByTestId("rule-group").getByText("Winter").waitFor();
    expect((await stored()).filter(({ group }) => group === "Winter")).toHaveLength(2);
  });

  test("get a group and a time window in their form, and are tested there, also outside of the window", async () => {
    await page.getByTestId("add-rule").click();
    await page.getByTestId("rule-pattern").fill("delta");
    await page.getByTestId("rule-group-name").fill("Winter");
    await page.keyboard.press("Escape");
    await page.getByTestId("rule-at-times").press("Space");
    await page.getByTestId("save-rule").click();
    await page.getByText("needs a day, weekdays or hours").waitFor();
    await page.getByTestId("rule-from").fill("2020-01-01");
    await page.getByTestId("rule-until").fill("2020-02-01");
    await page.getByTestId("rule-mon").check();
    await page.getByTestId("rule-start").fill("08:00");
    await page.getByTestId("rule-end").fill("18:00");
    await page.getByTestId("rule-sample").fill("delta");
    await page.getByTestId("rule-trial").getByText("Would match, but not at this time: this rule").waitFor();
    await takeScreenshot(page, "filter-rule-form");
    await page.getByTestId("save-rule").click();
    await page.getByTestId("rule-group").getByText("3 rules, 3 on").waitFor();
    expect(await stored()).toContainEqual(
      expect.objectContaining({
        pattern: "delta",
        group: "Winter",
        window: { from: "2020-01-01", until: "2020-02-01", days: ["mon"], start: "08:00", end: "18:00" },
      }),
    );
    // A reply rule outside its time window does not delay answers.
    expect(await page.getByTestId("streaming-notice").count()).toBe(0);
  });

  test.each([
    ["dark", { colorScheme: "dark" }] as const,
    ["chinese", { locale: "zh-CN" }] as const,
    ["phone", PHONE] as const,
  ])("fit: %s", async (form, options) => {
    const other = await pages.visit("/filter", options);
    await other.getByTestId("fold-group").press("Enter");
    await other.getByTestId("rule-inactive").nth(1).waitFor();
    await expectNoOverflow(other, `filter-rules-${form}`);
    await other.getByTestId("rule-row").filter({ hasText: "gamma" }).getByTestId("rule-times").scrollIntoViewIfNeeded();
    await takeScreenshot(other, `filter-rules-end-${form}`);
    await other
      .getByTestId("rule-row")
      .filter({ hasText: "gamma" })
      .getByRole("button", { name: /^(Edit|编辑)$/ })
      .click();
    await other.getByTestId("rule-until").scrollIntoViewIfNeeded();
    await takeScreenshot(other, `filter-rule-form-${form}`);
    await other.close();
  });
});
