import { readFileSync } from "node:fs";
import { openArchive } from "@parley/core/archive";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { eventually } from "../harness/eventually.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

const desk = createFakeChannel("desk", "none");

describe.runIf(canBrowse)("the people page", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [desk.plugin] });
    await pages.api.post("/api/channels", { id: "desk", name: "Front desk", type: "desk", transport: "bridge" });
    for (const name of ["Berta", "Carl"]) {
      await desk.say(name, `hello, ${name} here`, {
        sessionId: `desk:private:${name}`,
        conversation: { id: name, isGroup: false },
        sender: { id: name, name, isAdmin: false },
      });
    }
    await eventually(() => expect(desk.sent.length).toBe(2));
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());
  afterEach(async () => {
    await pages.releasePage(page);
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const row = (name: string) => page.getByTestId("person-row").filter({ hasText: name });
  const stored = async (q: string) => (await pages.api.get<{ total: number }>(`/api/people?q=${q}`)).total;

  test("exports everything that is stored about a person as a file", async () => {
    page = await pages.visit("/people");
    await row("Berta").getByText("Front desk").waitFor();
    await expectNoOverflow(page, "people");
    const download = page.waitForEvent("download");
    await row("Berta").getByTestId("export-person").click();
    const path = await (await download).path();
    const names = openArchive(readFileSync(path)).map(({ name }) => name);
    expect(names).toContain("messages.json");
  });

  test("is linked from a conversation, lists what is deleted, and erases after the name is typed", async () => {
    page = await pages.visit("/");
    await page.getByTestId("session-item").filter({ hasText: "Carl" }).click();
    await page.getByTestId("session-menu").click();
    await page.getByTestId("person-data").click();
    await expect.poll(() => page.getByTestId("person-row").count(), SHORT_TIMEOUT).toBe(1);
    await row("Carl").getByTestId("erase-person").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("What they wrote in groups, and the answers to it").waitFor();
    await dialog.getByText("existing backups are kept").waitFor();
    const confirm = page.getByTestId("confirm-erase");
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByTestId("erase-name").fill("Berta");
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.press("Enter");
    expect(await stored("Carl")).toBe(1);
    await page.getByTestId("erase-name").fill("Carl");
    await expectNoOverflow(page, "people-erase");
    await confirm.click();
    await page.getByTestId("person-erased").waitFor({ timeout: 30_000 });
    await expectNoOverflow(page, "people-erased");
    await page.getByTestId("close-erased").click();
    expect(await stored("Carl")).toBe(0);
    expect(await stored("Berta")).toBe(1);
    await page.getByText("Nobody matches.").waitFor();
  });

  test("shows the progress of an erasure, and its failure", async () => {
    page = await pages.visit("/people");
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/people/**", async (route) => {
      await answered;
      await route.fulfill({ json: { success: true, data: { job_id: "job_1", status: "running", counts: null } } });
    });
    let status = "running";
    await page.route("**/api/jobs*", (route) =>
      route.fulfill({
        json: {
          success: true,
          data: { items: [{ id: "job_1", kind: "people.erase", status, progress: 0.3 }], total: 1 },
        },
      }),
    );
    await page.route("**/api/jobs/job_1", (route) =>
      route.fulfill({ json: { success: true, data: { id: "job_1", kind: "people.erase", status, progress: 0.6 } } }),
    );
    await row("Berta").getByTestId("erase-person").click();
    await page.getByTestId("erase-name").fill("Berta");
    await page.getByTestId("confirm-erase").click();
    const bar = page.getByTestId("erasing").getByRole("progressbar");
    await expect.poll(() => bar.getAttribute("aria-valuenow"), SHORT_TIMEOUT).toBe("30");
    answer();
    await expect.poll(() => bar.getAttribute("aria-valuenow"), SHORT_TIMEOUT).toBe("60");
    status = "dead";
    await page.getByText("Erasing did not finish.").waitFor();
    await page.unrouteAll();
  });

  test("fits a phone, dark and in Chinese", async () => {
    page = await pages.visit("/people", PHONE);
    await row("Berta").getByText("Front desk").waitFor();
    await expectNoOverflow(page, "people-phone");
    await row("Berta").getByTestId("erase-person").click();
    await page.getByText("输入“Berta”以确认").waitFor();
    await expectNoOverflow(page, "people-phone-erase");
    await page.keyboard.press("Escape");
  });

  test("is hidden from accounts that may not erase", async () => {
    const { password } = await pages.api.post<{ password: string }>("/api/accounts", { name: "ann", role: "operator" });
    page = await pages.openPage();
    await page.context().request.post(`${pages.parley.address}/api/login`, { data: { username: "ann", password } });
    await page.goto(`${pages.parley.address}/#/`);
    await page.getByTestId("session-item").filter({ hasText: "Berta" }).click();
    await page.getByTestId("session-menu").click();
    await page.getByTestId("fork").waitFor();
    expect(await page.getByTestId("person-data").count()).toBe(0);
    expect(await page.getByRole("link", { name: "People", exact: true }).count()).toBe(0);
    await page.close();
  });
});
