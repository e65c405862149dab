import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canBrowse, picture } from "../harness/browser.ts";
import { createFakeChannel } from "../harness/fake-channel.ts";
import { type Console, fits, PHONE, SOON, startConsole } from "./console.ts";

describe.runIf(canBrowse)("what the filter found", () => {
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
    page = await pages.visited("/");
  });
  afterEach(async () => {
    await pages.left(page);
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const marks = () => page.getByTestId("blocked-mark");
  const rows = () => page.getByTestId("hit-row");
  const talk = async () => (await pages.api.post<{ id: string }>("/api/sessions", { name: "House" })).id;
  const say = (id: string, content: string) => pages.api.post(`/api/sessions/${id}/chat`, { content });

  test("stands in its conversation where it was said, also after a reload, with the words for an administrator", async () => {
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
    await expect.poll(() => marks().count(), SOON).toBe(1);
    const texts = await page
      .locator("[data-testid=message] .bubble, [data-testid=blocked-mark] > span")
      .allTextContents();
    expect(texts.indexOf("A message from admin was blocked by the filter")).toBe(2);
    await marks().getByText("Show").click();
    await marks().getByText("a severe thing").waitFor();
    await fits(page, "filter-mark");
  });

  test("is told where somebody on a channel said it", async () => {
    await fake.say("team-1", "hello");
    await fake.say("team-1", "severe", { sender: { id: "7", name: "Berta", isAdmin: false } });
    await page.goto(`${pages.parley.address}/#/sessions/${encodeURIComponent("fake:group:team-1")}`);
    await page.getByText("A message from Berta was blocked by the filter").waitFor();
  });

  test("is listed with its rule, found by rule and time, and leads to its conversation", async () => {
    const id = await talk();
    await say(id, "a mild thing");
    await page.goto(`${pages.parley.address}/#/filter`);
    await page.getByTestId("rule-row").filter({ hasText: "mild" }).getByTestId("rule-hits").click();
    await page.getByTestId("hit-rule").waitFor();
    await rows().filter({ hasText: "a mild thing" }).waitFor();
    expect(await rows().filter({ hasText: "severe" }).count()).toBe(0);
    await page.getByTestId("hit-rule").selectOption("");
    await rows().filter({ hasText: "severe" }).first().waitFor();
    await fits(page, "filter-hits");
    await page.getByTestId("hits-since").fill("2999-01-01T00:00");
    await page.getByText("Nothing was found").waitFor();
    await page.getByTestId("hits-since").fill("");
    await rows().filter({ hasText: "a mild thing" }).getByRole("link", { name: "Conversation" }).click();
    await expect.poll(() => page.url(), SOON).toContain(id);
    const answer = page.getByTestId("message").last();
    await answer.hover();
    await answer.getByTestId("explain").click();
    await page.getByTestId("explain-rule").getByText("parts removed · in the message").waitFor();
    await picture(page, "explained-filter");
    await page.getByTestId("explain-rule").getByRole("link", { name: "mild" }).click();
    await expect
      .poll(() => page.getByTestId("rule-row").allTextContents(), SOON)
      .toEqual([expect.stringMatching("mild")]);
  });

  test.each([["dark", { colorScheme: "dark" }] as const, ["phone", PHONE] as const])(
    "fits: %s",
    async (form, options) => {
      const other = await pages.visited("/filter/hits", options);
      await other.getByTestId("hit-row").first().waitFor();
      await fits(other, `filter-hits-${form}`);
      await other.close();
    },
  );

  test("is forgotten when an administrator says so; the counts stay", async () => {
    await page.goto(`${pages.parley.address}/#/filter/hits`);
    await rows().first().waitFor();
    await page.getByTestId("clear-hits").click();
    await page.getByRole("dialog").getByRole("button", { name: "Forget all" }).click();
    await page.getByText("Nothing was found").waitFor();
    await page.getByTestId("tab-rules").click();
    const count = page.getByTestId("rule-row").filter({ hasText: "severe" }).getByTestId("rule-hits");
    expect(Number(await count.textContent())).toBeGreaterThan(0);
  });

  test("keeps answers from being streamed where a rule looks at them, and says so", async () => {
    await page.goto(`${pages.parley.address}/#/filter`);
    await page.getByTestId("filter-switch").waitFor();
    expect(await page.getByTestId("streaming-held").count()).toBe(0);
    await pages.api.post("/api/message-filter", { pattern: "zzz", action: "strip", filter_target: "ai" });
    await page.reload();
    await page.getByTestId("streaming-held").getByText("when complete").waitFor();
  });
});
