import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

const text = (name: string, content: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

describe.runIf(canBrowse)("the files page", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole();
    page = await pages.visit("/files");
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const row = (name: string) => page.getByTestId("file-row").filter({ hasText: name });
  const count = (name: string) => expect.poll(() => row(name).count(), SHORT_TIMEOUT);

  test("shows uploaded files and previews their content", async () => {
    await page.locator('input[type="file"]').setInputFiles([text("notes.txt", "buy milk"), text("old.txt", "x")]);
    await count("notes.txt").toBe(1);
    await row("notes.txt").getByText("notes.txt").click();
    await expect.poll(() => page.getByTestId("file-text").textContent(), SHORT_TIMEOUT).toBe("buy milk");
    await page.keyboard.press("Escape");
    await expectNoOverflow(page, "files");
  });

  test("moves a dragged file into a folder, and renames it there", async () => {
    await page.getByTestId("new-folder").click();
    await page.getByTestId("file-name").fill("plans");
    await page.getByTestId("save-name").click();
    await count("plans").toBe(1);
    await row("notes.txt").getByText("notes.txt").dragTo(row("plans").getByText("plans"));
    await count("notes.txt").toBe(0);
    await row("plans").getByText("plans").click();
    await count("notes.txt").toBe(1);
    await row("notes.txt").getByTestId("rename-file").click();
    await page.getByTestId("file-name").fill("shopping.txt");
    await page.getByTestId("save-name").click();
    await count("shopping.txt").toBe(1);
    await page.getByText("All files").click();
    await count("plans").toBe(1);
    await page.getByTestId("file-search").fill("shop");
    await count("plans/shopping.txt").toBe(1);
    await page.getByTestId("file-search").fill("");
  });

  test("plays a recording from a given position, without loading what is before", async () => {
    await page
      .locator('input[type="file"]')
      .setInputFiles([{ name: "talk.wav", mimeType: "audio/wav", buffer: wav(40) }]);
    await count("talk.wav").toBe(1);
    const ranges: string[] = [];
    page.on("response", (answer) => {
      const { "content-range": range } = answer.headers();
      if (answer.status() === 206 && range) ranges.push(range);
    });
    await row("talk.wav").getByText("talk.wav").click();
    const player = page.locator("audio.file-manager_fileShown");
    await expect.poll(() => player.evaluate((one) => Math.round(Reflect.get(one, "duration"))), SHORT_TIMEOUT).toBe(40);
    await player.evaluate((one) => Reflect.set(one, "currentTime", 38));
    await expect
      .poll(
        () => player.evaluate((one) => (Reflect.get(one, "seeking") ? 0 : Math.round(Reflect.get(one, "currentTime")))),
        SHORT_TIMEOUT,
      )
      .toBe(38);
    const starts = ranges.map((range) => Number(/^bytes (\d+)-/.exec(range)?.[1]));
    expect(Math.max(...starts)).toBeGreaterThan(2 * 1024 * 1024);
    await page.keyboard.press("Escape");
  });

  test("deletes selected files, and restores them", async () => {
    await count("old.txt").toBe(1);
    await row("old.txt").getByRole("checkbox").check();
    await page.getByTestId("remove-selected").click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await count("old.txt").toBe(0);
    await page.getByTestId("open-trash").click();
    await page.getByTestId("put-back").first().click();
    await expect.poll(() => page.getByTestId("trash-row").count(), SHORT_TIMEOUT).toBe(0);
    await page.keyboard.press("Escape");
    await count("old.txt").toBe(1);
  });

  test("lists every deleted file, however many there are", async () => {
    for (let number = 1; number <= 101; number += 1) {
      const { path } = await pages.api.post<{ path: string }>("/api/workspace/shared/folders", { name: `f${number}` });
      await pages.api.send("DELETE", `/api/workspace/shared/files/${path}?recursive=true`);
    }
    await page.reload();
    await page.getByTestId("open-trash").click();
    const rows = page.getByTestId("trash-row");
    await expect
      .poll(async () => {
        await rows.last().scrollIntoViewIfNeeded();
        return rows.count();
      }, SHORT_TIMEOUT)
      .toBe(101);
    await page.keyboard.press("Escape");
  });

  test("shows a conversation's own files beside it, on a phone, in Chinese and dark", async () => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "with files" });
    const phone = await pages.visit(`/sessions/${id}`, PHONE);
    await phone.getByRole("button", { name: "更多" }).click();
    await phone.getByTestId("session-files").click();
    await phone
      .getByTestId("file-manager")
      .locator('input[type="file"]')
      .setInputFiles([text("own.txt", "mine")]);
    await expect.poll(() => phone.getByTestId("file-row").count(), SHORT_TIMEOUT).toBe(1);
    await expectNoOverflow(phone, "files-phone");
    const { total } = await pages.api.get<{ total: number }>(`/api/sessions/${id}/workspace/files`);
    expect(total).toBe(1);
    expect(pages.problems).toEqual([]);
  });
});

/** Creates a WAV file of this many silent seconds. */
function wav(seconds: number): Buffer {
  const [rate, bytesEach] = [44_100, 2];
  const size = seconds * rate * bytesEach;
  const file = Buffer.alloc(44 + size);
  file.write("RIFF", 0);
  file.writeUInt32LE(36 + size, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * bytesEach, 28);
  file.writeUInt16LE(bytesEach, 32);
  file.writeUInt16LE(8 * bytesEach, 34);
  file.write("data", 36);
  file.writeUInt32LE(size, 40);
  return file;
}
