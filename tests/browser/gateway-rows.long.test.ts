import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { type Console, SHORT_TIMEOUT, startConsole } from "./console.ts";

describe.runIf(canBrowse)("the gateway page with the service's own API", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole();
    page = await pages.visit("/gateway");
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const say = async (content: string) => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "Tea at five" });
    await pages.api.post(`/api/sessions/${id}/chat`, { content });
  };

  test("counts answered messages, and shows the steps of one", async () => {
    await say("hello");
    await expect.poll(() => page.getByTestId("queue-completed").locator("b").textContent(), SHORT_TIMEOUT).toBe("1");
    await page.getByTestId("gateway-event").filter({ hasText: "Web console · Tea at five" }).last().click();
    await page.getByTestId("trace-step").first().getByText("received").waitFor();
    await page.getByTestId("trace-step").getByText("answered", { exact: true }).waitFor();
    await takeScreenshot(page, "gateway-real-trace");
    await page.keyboard.press("Escape");
    await page.reload();
    await page.getByTestId("gateway-event").filter({ hasText: "Web console · Tea at five" }).first().waitFor();
    await page.getByText("Received: 1").waitFor();
    await page.getByText("Sent: 1").waitFor();
    await page
      .getByText(/^Response time: median [\d.,]+ m?s\w*, 99th percentile [\d.,]+ m?s\w*; accepted in [\d.,]+ m?s\w*$/)
      .waitFor();
    await page.getByTestId("node-local").getByText("gateway").waitFor();
  });

  test("lists an undeliverable message until it is discarded", async () => {
    await pages.api.post("/api/channels", { id: "shop", name: "Shop", config: { auth: { type: "none" } } });
    await expect
      .poll(async () => {
        const body = { content: "is anybody there?", conversation_id: "7" };
        return (await pages.api.send("POST", "/api/gateway/shop/webhook", { body })).status;
      }, SHORT_TIMEOUT)
      .toBe(200);
    const row = page.getByTestId("dead-letter").first();
    await row.getByText("no address to send to").waitFor();
    await takeScreenshot(page, "gateway-real");
    // Filtered by one channel.
    await page.getByTestId("events-channel").selectOption("shop");
    await page.getByTestId("gateway-event").filter({ hasText: "Tea at five" }).first().waitFor({ state: "detached" });
    await page.getByTestId("gateway-event").filter({ hasText: "shop · 7" }).first().waitFor();
    await page.getByTestId("events-channel").selectOption("");
    await page.getByTestId("gateway-event").filter({ hasText: "Tea at five" }).first().waitFor();
    await page.getByText("Problems", { exact: true }).click();
    await page.getByTestId("gateway-event").filter({ hasText: "no address to send toshop · 7" }).first().waitFor();
    expect(await page.getByTestId("gateway-event").filter({ hasText: "received" }).count()).toBe(0);
    await row.getByRole("button", { name: "Retry" }).click();
    const total = async (path: string) => (await pages.api.get<{ total: number }>(`/api/gateway/${path}`)).total;
    await expect.poll(() => total("events?status=retried"), SHORT_TIMEOUT).toBe(1);
    await expect.poll(() => total("dead-letters"), SHORT_TIMEOUT).toBe(1);
    // All matches are selected at once.
    await page.getByTestId("letters-cause").selectOption("auth");
    await page.getByText("No dead letters match.").waitFor();
    await page.getByTestId("letters-cause").selectOption("no_sender");
    await page.getByTestId("select-letters").click();
    await page.getByRole("button", { name: "Retry selected" }).click();
    await page.getByTestId("letters-report").getByText("Retrying 1 message.").waitFor();
    await expect.poll(() => total("events?status=retried"), SHORT_TIMEOUT).toBe(2);
    await expect.poll(() => total("dead-letters"), SHORT_TIMEOUT).toBe(1);
    await page.getByTestId("letters-cause").selectOption("");
    await page.getByTestId("select-letters").click();
    await page.getByRole("button", { name: "Dismiss selected" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Dismiss selected" }).click();
    await page.getByText("No dead letters.").waitFor();
    await page.getByTestId("letters-report").getByText("1 message dismissed.").waitFor();
  });

  test("stops and starts the worker", async () => {
    await page.getByRole("button", { name: "Pause processing" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause processing" }).click();
    await page.getByTestId("worker-state").getByText("Paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByTestId("worker-state").getByText("Channel messages are being processed").waitFor();
    expect(pages.problems).toEqual([]);
  });
});
