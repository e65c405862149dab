import { type ModelServer, startModelServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { type Console, SHORT_TIMEOUT, startConsole } from "./console.ts";

const desk = createFakeChannel("desk", "none");
const FOCUSED = `document.activeElement === document.body ? "nothing" : document.activeElement.closest("[data-pressed]")
  ? "what was pressed" : document.activeElement.dataset.testid ?? document.activeElement.outerHTML.slice(0, 120)`;

/** Actions whose control is disabled while they run: path, control, and the key that presses it. */
const ACTIONS = [
  ["/models", '[data-testid="model-card"] button:has-text("Test")', "Enter"],
  ["/jobs", '[data-testid="schedule-row"] button:has-text("Run now")', "Enter"],
  ["/jobs", 'button:has-text("Back up now")', "Enter"],
  ["/jobs", '[data-testid="schedule-row"] input[type="checkbox"]', "Space"],
  ["/notifications", 'main button:has-text("Send a test")', "Enter"],
  ["/channels", '[data-testid="channel-switch"]', "Space"],
  ["/status", '[data-testid="reload-core"]', "Enter"],
] as const;

describe.runIf(canBrowse)("keyboard users", () => {
  let pages: Console;
  let models: ModelServer;
  let page: Page;

  beforeAll(async () => {
    [pages, models] = await Promise.all([startConsole({ plugins: [desk.plugin] }), startModelServer()]);
    await pages.api.post("/api/ai-models", { name: "first", model: "first", base_url: models.baseUrl });
    await pages.api.post("/api/channels", { id: "desk", name: "Front desk", type: "desk", transport: "bridge" });
  }, 60_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await models?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await page.close();
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const waitForFocus = (expected: string) => expect.poll(() => page.evaluate(FOCUSED), SHORT_TIMEOUT).toBe(expected);

  test.each(ACTIONS)("keep their focus after an action: %s %s", async (path, control, key) => {
    page = await pages.visit(path);
    const pressed = page.locator(control).first();
    await pressed.waitFor();
    await pressed.evaluate((one) => one.setAttribute("data-pressed", ""));
    // The page observes the disabled control before it is enabled again.
    await page.evaluate(`(() => {
      const one = document.querySelector("[data-pressed]");
      new MutationObserver(() => { if (one.disabled) document.body.dataset.ran = "yes"; }).observe(one, { attributes: true });
    })()`);
    await pressed.focus();
    await page.keyboard.press(key);
    await expect.poll(() => page.evaluate("document.body.dataset.ran"), SHORT_TIMEOUT).toBe("yes");
    await expect.poll(() => pressed.isEnabled(), SHORT_TIMEOUT).toBe(true);
    await waitForFocus("what was pressed");
  });

  test("take over a conversation and hand it back, twice, with the focus in the composer each time", async () => {
    await desk.say("dora", "hello", {
      sessionId: "desk:dora",
      conversation: { id: "dora", isGroup: true },
      sender: { id: "dora", name: "Dora", isAdmin: false },
    });
    page = await pages.visit("/sessions/desk%3Adora");
    for (const _time of [1, 2]) {
      await page.getByTestId("take-over").press("Enter");
      await page.getByTestId("taken-over").waitFor();
      await waitForFocus("composer");
      expect(await page.getByTestId("mode").getAttribute("data-mode")).toBe("send");
      await page.getByTestId("hand-back").press("Enter");
      await page.getByTestId("take-over").waitFor();
      await waitForFocus("composer");
      expect(await page.getByTestId("mode").getAttribute("data-mode")).toBe("ask");
    }
  });

  test("send with the button and continue typing", async () => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "Morning" });
    page = await pages.visit(`/sessions/${id}`);
    await page.getByTestId("composer").fill("Good morning");
    await page.getByTestId("send").press("Enter");
    await page.getByTestId("message").last().getByText("Good morning").waitFor();
    await waitForFocus("composer");
  });
});
