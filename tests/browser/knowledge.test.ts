import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, fits, PHONE, SOON, startConsole } from "./console.ts";

describe.runIf(canBrowse)("the page of knowledge", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole();
    await pages.api.post("/api/knowledge", { title: "Harbour rules", content: "# Mooring\nBoats moor on the left." });
    page = await pages.visited("/knowledge");
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const row = (title: string) => page.getByTestId("document-row").filter({ hasText: title });

  test("shows what there is, and how a document was cut", async () => {
    await expect.poll(() => row("Harbour rules").textContent(), SOON).toContain("indexed");
    await row("Harbour rules").getByRole("button", { name: "Harbour rules" }).click();
    await expect
      .poll(() => page.getByTestId("passage").textContent(), SOON)
      .toContain("MooringBoats moor on the left.");
    await page.keyboard.press("Escape");
    await fits(page, "knowledge");
  });

  test("reads the files that it is given and tells which one cannot be read", async () => {
    const files = [
      { name: "gulls.md", mimeType: "text/markdown", buffer: Buffer.from("# Gulls\nGulls steal chips.") },
      { name: "torn.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4 torn") },
    ];
    await page.locator('input[type="file"]').setInputFiles(files);
    await expect.poll(() => row("gulls").count(), SOON).toBe(1);
    await expect.poll(() => page.getByTestId("reading-files").textContent(), SOON).toContain("the PDF is damaged");
  });

  test("marks what was searched for, says why, and shows what the model would get", async () => {
    await page.getByText("Search", { exact: true }).last().click();
    await page.getByTestId("knowledge-question").fill("who steals chips?");
    await expect.poll(() => page.locator("mark").allTextContents(), SOON).toEqual(["steal", "chips"]);
    await page.getByTestId("for-model").click();
    await expect.poll(() => page.getByTestId("model-gets").textContent(), SOON).toContain("[1] gulls › Gulls");
    await page.getByTestId("knowledge-hit").first().locator("summary").click();
    await fits(page, "knowledge-search");
  });

  test("fits a phone in Chinese", async () => {
    const phone = await pages.visited("/knowledge", PHONE);
    await phone.getByTestId("document-row").first().waitFor();
    expect(await phone.getByRole("heading", { level: 1 }).textContent()).toBe("知识库");
    await fits(phone, "knowledge-phone");
    expect(pages.problems).toEqual([]);
  });
});
