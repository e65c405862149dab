import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, openBrowser } from "../harness/browser.ts";
import { type Client, createClient } from "../harness/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import { fits, PHONE, SOON } from "./console.ts";

const CREDENTIALS = { username: "admin", password: "correct horse" };

/** With a process of its own: who is told a command can run it. */
describe.runIf(canBrowse)("backups in the console", () => {
  const root = mkdtempSync(join(tmpdir(), "parley backups-"));
  const folder = join(root, "data", "backups");
  let service: ParleyProcess;
  let api: Client;
  let page: Page;

  const start = async () => {
    service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: CREDENTIALS.password } });
    const open = createClient(service.address, "");
    api = open.as((await open.post<{ token: string }>("/api/login", CREDENTIALS)).token);
  };
  const visited = async (options: BrowserContextOptions = {}) => {
    const context = await (await openBrowser()).newContext({
      locale: "en-US",
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      serviceWorkers: "block",
      ...options,
    });
    context.setDefaultTimeout(SOON.timeout);
    await context.request.post(`${service.address}/api/login`, { data: CREDENTIALS });
    const opened = await context.newPage();
    await opened.goto(`${service.address}/#/jobs`);
    return opened;
  };
  const rows = () => page.getByTestId("backup-row");
  const backUp = async (count: number) => {
    await page.getByTestId("back-up").click();
    await expect.poll(() => rows().count(), SOON).toBe(count);
  };

  beforeAll(async () => {
    writeFileSync(join(root, "config.ini"), "[log]\nlevel = error\n");
    await start();
    await api.post("/api/sessions", { name: "before the backup" });
    page = await visited();
  }, 60_000);
  afterAll(async () => {
    await page?.context().close();
    await service?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  test("are made there, listed when they are whole, and read when they are to be checked", async () => {
    await page.getByText("No backups yet").waitFor();
    await fits(page, "backups-none");
    await backUp(1);
    await backUp(2);
    await rows()
      .first()
      .getByText(/\d databases?, \d+ files/)
      .waitFor();
    await rows().first().getByRole("button", { name: "Check" }).click();
    await rows().first().getByTestId("is-whole").waitFor();
    expect(await rows().nth(1).getByTestId("is-whole").count()).toBe(0);
    await rows().first().scrollIntoViewIfNeeded();
    await fits(page, "backups-list");
  });

  test("say what is wrong with one that is damaged, and go away one by one", async () => {
    const [first = "", second = ""] = readdirSync(folder).toSorted();
    rmSync(join(folder, first, "data", "databases.json"));
    await rows().last().getByRole("button", { name: "Check" }).click();
    await rows().last().getByText("databases.json is missing").waitFor();
    writeFileSync(join(folder, first, "manifest.json"), "{");
    await page.reload();
    await rows().last().getByText("is no backup, or one that was not finished").waitFor();
    expect(await rows().last().getByTestId("how-to-restore").count()).toBe(0);
    await rows().last().scrollIntoViewIfNeeded();
    await fits(page, "backups-damaged");
    await rows().last().getByTestId("remove-backup").click();
    const question = page.getByRole("dialog");
    await question.getByText(folder).waitFor();
    await fits(page, "backups-remove");
    await question.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => rows().count(), SOON).toBe(1);
    expect(readdirSync(folder)).toEqual([second]);
  });

  test.each([
    ["phone", PHONE],
    ["dark", { colorScheme: "dark" }],
    ["chinese", { locale: "zh-CN" }],
  ] as const)("fit: %s", async (name, options) => {
    const other = await visited(options);
    await other.getByTestId("backup-row").scrollIntoViewIfNeeded();
    await fits(other, `backups-${name}`);
    await other.getByTestId("how-to-restore").click();
    await other.getByTestId("restore-commands").waitFor();
    await fits(other, `backups-restore-${name}`);
    await other.context().close();
  });

  test("are restored by the lines that stand beside them, and what was there is kept aside", async () => {
    await api.post("/api/sessions", { name: "after the backup" });
    await rows().first().getByTestId("how-to-restore").click();
    const way = page.getByTestId("restore-way");
    await way.getByText(join(root, "data-before-restore")).first().waitFor();
    await fits(page, "backups-restore");
    const commands = (await page.getByTestId("restore-commands").textContent()) ?? "";
    await service.stop();
    execFileSync("bash", ["-ec", commands], { encoding: "utf8" });
    await start();
    const { items } = await api.get<{ items: readonly { readonly name: string }[] }>("/api/sessions");
    expect(items.map(({ name }) => name)).toEqual(["before the backup"]);
    expect(readdirSync(join(root, "data-before-restore", "backups"))).toHaveLength(1);
  });
});
