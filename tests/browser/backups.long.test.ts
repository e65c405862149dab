import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONTRACT_VERSION } from "@parley/core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, openBrowser } from "../harness/browser.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { NPM_SETTINGS } from "../harness/npm-registry.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";
import { expectNoOverflow, PHONE, SHORT_TIMEOUT } from "./console.ts";

const KEY = '{ kind: "service", id: "tides", token: Symbol.for("parley:tides") }';
const CREDENTIALS = { username: "admin", password: "correct horse" };

/** npm may be slow on a busy machine. */
const NPM_TIMEOUT = { timeout: 120_000 } as const;

/** Runs the service as a process, since the page shows commands to run. */
describe.runIf(canBrowse)("backups in the console", () => {
  const root = mkdtempSync(join(tmpdir(), "parley upkeep-"));
  const folder = join(root, "data", "backups");
  let service: ParleyProcess;
  let api: Client;
  let page: Page;

  const author = (id: string, requires: string, does: string) => {
    mkdirSync(join(root, id));
    const manifest = { name: `${id}-parley-plugin`, version: "1.2.3", type: "module", exports: "./index.js" };
    writeFileSync(join(root, id, "package.json"), JSON.stringify(manifest));
    const plugin = `{ id: "${id}", contract: ${CONTRACT_VERSION}, ${requires}register({ provide }) { ${does} } }`;
    writeFileSync(join(root, id, "index.js"), `export default ${plugin};\n`);
  };
  const start = async () => {
    service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: CREDENTIALS.password } });
    const open = createClient(service.address, "");
    api = open.as((await open.post<{ token: string }>("/api/login", CREDENTIALS)).token);
  };
  const visited = async (options: BrowserContextOptions = {}, path = "/jobs") => {
    const context = await (await openBrowser()).newContext({
      locale: "en-US",
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      serviceWorkers: "block",
      ...options,
    });
    context.setDefaultTimeout(SHORT_TIMEOUT.timeout);
    await context.request.post(`${service.address}/api/login`, { data: CREDENTIALS });
    const opened = await context.newPage();
    await opened.goto(`${service.address}/#${path}`);
    return opened;
  };
  const rows = () => page.getByTestId("backup-row");
  const backUp = async (count: number) => {
    await page.getByTestId("back-up").click();
    await expect.poll(() => rows().count(), SHORT_TIMEOUT).toBe(count);
  };

  beforeAll(async () => {
    author("tides", "", `provide(${KEY}, () => ({}))`);
    author("boats", `requires: [${KEY}], `, "");
    const named = "[plugins]\nboats = boats-parley-plugin\ntides = tides-parley-plugin\n[plugin.tides]\nmoon = full\n";
    writeFileSync(join(root, "config.ini"), `[log]\nlevel = error\n${named}`);
    const env = { ...process.env, ...NPM_SETTINGS };
    execFileSync("npm", ["install", "--save", "./tides", "./boats"], { cwd: root, env, stdio: "pipe" });
    await start();
    await api.post("/api/sessions", { name: "before the backup" });
    page = await visited();
  }, 60_000);
  afterAll(async () => {
    await page?.context().close();
    await service?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  test("are created there, listed when they are complete, and verified on request", async () => {
    await page.getByText("No backups yet").waitFor();
    await expectNoOverflow(page, "backups-none");
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
    await expectNoOverflow(page, "backups-list");
  });

  test("show the problem of a damaged one, and are deleted one by one", async () => {
    const [first = "", second = ""] = readdirSync(folder).toSorted();
    rmSync(join(folder, first, "data", "databases.json"));
    await rows().last().getByRole("button", { name: "Check" }).click();
    await rows().last().getByText("databases.json is missing").waitFor();
    writeFileSync(join(folder, first, "manifest.json"), "{");
    await page.reload();
    await rows().last().getByText("is not a complete backup").waitFor();
    expect(await rows().last().getByTestId("how-to-restore").count()).toBe(0);
    await rows().last().scrollIntoViewIfNeeded();
    await expectNoOverflow(page, "backups-damaged");
    await rows().last().getByTestId("remove-backup").click();
    const question = page.getByRole("dialog");
    await question.getByText(folder).waitFor();
    await expectNoOverflow(page, "backups-remove");
    await question.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => rows().count(), SHORT_TIMEOUT).toBe(1);
    expect(readdirSync(folder)).toEqual([second]);
  });

  test.each([
    ["phone", PHONE],
    ["dark", { colorScheme: "dark" }],
    ["chinese", { locale: "zh-CN" }],
  ] as const)("fit: %s", async (name, options) => {
    const other = await visited(options);
    await other.getByTestId("backup-row").scrollIntoViewIfNeeded();
    await expectNoOverflow(other, `backups-${name}`);
    await other.getByTestId("how-to-restore").click();
    await other.getByTestId("restore-commands").waitFor();
    await expectNoOverflow(other, `backups-restore-${name}`);
    await other.context().close();
  });

  test("are restored by the shown commands, and existing data are moved aside", async () => {
    await api.post("/api/sessions", { name: "after the backup" });
    await rows().first().getByTestId("how-to-restore").click();
    const way = page.getByTestId("restore-instructions");
    await way.getByText(join(root, "data-before-restore")).first().waitFor();
    await expectNoOverflow(page, "backups-restore");
    const commands = (await page.getByTestId("restore-commands").textContent()) ?? "";
    await service.stop();
    execFileSync("bash", ["-ec", commands], { encoding: "utf8" });
    await start();
    const { items } = await api.get<{ items: readonly { readonly name: string }[] }>("/api/sessions");
    expect(items.map(({ name }) => name)).toEqual(["before the backup"]);
    expect(readdirSync(join(root, "data-before-restore", "backups"))).toHaveLength(1);
  });

  test("and a package that was added is removed when nothing needs it, and restored by the shown command", {
    timeout: 300_000,
  }, async () => {
    const card = (id: string) => page.locator(`[data-plugin="${id}"]`);
    const details = async (id: string) => {
      const button = card(id).getByTestId("remove-plugin");
      if (!(await button.isVisible())) await card(id).getByText("Details and settings").click();
      await button.click();
    };
    await page.context().close();
    page = await visited({}, "/plugins");
    await details("tides");
    await page.getByTestId("needed-by").getByText("boats").waitFor();
    expect(await page.getByTestId("remove-plugin-now").isDisabled()).toBe(true);
    await expectNoOverflow(page, "plugins-needed");
    await page.getByRole("button", { name: "Cancel" }).click();
    await card("filter").getByText("Details and settings").click();
    expect(await card("filter").getByTestId("remove-plugin").count()).toBe(0);
    let command = "";
    for (const id of ["boats", "tides"]) {
      await details(id);
      await page.getByTestId("remove-plugin-now").click();
      await page.getByRole("dialog").getByText(`${id} is removed`).waitFor(NPM_TIMEOUT);
      await expectNoOverflow(page, `plugins-removed-${id}`);
      command = (await page.getByTestId("add-again").textContent()) ?? "";
      await page.getByRole("button", { name: "Close" }).last().click();
      await card(id).waitFor({ state: "detached" });
    }
    const written = readFileSync(join(root, "config.ini"), "utf8");
    expect(written).toMatch(/\[plugins\]\n; \[plugin\.tides\]\n; moon = full\n$/);
    expect(existsSync(join(root, "node_modules", "tides-parley-plugin"))).toBe(false);
    const { items } = await api.get<{ items: readonly { readonly key: string }[] }>("/api/system/findings");
    expect(items.filter(({ key }) => /restart|config|plugin/.test(key))).toEqual([]);
    execFileSync("bash", ["-ec", command], { cwd: root, stdio: "pipe" });
    await api.post("/api/system/reload-core", {});
    await card("tides").waitFor();
  });

  test.each([
    ["phone", PHONE],
    ["dark", { colorScheme: "dark" }],
  ] as const)("the confirmation fits: %s", async (name, options) => {
    const other = await visited(options, "/plugins");
    const card = other.locator('[data-plugin="tides"]');
    await card.locator("summary").click();
    await card.getByTestId("remove-plugin").scrollIntoViewIfNeeded();
    await expectNoOverflow(other, `plugins-card-${name}`);
    await card.getByTestId("remove-plugin").click();
    await other.getByTestId("add-again").waitFor();
    await expectNoOverflow(other, `plugins-remove-${name}`);
    await other.context().close();
  });
});
