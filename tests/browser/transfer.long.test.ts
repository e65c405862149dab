import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

const PASSWORD = "between you and me";

describe.runIf(canBrowse)("the page for exports and imports", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-packages-"));
  const file = join(folder, "package.zip");
  let pages: Console;
  let page: Page;
  let book: string;

  beforeAll(async () => {
    pages = await startConsole();
    const made = await pages.api.post<{ id: string }>("/api/world-books", {
      name: "Town",
      entries: [{ keywords: ["inn"], content: "An old inn." }],
    });
    book = made.id;
    await pages.api.post("/api/ai-models", { name: "By name", model: "m", api_key_env: "NOT_SET_HERE" });
    page = await pages.visit("/transfer");
  }, 60_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (on: Page, way: string, choose: string, look: string) => {
    await on.getByText(way, { exact: true }).click();
    await on.locator("input[type=file]").setInputFiles(file);
    await on.getByTestId("package-password").fill(PASSWORD);
    await on.getByText(choose, { exact: true }).click();
    await on.getByRole("button", { name: look }).click();
    await on.getByTestId("changes").waitFor(SHORT_TIMEOUT);
  };

  test("exports a package with a password that is long enough", async () => {
    await page.getByTestId("section-tasks").waitFor(SHORT_TIMEOUT);
    await page.getByTestId("package-password").fill("short");
    expect(await page.getByTestId("make-package").isDisabled()).toBe(true);
    await page.getByTestId("package-password").fill(PASSWORD);
    await expectNoOverflow(page, "transfer-out");
    const [saved] = await Promise.all([
      page.waitForEvent("download", SHORT_TIMEOUT),
      page.getByTestId("make-package").click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^parley-config-.*\.zip$/);
    await saved.saveAs(file);
  });

  test("reports an invalid password, and previews the changes of a package", async () => {
    await pages.api.put(`/api/world-books/${book}`, { description: "Changed since." });
    const { items } = await pages.api.get<{ items: { id: string }[] }>("/api/ai-models");
    for (const { id } of items) await pages.api.send("DELETE", `/api/ai-models/${id}`);
    await page.getByText("Import a package", { exact: true }).click();
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByTestId("package-password").fill("another password");
    await page.getByTestId("preview-import").click();
    await page.getByRole("alert").getByText("the password is wrong, or the package was changed").waitFor(SHORT_TIMEOUT);
    await open(page, "Import a package", "replace", "Preview changes");
    await page.getByTestId("changes").getByText("NOT_SET_HERE").waitFor(SHORT_TIMEOUT);
    const changed = page.getByTestId("changed-world_books").first();
    await changed.getByRole("button").click();
    await changed.getByText("Changed: description").waitFor(SHORT_TIMEOUT);
    // What is chosen here comes in, and is named as a heading.
    await page.getByText("What to import", { exact: true }).waitFor(SHORT_TIMEOUT);
    expect(await page.getByText("Contents", { exact: true }).count()).toBe(0);
    await page.getByText("World books", { exact: true }).first().waitFor(SHORT_TIMEOUT);
    await expectNoOverflow(page, "transfer-changes");
    expect(await pages.api.get(`/api/world-books/${book}`)).toMatchObject({ description: "Changed since." });
  });

  test("is as readable on a dark phone in Chinese", async () => {
    const phone = await pages.visit("/transfer", PHONE);
    await phone.getByTestId("section-tasks").waitFor(SHORT_TIMEOUT);
    await expectNoOverflow(phone, "transfer-out-phone");
    await open(phone, "导入配置包", "以配置包为准", "预览变化");
    await phone.getByTestId("changed-world_books").first().scrollIntoViewIfNeeded();
    await expectNoOverflow(phone, "transfer-changes-phone");
  });

  test("replaces existing data after a confirmation, and shows the result", async () => {
    await page.getByTestId("apply-import").click();
    await page.getByTestId("replace").click();
    await page.getByTestId("import-done").waitFor(SHORT_TIMEOUT);
    expect(await pages.api.get(`/api/world-books/${book}`)).toMatchObject({ description: "" });
    expect(await pages.api.get("/api/ai-models")).toMatchObject({ items: [{ name: "By name" }] });
    await expectNoOverflow(page, "transfer-done");
    expect(pages.problems).toEqual([]);
  });
});
