import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { runMessageAction } from "./message-actions.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.runIf(canBrowse)("sharing a conversation", () => {
  let pages: Console;
  let page: Page;
  let session: string;

  beforeAll(async () => {
    pages = await startConsole();
    const { api } = pages;
    const sender_portrait = await uploadPicture(pages);
    const names = { name: "About tea", sender_name: "Mira", sender_portrait };
    session = (await api.post<{ id: string }>("/api/sessions", names)).id;
    for (const content of ["How long does **green** tea take?", "And black tea?", "And white?"]) {
      await api.post(`/api/sessions/${session}/chat`, { content });
    }
    page = await pages.visit(`/sessions/${session}`);
    await page.getByTestId("message").nth(5).waitFor();
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const dialog = () => page.getByRole("dialog", { name: "Share conversation" });
  const preview = () => page.getByTestId("share-preview");
  const link = () => dialog().getByRole("textbox", { name: "Link" }).inputValue();
  const shareAll = async () => {
    await page.getByRole("button", { name: "More" }).click();
    await page.getByTestId("share").click();
  };

  test("previews what will be public, live with the options", async () => {
    await shareAll();
    await preview().getByText("6 messages").waitFor();
    await dialog().getByRole("checkbox", { name: "User messages" }).uncheck();
    await preview().getByText("3 messages").waitFor();
    expect(await preview().getByText("And black tea?", { exact: true }).count()).toBe(0);
    await dialog().getByRole("checkbox", { name: "User messages" }).check();
    await preview().getByText("6 messages").waitFor();
    expect(await page.getByTestId("published").count()).toBe(0);
    await expectNoOverflow(page, "share-preview");
  });

  test("publishes, shows the link and its image, and unpublishes at once", async () => {
    await page.getByTestId("publish").click();
    await page.getByTestId("published").waitFor();
    const address = await link();
    expect((await fetch(address)).status).toBe(200);
    const code = dialog().getByRole("img", { name: "QR code of the link" });
    await expect
      .poll(() => code.evaluate((one) => "naturalWidth" in one && Number(one.naturalWidth) > 0), SHORT_TIMEOUT)
      .toBe(true);
    await expectNoOverflow(page, "share-published");
    await dialog().getByRole("button", { name: "Unpublish" }).click();
    await page.getByRole("dialog", { name: "Unpublish" }).getByRole("button", { name: "Unpublish" }).click();
    await page.getByTestId("published").waitFor({ state: "detached" });
    expect((await fetch(address)).status).toBe(404);
    await dialog().getByRole("button", { name: "Close" }).first().click();
  });

  test("shares up to the message whose menu was used, password-protected", async () => {
    const second = page.getByTestId("message").nth(1);
    await runMessageAction(second, "share-to-here");
    await dialog().getByRole("radio", { name: "Up to message 2" }).waitFor();
    await preview().getByText("2 messages").waitFor();
    const password = dialog().getByRole("textbox", { name: "Password (optional)" });
    await password.fill("abc");
    expect(await page.getByTestId("publish").isDisabled()).toBe(true);
    await password.fill("sesame");
    await page.getByTestId("publish").click();
    await dialog().getByText("password-protected").waitFor();
    const html = await (await fetch(await link())).text();
    expect(html).not.toContain("tea take");
    await dialog().getByRole("button", { name: "Close" }).first().click();
    await page.getByTestId("is-public").waitFor();
  });

  test("works without scripts: a light page with pictures, an og: image, and a password form", async () => {
    const reader = await pages.openPage({ javaScriptEnabled: false });
    const { public_url } = await pages.api.get<{ public_url: string }>(`/api/sessions/${session}/public/status`);
    await reader.goto(public_url);
    await reader.getByLabel("Password").fill("sesame");
    await reader.getByRole("button", { name: "Open" }).click();
    await reader.getByRole("heading", { name: "About tea · Mira" }).waitFor();
    expect(await reader.locator("article").count()).toBe(2);
    expect(await reader.locator("article strong").first().textContent()).toBe("green");
    await reader.goto(public_url);
    expect(await reader.locator("article").count()).toBe(2);

    await pages.api.post(`/api/sessions/${session}/public`, { password: null });
    const answer = await reader.goto(public_url);
    expect((await answer?.body())?.length).toBeLessThan(30_000);
    expect(await reader.locator("article").count()).toBe(6);
    const og = await reader.locator('meta[property="og:image"]').getAttribute("content");
    expect(new URL(og ?? "").origin).toBe(new URL(public_url).origin);
    const preview = await fetch(og ?? "");
    expect([preview.status, preview.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(await reader.locator("script").count()).toBe(0);
    await takeScreenshot(reader, "public-page");
    await reader.close();
  });

  test("reads well on a phone, dark and in Chinese", async () => {
    const phone = await pages.visit(`/sessions/${session}`, PHONE);
    await phone.getByRole("button", { name: "更多" }).click();
    await phone.getByTestId("share").click();
    await phone.getByTestId("published").waitFor();
    await phone.getByTestId("share-preview").waitFor();
    await expectNoOverflow(phone, "share-phone");
    await phone.close();
    expect(pages.problems).toEqual([]);
  });
});

async function uploadPicture({ parley, api }: Console): Promise<string> {
  const form = new FormData();
  form.set("file", new Blob([PNG], { type: "image/png" }), "mira.png");
  const headers = { authorization: `Bearer ${api.token}` };
  const answer = await fetch(`${parley.address}/api/upload`, { method: "POST", headers, body: form });
  return ((await answer.json()) as { data: { url: string } }).data.url;
}
