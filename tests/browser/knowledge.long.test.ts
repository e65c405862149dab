import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startModelServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

describe.runIf(canBrowse)("the knowledge page", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole();
    await pages.api.post("/api/knowledge", { title: "Harbour rules", content: "# Mooring\nBoats moor on the left." });
    page = await pages.visit("/knowledge");
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const row = (title: string) => page.getByTestId("document-row").filter({ hasText: title });

  test("shows the documents and their passages", async () => {
    await expect.poll(() => row("Harbour rules").textContent(), SHORT_TIMEOUT).toContain("indexed");
    await row("Harbour rules").getByRole("button", { name: "Harbour rules" }).click();
    await expect
      .poll(() => page.getByTestId("passage").textContent(), SHORT_TIMEOUT)
      .toContain("MooringBoats moor on the left.");
    await page.keyboard.press("Escape");
    await expectNoOverflow(page, "knowledge");
  });

  test("imports files and names the unreadable one", async () => {
    const files = [
      { name: "gulls.md", mimeType: "text/markdown", buffer: Buffer.from("# Gulls\nGulls steal chips.") },
      { name: "torn.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4 torn") },
    ];
    await page.locator('input[type="file"]').setInputFiles(files);
    await expect.poll(() => row("gulls").count(), SHORT_TIMEOUT).toBe(1);
    await expect
      .poll(() => page.getByTestId("reading-files").textContent(), SHORT_TIMEOUT)
      .toContain("the PDF is damaged");
  });

  test("imports dropped folders, also nested ones, with each file's path", async () => {
    const folder = join(pages.parley.root, "harbour");
    for (const [path, text] of [
      ["tides/notes.md", "High tide is at noon."],
      ["boats/small/notes.md", "The skiff is green."],
      [".hidden/notes.md", "Nobody reads this."],
    ] as const) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    await row("Harbour rules").waitFor();
    const cdp = await page.context().newCDPSession(page);
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    const drag = (type: "dragEnter" | "dragOver" | "drop") =>
      cdp.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
    await drag("dragEnter");
    await drag("dragOver");
    // The notice moves the page under the pointer.
    await page.getByText("Drop files to add them").waitFor();
    for (const type of ["dragOver", "dragOver", "drop"] as const) await drag(type);
    await expect.poll(() => row("notes").count(), SHORT_TIMEOUT).toBe(2);
    const { items } = await pages.api.get<{ items: readonly { source: string }[] }>("/api/knowledge?q=notes");
    const sources = ["harbour/boats/small/notes.md", "harbour/tides/notes.md"];
    expect(items.map(({ source }) => source).toSorted()).toEqual(sources);
  });

  test("highlights search terms, explains hits, and shows the model's context", async () => {
    await page.getByText("Search", { exact: true }).last().click();
    await page.getByTestId("knowledge-question").fill("who steals chips?");
    await expect.poll(() => page.locator("mark").allTextContents(), SHORT_TIMEOUT).toEqual(["steal", "chips"]);
    await page.getByTestId("for-model").click();
    await expect.poll(() => page.getByTestId("model-gets").textContent(), SHORT_TIMEOUT).toContain("[1] gulls › Gulls");
    await page.getByTestId("knowledge-hit").first().locator("summary").click();
    await expectNoOverflow(page, "knowledge-search");
  });

  test("links the passages of a reply to their documents", async () => {
    await using models = await startModelServer({
      answer: () => ({ kind: "text", text: "On the left side, as the rules say [1]." }),
    });
    const model = { name: "m", model: "m", base_url: models.baseUrl };
    const { id: modelId } = await pages.api.post<{ id: string }>("/api/ai-models", model);
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "Moorings" });
    await pages.api.post(`/api/sessions/${id}/chat`, { content: "On which side do boats moor in the harbour?" });
    const talk = await pages.visit(`/sessions/${id}`);
    await expect
      .poll(() => talk.getByTestId("citation").allTextContents(), SHORT_TIMEOUT)
      .toEqual(["[1] Harbour rules"]);
    await talk.getByTestId("citation").click();
    await expect
      .poll(() => talk.getByTestId("cited-passage").textContent(), SHORT_TIMEOUT)
      .toContain("Boats moor on the left.");
    await expectNoOverflow(talk, "citation");
    await pages.api.send("DELETE", `/api/ai-models/${modelId}`);
    await talk.close();
  });

  test("fits a phone in Chinese", async () => {
    const phone = await pages.visit("/knowledge", PHONE);
    await phone.getByTestId("document-row").first().waitFor();
    expect(await phone.getByRole("heading", { level: 1 }).textContent()).toBe("知识库");
    await expectNoOverflow(phone, "knowledge-phone");
    expect(pages.problems).toEqual([]);
  });
});
