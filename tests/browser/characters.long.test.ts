import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Character, Session } from "@parley/core";
import { startModelServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { openExplanation } from "./message-actions.ts";

const DARK = { colorScheme: "dark" } as const;
const card = (name: string, more: object = {}) => ({
  spec: "chara_card_v2",
  spec_version: "2.0",
  data: {
    name,
    description: "Keeps the lighthouse of a small port and knows every ship by its lamp.",
    personality: "Dry, patient, secretly sentimental.",
    first_mes: "*opens the door* You are late, {{user}}.",
    alternate_greetings: ["Ahoy.", "Who is there?"],
    tags: ["lighthouse", "slow burn"],
    extensions: {},
    ...more,
  },
});

describe.runIf(canBrowse)("characters in the console", () => {
  let pages: Console;
  let page: Page;
  const names = ["Mira", "林小雨", "Captain Ash", "Vela", "老周"];

  beforeAll(async () => {
    const models = await startModelServer({ answer: () => ({ kind: "text", text: "The lamp is lit. *smiles*" }) });
    pages = await startConsole();
    const { api } = pages;
    const { id } = await api.post<{ id: string }>("/api/ai-models", {
      name: "m",
      model: "m",
      base_url: models.baseUrl,
    });
    await api.post(`/api/ai-models/${id}/apply`, {});
    for (const name of names) await api.post("/api/personality/import?as=character", card(name));
    page = await pages.visit("/characters", { reducedMotion: "reduce" });
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  test("are shown in a gallery that is searched by name and tag", async () => {
    const tiles = page.getByTestId("character-tile");
    await expect.poll(() => tiles.count(), SHORT_TIMEOUT).toBe(names.length);
    await expectNoOverflow(page, "characters-gallery");
    await page.getByTestId("character-search").fill("vel");
    await expect.poll(() => tiles.count(), SHORT_TIMEOUT).toBe(1);
    await page.getByTestId("character-search").fill("");
    await page.getByRole("button", { name: "slow burn" }).click();
    await expect.poll(() => tiles.count(), SHORT_TIMEOUT).toBe(names.length);
    await page.getByRole("button", { name: "slow burn" }).click();
  });

  test("are imported from several dropped files at once, and unreadable ones are reported", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cards-"));
    const file = (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const odd = card("Dropped", { creator: 7, tags: "one, two", description: 5, scenario: { a: 1 } });
    const files = [file("a.json", JSON.stringify(odd)), file("b.json", "{ no card")];
    await page.locator('input[type="file"]').setInputFiles(files);
    await page.getByTestId("character-tile").getByText("Dropped").waitFor();
    await page.getByTestId("toast").getByText("b.json was not imported").waitFor();
    await page.getByText("Notes on Dropped").waitFor();
  });

  test("are edited with token counts per field and the prompt in sight, and saved", async () => {
    await page.getByRole("link", { name: "Open Mira" }).click();
    await expect.poll(() => page.getByTestId("card-name").inputValue(), SHORT_TIMEOUT).toBe("Mira");
    await page.getByTestId("prompt-preview").getByText("secretly sentimental").waitFor();
    await page.getByLabel("Scenario").fill("The lamp has gone out.");
    await page.getByTestId("prompt-preview").getByText("The lamp has gone out.").waitFor();
    expect(await page.getByTestId("token-count").count()).toBeGreaterThan(2);
    expect(await page.getByTestId("greeting-tab").count()).toBe(3);
    await page.getByTestId("greeting-tab").nth(2).click();
    expect(await page.getByTestId("greeting-text").inputValue()).toBe("Who is there?");
    await page.getByTestId("greeting-text").fill("Who goes there?");
    await page.getByTestId("add-greeting").click();
    await page.getByTestId("greeting-text").fill("Come in.");
    await expectNoOverflow(page, "characters-editor");
    await page.getByTestId("save-card").click();
    await page.getByTestId("toast").getByText("Mira saved.").waitFor();
    const { items } = await pages.api.get<{ items: readonly Character[] }>("/api/characters?q=Mira");
    const saved = await pages.api.get<Character>(`/api/characters/${items[0]?.id}`);
    expect(saved).toMatchObject({
      scenario: "The lamp has gone out.",
      alternate_greetings: ["Ahoy.", "Who goes there?", "Come in."],
      system_prompt_mode: "auto",
    });
  });

  test("are exported as files", async () => {
    const download = page.waitForEvent("download");
    await page.getByTestId("export-card").click();
    await page.getByRole("menuitem", { name: "JSON, V2" }).click();
    expect((await download).suggestedFilename()).toBe("Mira.json");
  });

  test("start a conversation with one click: other greetings, who speaks in which mood, and why", async () => {
    await page.getByTestId("chat-with").first().click();
    const first = page.getByTestId("message").first();
    await first.waitFor();
    await first.getByText("You are late, admin.").waitFor();
    await page.getByTestId("next-greeting").click();
    await first.getByText("Ahoy.").waitFor();
    await page.getByTestId("composer").fill("You are wonderful, thank you! 你真好，我喜欢你");
    await page.getByTestId("send").click();
    await page.getByTestId("message").getByText("The lamp is lit.").waitFor();
    await page.getByTestId("speaker").getByText("Mira").waitFor();
    await page.getByTestId("speaker-mood").waitFor();
    expect(await page.getByTestId("greeting-swipe").count()).toBe(0);
    await takeScreenshot(page, "characters-chat");
    await openExplanation(page.getByTestId("message").last());
    await page.getByTestId("explained").getByText("Character", { exact: true }).first().waitFor();
    await page.getByTestId("why").waitFor();
    await takeScreenshot(page, "characters-why");
    await page.keyboard.press("Escape");
  });

  test("show their mood over time, which can be changed", async () => {
    await page.getByTestId("speaker").getByRole("link", { name: "Mira" }).click();
    await page.getByTestId("state-tab").click();
    await page.getByTestId("timeline-entry").first().waitFor();
    await page.getByTestId("character-state").getByTestId("change-state").click();
    // Moods are stored in Chinese; an English reader sees and enters English ones.
    const mood = page.getByRole("combobox", { name: "Mood", exact: true });
    expect(await mood.inputValue()).toMatch(/^\w+$/);
    await mood.fill("proud");
    await mood.press("Escape");
    await page.getByTestId("save-relationship").click();
    await page.getByTestId("mood").getByText("proud").waitFor();
    await expectNoOverflow(page, "characters-feelings");
    // Changes by another user or by the conversation are not overwritten without asking.
    const [mira = ""] = /char_\w+/.exec(page.url()) ?? [];
    const session = await page.getByRole("combobox", { name: "Conversation" }).inputValue();
    await page.getByTestId("character-state").getByTestId("change-state").click();
    const readState = () => pages.api.get(`/api/characters/${mira}/state?session_id=${session}`);
    expect(await readState()).toMatchObject({ mood: "得意" });
    await mood.fill("calm");
    await mood.press("Escape");
    await pages.api.put(`/api/characters/${mira}/state?session_id=${session}`, { mood: "sad" });
    await page.getByTestId("save-relationship").click();
    await page.getByText("Someone else has changed this in the meantime.").waitFor();
    await page.getByTestId("save-anyway").click();
    await page.getByTestId("mood").getByText("calm").waitFor();
  });

  test.each([
    ["dark", DARK],
    ["phone", PHONE],
  ] as const)("look right: %s", async (form, options) => {
    const other = await pages.visit("/characters", { ...options, reducedMotion: "reduce" });
    await expect.poll(() => other.getByTestId("character-tile").count(), SHORT_TIMEOUT).toBeGreaterThan(3);
    await expectNoOverflow(other, `characters-gallery-${form}`);
    await other.getByTestId("character-tile").getByRole("link").first().click();
    await other.getByTestId("prompt-preview").getByText("##").first().waitFor();
    await expectNoOverflow(other, `characters-editor-${form}`);
    await other.getByTestId("state-tab").click();
    await other.getByTestId("character-relationship").waitFor();
    await expectNoOverflow(other, `characters-feelings-${form}`);
    const { items } = await pages.api.get<{ items: readonly Session[] }>("/api/sessions?limit=1");
    await other.goto(`${pages.parley.address}/#/sessions/${items[0]?.id}`);
    await other.getByTestId("speaker").waitFor();
    await expectNoOverflow(other, `characters-chat-${form}`);
    expect(pages.problems).toEqual([]);
    await other.close();
  });
});
