import type { Memory, Session } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { eventually } from "../harness/eventually.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

describe.runIf(canBrowse)("memories in the console", () => {
  let pages: Console;

  beforeAll(async () => {
    pages = await startConsole();
    const { api } = pages;
    const { id: character_id } = await api.post<{ id: string }>("/api/characters", { name: "Mira" });
    const { id } = await api.post<Session>("/api/sessions", { character_id });
    for (const content of [
      "I live in Berlin.",
      "I moved to Kyoto.",
      "昨天我领养了一只猫。",
      "I'm allergic to peanuts.",
    ]) {
      await api.post(`/api/sessions/${id}/chat`, { content });
    }
    await eventually(async () => expect((await api.get<{ total: number }>("/api/memory")).total).toBe(3));
    const old = { target_id: "imA:user:42", said_at: "2026-01-06T10:00:00Z" };
    await api.post("/api/memory", {
      title: "tea",
      content: "Likes green tea",
      kind: "preference",
      tags: ["drinks"],
      ...old,
    });
    await api.post("/api/memory", { title: "tea", content: "Likes oolong", kind: "preference", ...old });
    await api.post("/api/memory", {
      title: "long",
      content: `${"verylongword".repeat(12)} ${"words ".repeat(40)}`,
      type: "short",
    });
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  test.each([
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
    ["chinese", { locale: "zh-CN" }],
    ["phone", PHONE],
  ] as const)("are shown on a timeline, with superseded ones: %s", { timeout: 60_000 }, async (form, options) => {
    const page = await pages.visit("/memories", options);
    await page.getByTestId("memory").filter({ hasText: "Lives in Kyoto" }).waitFor();
    const kyoto = page.getByTestId("memory").filter({ hasText: "Lives in Kyoto" });
    expect(await kyoto.getByTestId("memory-earlier").textContent()).toContain("Lives in Berlin");
    expect(await page.getByTestId("memory").count()).toBe(6);
    await expectNoOverflow(page, `memories-${form}`);
    await page.getByTestId("new-memory").click();
    await page.getByTestId("memory-content").waitFor();
    await expectNoOverflow(page, `memories-${form}-form`);
    expect(pages.problems).toEqual([]);
    await pages.releasePage(page);
  });

  test("link to their source message, however old it is", { timeout: 60_000 }, async () => {
    const { items } = await pages.api.get<{ items: readonly Memory[] }>("/api/memory?q=peanuts");
    const { session_id, message_id } = items[0] as Memory;
    for (let at = 0; at < 70; at += 1) {
      await pages.api.post(`/api/sessions/${session_id}/messages`, { content: `Nothing of note ${at}` });
    }
    const page = await pages.visit("/memories");
    await page.getByTestId("memory").filter({ hasText: "peanuts" }).getByTestId("memory-source").click();
    const source = page.locator(`[data-message-id="${message_id}"][data-found]`);
    await expect.poll(() => source.textContent(), SHORT_TIMEOUT).toContain("I'm allergic to peanuts.");
    const top = async () => (await source.boundingBox())?.y ?? -1;
    await expect.poll(async () => (await top()) > 0 && (await top()) < 800, SHORT_TIMEOUT).toBe(true);
    await expectNoOverflow(page, "memory-source");
    expect(pages.problems).toEqual([]);
    await pages.releasePage(page);
  });

  test("are imported from a file, without known ones", { timeout: 60_000 }, async () => {
    const page = await pages.visit("/memories");
    await page.getByTestId("import-memories").waitFor();
    const known = { title: "tea", content: "Likes oolong", target_id: "imA:user:42" };
    const taken = { memories: [known, { title: "tea", content: "Likes sencha", target_id: "imA:user:42" }, {}] };
    const file = { name: "memories.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(taken)) };
    await page.locator("input[type=file]").setInputFiles(file);
    const notice = await page.getByTestId("memories-imported").textContent(SHORT_TIMEOUT);
    expect(notice).toContain("Imported: 1, already known: 1. Not imported: 1");
    await page.getByTestId("memory").filter({ hasText: "Likes sencha" }).waitFor();
    const { items } = await pages.api.get<{ items: readonly Memory[] }>("/api/memory?q=sencha");
    await pages.api.post("/api/memory/batch-delete", { ids: items.map(({ id }) => id) });
    expect(pages.problems).toEqual([]);
    await pages.releasePage(page);
  });

  test("are filtered by person, edited, merged and deleted", { timeout: 60_000 }, async () => {
    const page = await pages.visit("/memories");
    await page.getByTestId("memory").first().waitFor();
    await page.getByRole("combobox", { name: "Person" }).click();
    await page.getByRole("option", { name: "imA:user:42" }).click();
    await expect.poll(() => page.getByTestId("memory").count(), SHORT_TIMEOUT).toBe(2);
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await page.getByTestId("merge-memories").click();
    await page.getByTestId("merged-content").fill("Likes green tea and oolong");
    await expectNoOverflow(page, "memories-merge");
    await page.getByTestId("save-merge").click();
    await expect.poll(() => page.getByTestId("memory").count(), SHORT_TIMEOUT).toBe(1);
    expect(await page.getByTestId("memory-earlier").count()).toBe(2);
    await page.getByTestId("edit-memory").click();
    await page.getByTestId("memory-content").fill("Likes tea");
    await page.getByTestId("save-memory").click();
    await page.getByTestId("memory").filter({ hasText: "Likes tea" }).waitFor();
    const [memory] = (await pages.api.get<{ items: readonly Memory[] }>("/api/memory?target_id=imA:user:42")).items;
    expect(memory).toMatchObject({ content: "Likes tea" });
    await page.getByTestId("forget-memory").click();
    await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
    await expect.poll(() => page.getByTestId("memory").count(), SHORT_TIMEOUT).toBe(0);
    expect((await pages.api.get<{ total: number }>("/api/memory?target_id=imA:user:42&replaced=true")).total).toBe(0);
    await page.getByTestId("new-memory").click();
    await page.getByTestId("memory-content").fill("Speaks Latin");
    await page.getByTestId("save-memory").click();
    await page.getByTestId("memory").filter({ hasText: "Speaks Latin" }).waitFor();
    expect(pages.problems).toEqual([]);
    await pages.releasePage(page);
  });
});
