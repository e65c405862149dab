import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { startVoiceServer, type VoiceServer } from "../harness/servers/voice-server.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole, toggleSwitch } from "./console.ts";
import { runMessageAction } from "./message-actions.ts";

describe.runIf(canBrowse)("voice in a conversation", () => {
  let pages: Console;
  let voice: VoiceServer;
  let page: Page;
  let session: string;

  beforeAll(async () => {
    voice = await startVoiceServer();
    pages = await startConsole();
    for (const purpose of ["tts", "stt"]) {
      await pages.api.post("/api/ai-models", { name: purpose, model: purpose, purpose, base_url: voice.baseUrl });
    }
  }, 60_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await voice?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    session = (await pages.api.post<{ id: string }>("/api/sessions", { name: "voice" })).id;
    page = await pages.visit(`/sessions/${session}`);
    await page.getByTestId("composer").waitFor();
  });
  afterEach(async () => {
    await pages.releasePage(page);
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const openVoice = async (on = page) => {
    await on
      .locator(".chat_bar")
      .getByRole("button", { name: /More|更多/ })
      .click();
    await on.getByTestId("voice").click();
    await on.getByTestId("speak-replies").waitFor({ state: "attached" });
  };
  const say = async (text: string) => {
    await page.getByTestId("composer").fill(text);
    await page.getByTestId("composer").press("Enter");
  };
  /** Addresses of the sounds that the page begins to play from now on. */
  const sounds = async () => {
    await page.evaluate(`
      window.sounds = [];
      const play = HTMLMediaElement.prototype.play;
      HTMLMediaElement.prototype.play = function () {
        window.sounds.push(this.src);
        return play.call(this);
      };
    `);
    return () => page.evaluate<string[]>("window.sounds");
  };

  test("is chosen with a sample, and answers play automatically and can be repeated", async () => {
    const played = await sounds();
    await openVoice();
    await page.getByTestId("try-voice").click();
    await expect.poll(async () => (await played()).length, SHORT_TIMEOUT).toBe(1);
    expect(voice.speechRequests.at(-1)?.input).toBe("Hello, this is how I sound.");
    await toggleSwitch(page.getByTestId("speak-replies"));
    await page.getByRole("button", { name: "Switch it on" }).click();
    await page.getByRole("button", { name: "Switch it on" }).waitFor({ state: "detached" });
    await toggleSwitch(page.getByTestId("auto-play"));
    await expectNoOverflow(page, "voice-dialog");
    await page.keyboard.press("Escape");
    await say("Hello there.");
    // Both sentences of the answer, one after the other.
    await expect.poll(async () => (await played()).slice(1), SHORT_TIMEOUT).toHaveLength(2);
    const answer = page.getByTestId("answer-sound");
    await answer.waitFor();
    const [, first = ""] = await played();
    expect(first).toContain("/api/tts/audio/tts_");
    await answer.evaluate((sound) => (sound as unknown as { play(): Promise<void> }).play());
    const readPosition = () => answer.evaluate((sound) => (sound as unknown as { currentTime: number }).currentTime);
    await expect.poll(readPosition, SHORT_TIMEOUT).toBeGreaterThan(0);
    await runMessageAction(page.locator('[data-testid="message"][data-role="assistant"]'), "read-aloud");
    await expect.poll(async () => (await played()).length, SHORT_TIMEOUT).toBe(5);
    await expectNoOverflow(page, "voice-answer");
  });

  test("inserts dictation into the composer", async () => {
    voice.setTranscript("what I dictated");
    await page.getByTestId("composer").fill("This is");
    await page.getByTestId("dictate").click();
    await page.getByRole("button", { name: "End dictation" }).waitFor();
    await page.getByTestId("dictate").click();
    await expect.poll(() => page.getByTestId("composer").inputValue(), SHORT_TIMEOUT).toBe("This is what I dictated");
    expect(voice.transcriptions.at(-1)).toMatchObject({ file: "audio.webm" });
  });

  test("fits a phone, dark and in Chinese", async () => {
    const phone = await pages.visit(`/sessions/${session}`, PHONE);
    await phone.getByTestId("composer").waitFor();
    await openVoice(phone);
    await phone.getByText("朗读回答").first().waitFor();
    await expectNoOverflow(phone, "voice-phone");
    await pages.releasePage(phone);
  });

  test("explains what is missing without a speech model", async () => {
    const { items } = await pages.api.get<{ items: readonly { id: string; purpose: string }[] }>("/api/ai-models");
    const set = (enabled: boolean) =>
      Promise.all(items.map(({ id }) => pages.api.post(`/api/ai-models/${id}/toggle`, { enabled })));
    await set(false);
    await page.reload();
    await openVoice();
    await page.getByText("No text-to-speech model yet").waitFor();
    await page.getByText("No speech recognition model yet").waitFor();
    expect(await page.getByTestId("dictate").count()).toBe(0);
    await set(true);
  });
});
