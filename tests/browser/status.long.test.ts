import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { startProcess } from "../harness/process.ts";
import { findPostgresPrograms, type PostgresServer, startPostgres } from "../harness/servers/postgres.ts";
import { COLOR_RULES, findViolationsInBothSchemes } from "./axe.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

describe.runIf(canBrowse)("the status page", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole();
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", {});
    await pages.api.post(`/api/sessions/${id}/chat`, { content: "good morning" });
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());
  afterEach(async () => {
    await pages.releasePage(page);
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const finding = (key: string) => page.locator(`[data-finding="${key}"]`);

  test("describes problems in words, and links to their solution", async () => {
    page = await pages.visit("/status");
    await finding("models.none").getByText("No model is set up").waitFor();
    await pages.api.post("/api/gateway/worker/stop", {});
    await page.reload();
    await finding("gateway.stopped").getByText("Channel messages are not being processed; 0 are waiting.").waitFor();
    await page.getByTestId("updates").getByText("Update checks are off.").waitFor();
    expect(await page.getByTestId("finding").first().getAttribute("data-level")).toBe("problem");
    await page.getByTestId("machine").getByText("Memory used by the service").waitFor();
    expect(await page.getByTestId("machine").textContent()).toMatch(
      /Memory used by the service\d+ [MG]B\d+ GB of \d+ GB free/,
    );
    await takeScreenshot(page, "status-findings");
    await finding("gateway.stopped").getByRole("link", { name: "Fix it" }).click();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByTestId("worker-state").getByText("Channel messages are being processed").waitFor();
    await page.getByRole("link", { name: "Status" }).click();
    await finding("models.none").waitFor();
    await expect.poll(() => finding("gateway.stopped").count(), SHORT_TIMEOUT).toBe(0);
    await page.getByRole("link", { name: "Plugins" }).click();
    const models = page.locator('[data-plugin="models"]');
    await models.locator('[data-finding="models.none"]').getByText("No model is set up").waitFor();
    await takeScreenshot(page, "plugins-findings");
  });

  test("shows that all is well without problems", async () => {
    page = await pages.openPage();
    await page.route("**/api/system/findings", (route) =>
      route.fulfill({ json: { success: true, message: "", data: { items: [], total: 0, limit: 500, offset: 0 } } }),
    );
    await page.context().request.post(`${pages.parley.address}/api/login`, { data: pages.parley.credentials });
    await page.goto(`${pages.parley.address}/#/status`);
    await page.getByTestId("all-well").waitFor();
    // The chart shows its numbers under the pointer.
    const chart = page.locator("figure.bars_bars").first();
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.locator("svg").boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 3, (box?.y ?? 0) + 40);
    await chart.getByText(/people 1, AI 1/).waitFor();
    await takeScreenshot(page, "status-well");
  });

  test("shows the details of a log line, and links to its message", async () => {
    page = await pages.visit("/");
    const row = { id: "log_1", time: new Date().toISOString(), level: "warning", source: "gateway", important: false };
    const entry = { message: "a message was not answered", trace_id: "gw_1", context: { code: "upstream_failed" } };
    await page.route("**/api/logs?**", (route) =>
      route.fulfill({ json: { success: true, message: "", data: { items: [{ ...row, ...entry }], total: 1 } } }),
    );
    await page.goto(`${pages.parley.address}/#/status`);
    const line = page.getByTestId("log-row");
    await line.getByText("a message was not answered").waitFor();
    expect(await findViolationsInBothSchemes(page, COLOR_RULES, "main")).toEqual([]);
    // It can be opened by keyboard.
    await line.locator("summary").focus();
    await page.keyboard.press("Enter");
    await line.getByText("upstream_failed").waitFor();
    await takeScreenshot(page, "status-log-line");
    // The name of the source links to its plugin.
    await page.getByTestId("log-plugin").click();
    await page.locator('[data-plugin="gateway"]').getByText("Details and settings").click();
    expect(await page.getByTestId("plugin-card").count()).toBe(1);
    // A plugin can log more for a limited time, with a reminder.
    await page.getByTestId("log-level").selectOption("debug");
    await page.getByTestId("own-level").getByText("Log: Everything (debug)").waitFor();
    expect(await pages.api.get("/api/settings")).toMatchObject({ log: { levels: { gateway: "debug" } } });
    expect(await findViolationsInBothSchemes(page, COLOR_RULES, "main")).toEqual([]);
    await takeScreenshot(page, "plugins-level");
    await page.getByTestId("log-level").selectOption("");
    await page.getByTestId("own-level").waitFor({ state: "detached" });
    await page.getByTestId("plugin-log").click();
    await expect.poll(() => page.getByTestId("log-source").inputValue(), SHORT_TIMEOUT).toBe("gateway");
    await line.locator("summary").click();
    await page.getByTestId("log-trace").click();
    await page.getByText("No record has this ID.").waitFor();
    expect(page.url()).toContain("trace=gw_1");
  });

  test("shows new log lines live, and filtered ones", async () => {
    page = await pages.visit("/status");
    const watching = pages.waitForSubscription(page);
    await page.getByText("No log lines match.").or(page.getByTestId("log-row").first()).first().waitFor();
    await watching;
    await pages.api.post("/api/logs", { message: "the shop is open", source: "shop" });
    // Rows written over REST are not on the feed, so the service logs one itself.
    pages.parley.host.log.error("the till is stuck", { session_id: "sess_1" });
    const line = (text: string) => page.getByTestId("log-row").filter({ hasText: text });
    await line("the till is stuck").waitFor();
    await page.getByTestId("log-source").selectOption("host");
    await line("the shop is open").waitFor({ state: "detached" });
    await line("the till is stuck").locator("summary").click();
    await line("the till is stuck").getByRole("link", { name: "Open the conversation" }).waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId("download-log").click()]);
    const taken = readFileSync(await download.path(), "utf8");
    expect(taken).toContain("the till is stuck");
    expect(taken).not.toContain("the shop is open");
    await page.getByTestId("log-range").selectOption("own");
    await page.getByLabel("To", { exact: true }).fill("2020-01-01T00:00");
    await page.getByText("No log lines match.").waitFor();
  });

  test("deletes old log lines and files after showing how many", async () => {
    const folder = join(pages.parley.root, "data", "logs");
    mkdirSync(folder, { recursive: true });
    const old = join(folder, "parley-2020-01-01.log");
    writeFileSync(old, "x".repeat(2048));
    await pages.api.post("/api/logs", { message: "said long ago", source: "shop" });
    page = await pages.visit("/status");
    await page.getByTestId("clean-log").click();
    await page.getByTestId("older-log").getByText("To be deleted: lines 0, files 1 (2.0 KB).").waitFor();
    await page.getByTestId("older-than").fill("0");
    await page
      .getByTestId("older-log")
      .getByText(/^To be deleted: lines [1-9]\d*, files 1 /)
      .waitFor();
    await takeScreenshot(page, "status-clean-log");
    await page.getByTestId("clean-log-now").click();
    await page.getByText(/^Deleted: lines [1-9]\d*, files 1 \(2\.0 KB\)\.$/).waitFor();
    expect(existsSync(old)).toBe(false);
    await page.getByText("the log was cleared").first().waitFor();
    expect((await pages.api.get<{ total: number }>("/api/logs?q=said%20long%20ago")).total).toBe(0);
  });

  test("links from a failing model to the failed message, and to its conversation", async () => {
    const { id } = await pages.api.post<{ id: string }>("/api/ai-models", {
      name: "Nobody",
      model: "m",
      base_url: "http://127.0.0.1:9/v1",
      api_key: "sk-nobody",
      retry_count: 0,
    });
    await pages.api.post(`/api/ai-models/${id}/apply`, {});
    const session = await pages.api.post<{ id: string }>("/api/sessions", {});
    await pages.api.send("POST", `/api/sessions/${session.id}/chat`, { body: { content: "is anybody there?" } });
    page = await pages.visit("/status");
    await finding("models.failing").getByText("The model Nobody does not answer").waitFor();
    await page.goto(`${pages.parley.address}/#/gateway`);
    await page.getByTestId("trace-id").fill("anybody there");
    await page.getByTestId("find-trace").click();
    const found = page.getByTestId("found-message");
    await found.getByText("failed").waitFor();
    await takeScreenshot(page, "gateway-found");
    await found.click();
    await page.getByTestId("trace-text").getByText("is anybody there?").waitFor();
    expect(page.url()).toContain("trace=");
    await page.reload();
    await page.getByTestId("trace-text").getByText("is anybody there?").waitFor();
    await page.getByTestId("to-conversation").click();
    await page.getByTestId("message").getByText("is anybody there?").waitFor();
  });

  test("explains the manual step when nobody restarts the service", async () => {
    page = await pages.visit("/status");
    await page.getByTestId("restart").first().click();
    await takeScreenshot(page, "restart-question");
    await page.getByTestId("restart-now").click();
    await page.getByRole("dialog").getByText("nothing here would start the service again").waitFor();
    await takeScreenshot(page, "restart-by-hand");
  });

  test("restarts the service from a setting that needs it, and typed text stays", async () => {
    const root = mkdtempSync(join(tmpdir(), "parley-restart-"));
    const credentials = { username: "admin", password: "correct horse" };
    const env = { SVC_ADMIN_PASSWORD: credentials.password };
    const service = await startProcess({ root, env, args: ["--port", String(await findFreePort())] });
    try {
      page = await pages.openPage();
      const { address } = service;
      await page.context().request.post(`${address}/api/login`, { data: credentials });
      await page.goto(`${address}/#/settings`);
      const origin = page.locator('[data-field="web.public_base_url"]');
      await origin.fill("https://bot.example.org");
      await page.getByRole("button", { name: "Save" }).click();
      await finding("settings.restart").getByText("Public address").waitFor();
      const title = page.locator('[data-field="web.title"]');
      await title.fill("Not saved yet");
      await takeScreenshot(page, "settings-restart");
      await finding("settings.restart").getByTestId("restart").click();
      await page.getByTestId("restart-now").click();
      await page.getByTestId("restarting").waitFor();
      await takeScreenshot(page, "restarting");
      await page.getByText("The service is running again.").waitFor({ timeout: 60_000 });
      expect(await title.inputValue()).toBe("Not saved yet");
      await finding("settings.restart").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Save" }).click();
      const saved = async () => (await page.context().request.get(`${address}/api/settings`)).text();
      await expect.poll(saved, SHORT_TIMEOUT).toContain("Not saved yet");
    } finally {
      await page.close();
      await service.stop();
      rmSync(root, { recursive: true, force: true });
    }
  }, 120_000);

  test("supports Chinese, dark mode and phones", async () => {
    page = await pages.visit("/status", PHONE);
    await finding("host.no_backups").getByText("中没有备份。").waitFor();
    await expectNoOverflow(page, "phone-status");
    // The log is English, but Chinese words find what is shown in Chinese, also long ago; rows open by keyboard.
    pages.parley.host.log.error("the till is stuck");
    pages.parley.host.log.error("traces cannot be exported", { error: "nobody listens" });
    const search = page.getByRole("textbox", { name: "搜索日志" });
    await search.fill("无法导出");
    const line = page.getByTestId("log-row");
    await line.getByText("无法导出追踪", { exact: true }).waitFor();
    await line.filter({ hasText: "the till is stuck" }).waitFor({ state: "detached" });
    await line.first().locator("summary").focus();
    await page.keyboard.press("Enter");
    await line.first().getByText("nobody listens").waitFor();
    await expectNoOverflow(page, "phone-log");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByTestId("download-log").click()]);
    const taken = readFileSync(await download.path(), "utf8");
    expect(taken).toContain("traces cannot be exported");
    expect(taken).not.toContain("the till is stuck");
    await search.fill("traces cannot");
    await line.getByText("无法导出追踪", { exact: true }).waitFor();
  });
});

const programs = findPostgresPrograms();

describe.runIf(canBrowse && programs)("the status page of several nodes", () => {
  const root = mkdtempSync(join(tmpdir(), "parley-nodes-"));
  let server: PostgresServer;
  let pages: Console;
  let other: Parley;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    const start = () => ({
      root,
      server: server.folder,
      config: "nodes = true\n",
      plugins: [createFakeChannel().plugin],
    });
    pages = await startConsole(start());
    const session = await pages.api.post<{ id: string }>("/api/sessions", {});
    await pages.api.send("POST", `/api/sessions/${session.id}/chat`, { body: { content: "Hi" } });
    other = await startParley(start());
  }, 90_000);
  afterAll(async () => {
    await other?.[Symbol.asyncDispose]();
    await pages?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  test("shows the channels of each node, and drains one", async () => {
    const page = await pages.visit("/status");
    const section = page.getByTestId("nodes");
    const own = section.getByTestId("node-row").filter({ hasText: "this one" });
    await own.getByText("1 conversation", { exact: true }).waitFor();
    expect(await section.getByTestId("node-row").count()).toBe(2);
    await own.getByTestId("drain").click();
    await page.getByRole("dialog").getByRole("button", { name: "Drain" }).click();
    await own.getByTestId("draining").waitFor();
    await own.getByText("nothing", { exact: true }).waitFor();
    await section.getByText("1 conversation", { exact: true }).waitFor();
    // The last node cannot be drained.
    expect(await section.getByTestId("drain").count()).toBe(0);
    await section.scrollIntoViewIfNeeded();
    await takeScreenshot(page, "status-nodes");
    await own.getByTestId("resume-node").click();
    await expect.poll(() => section.getByTestId("drain").count(), SHORT_TIMEOUT).toBe(2);

    const phone = await pages.visit("/status", PHONE);
    await phone.getByTestId("nodes").scrollIntoViewIfNeeded();
    await phone.getByTestId("nodes").getByText("负责").first().waitFor();
    await expectNoOverflow(phone, "status-nodes-phone");
    expect(pages.problems).toEqual([]);
  });

  test("shows a channel connected on another node as connected, with the node", async () => {
    await pages.api.post("/api/channels", { id: "fake", name: "Team", type: "fake", transport: "bridge" });
    const { self, items } = await pages.api.get<{ self: string; items: { id: string; address: string }[] }>(
      "/api/nodes",
    );
    const holder = items.find(({ id }) => id !== self)?.address;
    const page = await pages.visit("/channels");
    const card = (of: Page) => of.locator('[data-testid="channel-card"][data-channel="fake"]');
    await card(page).getByTestId("channel-state").getByText("connected", { exact: true }).waitFor();
    // Whichever node had it, the other one has it now.
    await pages.api.post(`/api/nodes/${self}/drain`, {});
    await card(page).getByText(`on node ${holder}`, { exact: true }).waitFor();
    await card(page).getByTestId("channel-state").getByText("connected", { exact: true }).waitFor();
    expect(await card(page).getByRole("alert").count()).toBe(0);
    await takeScreenshot(page, "channel-elsewhere");
    const phone = await pages.visit("/channels", PHONE);
    await card(phone).getByText(`位于节点 ${holder}`, { exact: true }).waitFor();
    await card(phone).scrollIntoViewIfNeeded();
    await expectNoOverflow(phone, "channel-elsewhere-phone");
    await pages.api.send("DELETE", `/api/nodes/${self}/drain`);
    expect(pages.problems).toEqual([]);
  });
});
