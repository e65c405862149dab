import Joi from "@hapi/joi";
import { definePlugin } from "@parley/core";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { type Console, SHORT_TIMEOUT, startConsole } from "./console.ts";

const GREETINGS = { morning: "Good morning" };
const greeter = definePlugin({
  id: "greeter",
  config: Joi.object({
    greetings: Joi.object().default(GREETINGS).description("What to say when"),
    room: Joi.object({
      title: Joi.string().allow("").default("Hall").description("What it is called"),
      seats: Joi.number().integer().min(0).description("How many may sit"),
      moods: Joi.object().description("Its colours"),
    }).description("Where it is said"),
    times: Joi.number().integer().default(1).description("How often to say it"),
  }),
  register() {},
});

describe.runIf(canBrowse)("settings edited as JSON", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [greeter] });
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    page = await pages.visit("/plugins");
  });
  afterEach(() => page.close());

  const stored = async () => {
    const { items } = await pages.api.get<{ items: readonly { id: string; config: object }[] }>("/api/plugins");
    return items.find(({ id }) => id === "greeter")?.config;
  };
  const opened = async (): Promise<Locator> => {
    const card = page.locator('[data-plugin="greeter"]');
    await card.locator("summary").click();
    return card;
  };
  /** Reads the text in the editor, which has an element for each line. */
  const readGreetings = async (form: Locator) =>
    (await form.getByLabel("greetings").locator(".cm-line").allTextContents()).join("\n");
  const saveOf = (form: Locator) => form.getByRole("button", { name: "Save", exact: true });

  test("with a syntax error are not saved, nor are other changes", async () => {
    const form = await opened();
    await form.getByLabel("times").fill("3");
    await form.getByLabel("greetings").fill('{"morning": ');
    await form.getByTestId("not-json").getByText("greetings").waitFor();
    await form.getByText("Not valid JSON: line 1, column 13", { exact: true }).waitFor();
    expect(await saveOf(form).isDisabled()).toBe(true);
    await form.getByLabel("times").press("Enter");
    await takeScreenshot(page, "settings-not-json");
    expect(await stored()).toEqual({ greetings: GREETINGS, times: 1 });

    await form.getByLabel("greetings").fill('{"morning": "Hello"}');
    await form.getByTestId("not-json").waitFor({ state: "detached" });
    await saveOf(form).click();
    await form.getByRole("status").waitFor();
    expect(await stored()).toEqual({ greetings: { morning: "Hello" }, times: 3 });
  });

  test("are reset to the text of the default", async () => {
    await pages.api.put("/api/plugins/greeter", { config: { greetings: { evening: "Good night" }, times: 2 } });
    await page.reload();
    const form = await opened();
    await form.getByLabel("greetings").fill("{ broken");
    await form.getByRole("button", { name: "Reset to defaults" }).click();
    await form.getByRole("status").waitFor();
    await expect.poll(() => readGreetings(form), SHORT_TIMEOUT).toBe(JSON.stringify(GREETINGS, null, 2));
    await form.getByTestId("not-json").waitFor({ state: "detached" });
    expect(await stored()).toEqual({ greetings: GREETINGS, times: 1 });
  });

  test("with a syntax error can be discarded even if nothing else differs from the defaults", async () => {
    const form = await opened();
    await form.getByLabel("greetings").fill("{ broken");
    await form.getByRole("button", { name: "Reset to defaults" }).click();
    await expect.poll(() => readGreetings(form), SHORT_TIMEOUT).toBe(JSON.stringify(GREETINGS, null, 2));
    expect(await saveOf(form).isDisabled()).toBe(true);
  });

  test("that belong together are fields of one group", async () => {
    const form = await opened();
    const room = form.getByRole("group", { name: "room" });
    expect(await room.getByLabel("title").inputValue()).toBe("Hall");
    await room.getByLabel("seats").fill("12");
    await room.getByLabel("moods").fill('{"red": ');
    await form.getByTestId("not-json").getByText("room.moods").waitFor();
    await room.getByLabel("moods").fill('{"red": 1}');
    await takeScreenshot(page, "settings-group");
    await saveOf(form).click();
    await form.getByRole("status").waitFor();
    expect(await stored()).toMatchObject({ room: { title: "Hall", seats: 12, moods: { red: 1 } } });
    await room.getByLabel("seats").fill("");
    await saveOf(form).click();
    await expect.poll(async () => JSON.stringify(await stored()), SHORT_TIMEOUT).not.toContain("seats");
    expect(await stored()).toMatchObject({ room: { title: "Hall", moods: { red: 1 } } });
  });

  test("use their default when the field is emptied", async () => {
    await pages.api.put("/api/plugins/greeter", { config: { greetings: { evening: "Good night" } } });
    await page.reload();
    const form = await opened();
    await form.getByLabel("greetings").fill("");
    await saveOf(form).click();
    await form.getByRole("status").waitFor();
    await expect.poll(() => readGreetings(form), SHORT_TIMEOUT).toBe(JSON.stringify(GREETINGS, null, 2));
  });

  test("show another person's changes of a plugin on conflict, and can apply them", async () => {
    await page.reload();
    const form = await opened();
    await form.getByLabel("times").fill("4");
    await form.getByLabel("greetings").fill('{"noon": "Hi"}');
    await pages.api.put("/api/plugins/greeter", { config: { times: 5 } });
    await saveOf(form).click();
    await form.getByText("Someone else has changed this in the meantime.").waitFor();
    await form.getByTestId("see-differences").click();
    const times = form.locator('[data-testid="difference"][data-field="times"]');
    await expect.poll(() => times.textContent(), SHORT_TIMEOUT).toBe("timesUse theirsTheirs5Yours4");
    await takeScreenshot(page, "settings-differences");
    await times.getByRole("button").click();
    await times.waitFor({ state: "detached" });
    expect(await form.getByLabel("times").inputValue()).toBe("5");
    await form.getByTestId("save-anyway").click();
    await form.getByRole("status").waitFor();
    expect(await stored()).toMatchObject({ greetings: { noon: "Hi" }, times: 5 });
  });

  test("show another person's changes beside the draft, and do not overwrite them silently", async () => {
    const form = await pages.visit("/settings");
    const notice = form.getByLabel("Reply to the sender of a blocked message", { exact: true });
    const days = form.getByLabel("Days to keep filter hits", { exact: true });
    const save = form.getByRole("button", { name: "Save", exact: true });
    const set = (what: object) => pages.api.put("/api/settings", what);
    const box = form.getByTestId("changed-meanwhile");
    await notice.fill("Not here.");
    await set({ filter: { history_days: 11 } });
    await expect.poll(() => days.inputValue(), SHORT_TIMEOUT).toBe("11");
    await save.click();
    const inForce = () => pages.api.get<{ filter: object }>("/api/settings");
    await expect
      .poll(async () => (await inForce()).filter, SHORT_TIMEOUT)
      .toMatchObject({ notice: "Not here.", history_days: 11 });

    await notice.fill("Mine.");
    await set({ filter: { notice: "Theirs." } });
    await save.click();
    await box.getByText("Someone else has changed this in the meantime.").waitFor();
    expect(await notice.inputValue()).toBe("Mine.");
    await form.getByTestId("load-theirs").click();
    await expect.poll(() => notice.inputValue(), SHORT_TIMEOUT).toBe("Theirs.");
    await notice.fill("Mine.");
    await set({ filter: { notice: "Theirs again." } });
    await save.click();
    await form.getByTestId("save-anyway").click();
    await box.waitFor({ state: "detached" });
    // The notice disappears when the save starts.
    await expect
      .poll(async () => (await inForce()).filter, SHORT_TIMEOUT)
      .toMatchObject({ notice: "Mine.", history_days: 11 });
    await form.close();
  });

  test("changed during a save stay, and are saved next", async () => {
    const form = await pages.visit("/settings");
    const notice = form.getByLabel("Reply to the sender of a blocked message", { exact: true });
    const days = form.getByLabel("Days to keep filter hits", { exact: true });
    const save = form.getByRole("button", { name: "Save", exact: true });
    const answered = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<void>();
    await form.route("**/api/settings", async (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      const response = await route.fetch();
      sent.resolve();
      await answered.promise;
      return route.fulfill({ response });
    });
    await notice.fill("First.");
    await save.click();
    await sent.promise;
    await notice.fill("Second.");
    await days.fill("12");
    answered.resolve();
    await form.getByTestId("toast").getByText("Saved").waitFor();
    expect([await notice.inputValue(), await days.inputValue()]).toEqual(["Second.", "12"]);
    await save.click();
    const inForce = () => pages.api.get<{ filter: object }>("/api/settings");
    await expect
      .poll(async () => (await inForce()).filter, SHORT_TIMEOUT)
      .toMatchObject({ notice: "Second.", history_days: 12 });
    await form.close();
  });
});
