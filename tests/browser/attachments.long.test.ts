import type { Message } from "@parley/core";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { PDF, PNG } from "../harness/files/sample-files.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

const MEBIBYTE = 1024 * 1024;

interface Chosen {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}
/** Drag data of the browser. */
interface Carried {
  readonly items: { add(file: File): void };
  setData(type: string, text: string): void;
}
const png = (name: string): Chosen => ({ name, mimeType: "image/png", buffer: PNG });
const pdf = (name: string): Chosen => ({ name, mimeType: "application/pdf", buffer: PDF });

describe.runIf(canBrowse)("files in the composer", () => {
  let pages: Console;
  let page: Page;
  let session: string;

  beforeAll(async () => {
    pages = await startConsole();
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    session = await newSession();
    page = await pages.visit(`/sessions/${session}`);
    await page.getByTestId("composer").waitFor();
  });
  afterEach(async () => {
    await pages.releasePage(page);
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const newSession = async () => (await pages.api.post<{ id: string }>("/api/sessions", { name: "files" })).id;
  const choose = (...files: readonly Chosen[]) => page.getByTestId("file-input").setInputFiles([...files]);
  const picked = (state = "ready", on = page) => on.locator(`[data-testid="picked-file"][data-state="${state}"]`);
  const countOf = (count: number) => expect.poll(() => picked().count(), SHORT_TIMEOUT).toBe(count);
  const leftOut = () => page.getByTestId("rejected-files");
  const userMessages = () => page.locator('[data-testid="message"][data-role="user"]');
  const isDrawn = (image: Locator) =>
    image.evaluate((one) => {
      const { complete, naturalWidth } = one as unknown as { complete: boolean; naturalWidth: number };
      return complete && naturalWidth > 0;
    });
  const sentPicture = (on = page) => on.getByTestId("message").locator("img.message_attached");
  const stored = async () => {
    const { items } = await pages.api.get<{ items: readonly Message[] }>(`/api/sessions/${session}/messages`);
    return items.find(({ role }) => role === "user");
  };
  /** Drag data with files and text. */
  const carried = (files: readonly Chosen[], text = "") =>
    page.evaluateHandle(
      ({ given, words }) => {
        const { DataTransfer } = globalThis as unknown as { readonly DataTransfer: new () => Carried };
        const data = new DataTransfer();
        for (const { name, type, bytes } of given) data.items.add(new File([new Uint8Array(bytes)], name, { type }));
        if (words) data.setData("text/plain", words);
        return data;
      },
      { given: files.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, bytes: [...buffer] })), words: text },
    );

  test("are chosen, shown, removed, sent, and shown with the message", async () => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByTestId("attach").click();
    await (await chooser).setFiles([png("cat.png"), pdf("报告 2026.pdf"), pdf("wrong.pdf")]);
    await countOf(3);
    await expect.poll(() => isDrawn(page.locator(".composer_picked img")), SHORT_TIMEOUT).toBe(true);
    await picked().filter({ hasText: "wrong.pdf" }).getByRole("button", { name: "Remove: wrong.pdf" }).click();
    await countOf(2);
    await page.getByTestId("composer").fill("what is this?");
    await takeScreenshot(page, "attach-chosen");
    await page.getByTestId("composer").press("Enter");
    await userMessages().locator(".message_bubble").getByText("what is this?").waitFor();
    await countOf(0);
    await expect.poll(() => isDrawn(sentPicture()), SHORT_TIMEOUT).toBe(true);
    const link = userMessages().locator("a.message_attachedFile");
    await link.getByText("报告 2026.pdf").waitFor();
    const { attachments = [] } = (await stored()) ?? {};
    expect(attachments).toMatchObject([
      { type: "image", name: "cat.png", mime_type: "image/png", size: PNG.length },
      { type: "file", name: "报告 2026.pdf", mime_type: "application/pdf", size: PDF.length },
    ]);
    expect(await link.getAttribute("href")).toBe(attachments[1]?.url);
    const answer = await page.context().request.get(`${pages.parley.address}${attachments[1]?.url}`);
    expect((await answer.body()).equals(PDF)).toBe(true);
    await takeScreenshot(page, "attach-sent");
  });

  test("can be sent without text, and the draft preserves them over a reload", async () => {
    expect(await page.getByTestId("send").isDisabled()).toBe(true);
    await choose(png("cat.png"));
    await countOf(1);
    await page.reload();
    await countOf(1);
    await page.getByTestId("send").click();
    await expect.poll(() => isDrawn(sentPicture()), SHORT_TIMEOUT).toBe(true);
    expect(await stored()).toMatchObject({ content: "", attachments: [{ name: "cat.png" }] });
    await page.reload();
    await page.getByTestId("composer").waitFor();
    expect(await page.getByTestId("picked-file").count()).toBe(0);
  });

  test("that are shown as saved survive a reload, however slowly the browser opens its database", async () => {
    // The request never completes.
    await page.addInitScript("IDBFactory.prototype.open = () => ({})");
    await page.reload();
    await choose(png("cat.png"));
    await countOf(1);
    await page.reload();
    await countOf(1);
    await page.close();
  });

  test("are dropped anywhere on the page, which shows that", async () => {
    const data = await carried([png("dropped.png"), pdf("dropped.pdf")]);
    await page.locator(".chat_messageLog").dispatchEvent("dragover", { dataTransfer: data });
    await page.getByText("Drop files here to attach them").waitFor();
    await takeScreenshot(page, "attach-drop");
    await page.locator(".chat_messageLog").dispatchEvent("drop", { dataTransfer: data });
    await page.getByText("Drop files here to attach them").waitFor({ state: "detached" });
    await countOf(2);
    await page.locator(".chat_messageLog").dispatchEvent("dragover", { dataTransfer: await carried([], "only words") });
    expect(await page.getByText("Drop files here to attach them").count()).toBe(0);
  });

  test("cannot be folders, which is explained", async () => {
    const data = await carried([pdf("holidays"), pdf("plan.pdf")]);
    // Simulates how browsers report a dropped folder.
    await page.evaluate(
      "DataTransferItem.prototype.webkitGetAsEntry = function () { const { name } = this.getAsFile(); return { name, isDirectory: name === 'holidays' }; }",
    );
    await page.locator(".chat_messageLog").dispatchEvent("drop", { dataTransfer: data });
    await leftOut().getByText("holidays: not attached: folders cannot be attached").waitFor();
    await countOf(1);
    await picked().getByText("plan.pdf").waitFor();
    await page.close();
  });

  test("are pasted when they are pictures, and ignored when the clipboard contains text", async () => {
    const paste = async (files: readonly Chosen[], text = "") => {
      const data = await carried(files, text);
      await page.getByTestId("composer").evaluate((field, clipboardData) => {
        const { ClipboardEvent } = globalThis as unknown as { readonly ClipboardEvent: typeof CustomEvent };
        const given = { clipboardData, bubbles: true, cancelable: true };
        (field as unknown as EventTarget).dispatchEvent(new ClipboardEvent("paste", given));
      }, data);
    };
    await paste([png("cells.png")], "a\tb");
    await paste([png("image.png")]);
    await countOf(1);
    await picked().getByText("image.png").waitFor();
  });

  test("are sent after their upload, which can be cancelled", async () => {
    const { promise: paused, resolve: letThrough } = Promise.withResolvers<void>();
    await page.route("**/api/upload", async (route) => {
      await paused;
      await route.continue();
    });
    await page.getByTestId("composer").fill("both of them");
    await choose(pdf("first.pdf"), pdf("second.pdf"));
    await expect.poll(() => picked("uploading").count(), SHORT_TIMEOUT).toBe(2);
    await page.getByRole("progressbar", { name: "Uploading: first.pdf" }).waitFor({ state: "attached" });
    expect(await page.getByTestId("send").isDisabled()).toBe(true);
    await page.getByTestId("composer").press("Enter");
    expect(await page.getByTestId("composer").inputValue()).toBe("both of them");
    await takeScreenshot(page, "attach-uploading");
    await page.getByRole("button", { name: "Remove: first.pdf" }).click();
    letThrough();
    await countOf(1);
    await expect.poll(() => picked("uploading").count(), SHORT_TIMEOUT).toBe(0);
    await page.getByTestId("composer").press("Enter");
    await userMessages().getByText("second.pdf").waitFor();
    const names = async () => (await stored())?.attachments.map(({ name }) => name);
    await expect.poll(names, SHORT_TIMEOUT).toEqual(["second.pdf"]);
  });

  test("that are too large are rejected before the upload, or by the service, in plain words", async () => {
    const large = { ...pdf("film.pdf"), buffer: Buffer.alloc(2 * MEBIBYTE) };
    const limit = (mb: number) => pages.api.put("/api/settings", { files: { max_upload_mb: mb } });
    const visit = async (knownMb: number) => {
      await page.reload();
      await page.getByRole("button", { name: `Attach files (≤ ${knownMb} MB)` }).waitFor();
    };
    await limit(1);
    try {
      const asked: string[] = [];
      page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
      await visit(1);
      await choose(large, pdf("small.pdf"));
      await leftOut().getByText("film.pdf: not attached: larger than 1 MB").waitFor();
      await countOf(1);
      expect(asked.filter((path) => path === "/api/upload")).toHaveLength(1);
      await takeScreenshot(page, "attach-too-large");
      // A page that has another limit.
      const data = { files: { max_upload_mb: 50 } };
      await page.route("**/api/settings", (route) => route.fulfill({ json: { success: true, message: "", data } }));
      await visit(50);
      await choose(large);
      await leftOut().getByText("film.pdf: the file is larger than 1 MiB").waitFor();
    } finally {
      await limit(50);
    }
  });

  test("are limited to ten; the others are named", async () => {
    await choose(...Array.from({ length: 12 }, (_, index) => pdf(`page-${index + 1}.pdf`)));
    await countOf(10);
    await leftOut().getByText("page-11.pdf: not attached: at most 10 files per message").waitFor();
    await leftOut().getByText("page-12.pdf").waitFor();
    await takeScreenshot(page, "attach-ten");
    await leftOut().getByRole("button", { name: "Close" }).click();
    await leftOut().waitFor({ state: "detached" });
    await page.getByTestId("send").click();
    await expect.poll(async () => (await stored())?.attachments.length, SHORT_TIMEOUT).toBe(10);
  });

  test("that cannot be sent are named with the reason", async () => {
    await page.route("**/api/upload", (route) => route.abort("connectionreset"));
    await choose(png("cat.png"));
    await leftOut().getByText("cat.png: The service cannot be reached").waitFor();
    expect(await page.getByTestId("picked-file").count()).toBe(0);
  });

  test("support Chinese, dark mode and phones", async () => {
    const phone = await pages.visit(`/sessions/${session}`, PHONE);
    const many = Array.from({ length: 9 }, (_, index) => pdf(`一份名字很长很长很长很长很长的报告-${index}.pdf`));
    await phone.getByRole("button", { name: "添加附件" }).waitFor();
    await phone.getByTestId("file-input").setInputFiles([png("cat.png"), ...many, pdf("more.pdf")]);
    await expect.poll(() => picked("ready", phone).count(), SHORT_TIMEOUT).toBe(10);
    await phone.getByText("more.pdf: 未添加：每条消息最多 10 个附件").waitFor();
    await expectNoOverflow(phone, "phone-attach");
    await phone.getByTestId("composer").fill("请看附件");
    await phone.getByTestId("send").click();
    await expect.poll(() => isDrawn(sentPicture(phone)), SHORT_TIMEOUT).toBe(true);
    await expectNoOverflow(phone, "phone-attach-sent");
    await phone.close();
  });
});
