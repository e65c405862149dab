import Joi from "@hapi/joi";
import { AppError, definePlugin, JobKinds, Jobs, jobKind, Schedules } from "@parley/core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole, toggleSwitch } from "./console.ts";

const HOUR_MS = 3_600_000;
/** One job fails until `isWell` is set, another runs until it is released. */
let isWell = false;
const kinds = definePlugin({
  id: "kinds",
  register({ contribute }) {
    contribute(JobKinds, () =>
      jobKind<{ readonly key: string }>({
        kind: "books.buy",
        titles: { en: "Buy a book", zh: "购买图书" },
        schema: Joi.object({ key: Joi.string().required() }),
        retry: { attempts: 1, firstDelayMs: 0, maxDelayMs: 0 },
        secrets: ["key"],
        async run() {
          throw new AppError("unavailable", "the shop is closed");
        },
      }),
    );
    contribute(JobKinds, () =>
      jobKind<{ readonly book: string }>({
        kind: "books.index",
        titles: { en: "Index a book", zh: "为图书建立索引" },
        schema: Joi.object({ book: Joi.string().required() }),
        retry: { attempts: 1, firstDelayMs: 0, maxDelayMs: 0 },
        async run({ book }, { progress, log, signal }) {
          log(`opened ${book}`);
          if (book === "Moby-Dick") {
            progress(0.4, "chapter 54 of 135");
            await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
          }
          if (book === "Ulysses" && !isWell) throw new AppError("unavailable", "the shelf cannot be reached");
        },
      }),
    );
  },
});

describe.runIf(canBrowse)("the jobs page", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [kinds] });
    const { host } = pages.parley;
    const jobs = host.get(Jobs);
    await jobs.add("books.index", { book: "Ulysses" }, { key: "Ulysses" });
    await jobs.add("books.index", { book: "Moby-Dick" }, { key: "Moby-Dick" });
    await jobs.add("books.index", { book: "Middlemarch" }, { key: "Middlemarch", runAt: Date.now() + HOUR_MS });
    await jobs.add("books.buy", { key: "k-1" }, { key: "Emma" });
    const daily = { kind: "books.index", payload: { book: "Persuasion" }, cron: "0 8 * * mon-fri" };
    await host.get(Schedules).put({ id: "books.daily", ...daily });
    await pages.api.post("/api/task-center", {
      name: "Morning news",
      prompt: "What is new?",
      trigger: "cron",
      config: { cron: "0 7 * * *", timezone: "Europe/Berlin" },
    });
    page = await pages.visit("/jobs");
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const row = (key: string) => page.getByTestId("job-row").filter({ hasText: key });
  const state = (key: string) => row(key).getByTestId("job-state").getAttribute("data-status");

  test("shows running jobs with progress, waiting and failed ones with the reason", async () => {
    await expect.poll(() => state("Moby-Dick"), SHORT_TIMEOUT).toBe("running");
    await row("Moby-Dick").getByText("chapter 54 of 135").waitFor();
    expect(await state("Middlemarch")).toBe("waiting");
    await row("Ulysses").getByText("the shelf cannot be reached").waitFor();
    await row("Emma").getByText("It cannot run again").waitFor();
    expect(await row("Emma").getByRole("button").allTextContents()).toEqual(["Log", "Dismiss"]);
    await expectNoOverflow(page, "jobs");
  });

  test("shows the log of a run and its input", async () => {
    await row("Ulysses").getByRole("button", { name: "Log" }).click();
    const detail = page.getByTestId("job-detail");
    await detail.getByText("opened Ulysses").waitFor();
    await detail.getByText('"book": "Ulysses"').waitFor();
    await expectNoOverflow(page, "jobs-log");
    await page.getByRole("button", { name: "Close" }).click();
  });

  test("reruns failed jobs, starts waiting ones, and cancels running ones", async () => {
    isWell = true;
    await row("Ulysses").getByRole("button", { name: "Run again" }).click();
    await expect.poll(() => state("Ulysses"), SHORT_TIMEOUT).toBe("done");
    await row("Middlemarch").getByRole("button", { name: "Run now" }).click();
    await expect.poll(() => state("Middlemarch"), SHORT_TIMEOUT).toBe("done");
    await row("Moby-Dick").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).last().click();
    await expect.poll(() => state("Moby-Dick"), SHORT_TIMEOUT).toBe("canceled");
    await page.getByRole("radio", { name: "failed" }).press("Space");
    await row("Ulysses").waitFor({ state: "detached" });
    expect(await page.getByTestId("job-row").count()).toBe(1);
    await page.getByRole("radio", { name: "All" }).press("Space");
  });

  test("shows schedules, runs them by hand, and disables them", async () => {
    const plan = page.getByTestId("schedule-row").filter({ hasText: "books.daily" });
    // The schedule is shown in words, with the cron text as a tooltip.
    await plan.getByTitle("0 8 * * mon-fri").getByText("Mon–Fri, 8:00 AM").waitFor();
    await plan.getByRole("button", { name: "Run now" }).click();
    await plan.getByText("done").waitFor();
    await toggleSwitch(plan.getByRole("switch", { name: "Enabled: books.daily" }));
    await plan.getByText("off", { exact: true }).waitFor();
    const news = page.getByTestId("schedule-row").filter({ hasText: "Morning news" });
    await news.getByRole("switch", { name: "Enabled: Morning news" }).waitFor();
    expect(await page.getByTestId("schedule-row").filter({ hasText: "task_" }).count()).toBe(0);
    await page.getByTestId("job-search").fill("books.daily");
    await expect.poll(() => page.getByTestId("job-row").count(), SHORT_TIMEOUT).toBe(0);
    expect(pages.problems).toEqual([]);
  });

  test("fits a phone, in Chinese and in the dark", async () => {
    const phone = await pages.visit("/jobs", PHONE);
    await phone.getByText("为图书建立索引").first().waitFor();
    await phone.getByText("每 1 小时").first().waitFor();
    await expectNoOverflow(phone, "jobs-phone");
    await phone.getByRole("button", { name: "日志" }).first().click();
    await phone.getByTestId("job-detail").waitFor();
    await expectNoOverflow(phone, "jobs-phone-log");
  });
});
