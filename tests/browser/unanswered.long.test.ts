import { Gateway } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { type Console, expectNoOverflow, PHONE, startConsole } from "./console.ts";

describe.skipIf(!canBrowse)("a message without an answer", () => {
  const fake = createFakeChannel();
  let pages: Console;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [fake.plugin] });
    await pages.api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
    await pages.api.put("/api/settings", { features: { group_memory: true } });
    await fake.say("cats", "Ada, are you there?");
    await fake.say("cats", "just between us", { addressed: false });
    await pages.parley.host.get(Gateway).idle();
  });
  afterAll(() => pages[Symbol.asyncDispose]());

  test("says why in its conversation, and a press shows its processing", async () => {
    const page = await pages.visit(`/sessions/${encodeURIComponent(`${fake.id}:group:cats`)}`);
    const reason = page.getByTestId("silence-reason");
    await reason.getByText("Not answered: it was not meant for the bot").waitFor();
    expect(await reason.count()).toBe(1);
    await takeScreenshot(page, "unanswered-message");
    await reason.click();
    await page.getByTestId("explained").waitFor();
    await page.close();
    const phone = await pages.visit(`/sessions/${encodeURIComponent(`${fake.id}:group:cats`)}`, PHONE);
    await phone.getByTestId("silence-reason").getByText("未回复：不是对机器人说的").waitFor();
    await expectNoOverflow(phone, "phone-unanswered-message");
    await phone.close();
  });

  test("is found among those without an answer", async () => {
    for (const [name, options] of [["unanswered-found"], ["phone-unanswered-found", PHONE]] as const) {
      const page = await pages.visit("/gateway", options);
      await page.getByTestId("find-unanswered").check();
      await page.getByTestId("find-trace").click();
      const found = page.getByTestId("found-message");
      await found.getByText("just between us").waitFor();
      expect(await found.count()).toBe(1);
      await found.scrollIntoViewIfNeeded();
      await takeScreenshot(page, name);
      await page.close();
    }
  });
});
