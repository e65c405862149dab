import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Message } from "@parley/core";
import { createGate, type ModelServer, startModelServer } from "@parley/simulators";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { canBrowse, openBrowser } from "../harness/browser.ts";
import { createClient } from "../harness/http/client.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { startProcess } from "../harness/process.ts";
import { type Console, SHORT_TIMEOUT, startConsole } from "./console.ts";

const DAY_MS = 86_400_000;
/** Pages with text fields besides conversations. */
const WRITTEN: readonly (readonly [link: string, open: string | undefined, field: (page: Page) => Locator])[] = [
  ["MCP", "Add server", (page) => page.getByTestId("server-name")],
  ["Settings", undefined, (page) => page.getByLabel("Largest file (MB)")],
  ["Models", "Compare", (page) => page.getByTestId("playground").getByRole("textbox")],
];

describe.runIf(canBrowse)("no typed text is lost", () => {
  let pages: Console;
  let models: ModelServer;

  beforeAll(async () => {
    [pages, models] = await Promise.all([startConsole(), startModelServer()]);
    const model = { name: "scripted", model: "scripted", base_url: models.baseUrl };
    const { id } = await pages.api.post<{ id: string }>("/api/ai-models", model);
    await pages.api.post(`/api/ai-models/${id}/apply`, {});
  }, 60_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await models?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    models.script.length = 0;
    pages.problems.length = 0;
  });

  const talk = async (name: string) => (await pages.api.post<{ id: string }>("/api/sessions", { name })).id;
  const stored = async (id: string) => {
    const { items } = await pages.api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
    return items.map(({ content }) => content);
  };
  const composer = (page: Page) => page.getByTestId("composer");
  const listMessages = async (page: Page) =>
    (await page.getByTestId("message").locator(".message_bubble").allTextContents()).map((text) => text.trim());
  /** Ends all logins except this one. */
  const endLogins = async () => {
    const path = "/api/login-tokens";
    const { items } = await pages.api.get<{ items: readonly { hash_full: string; current: boolean }[] }>(path);
    const others = items.filter(({ current }) => !current);
    await Promise.all(others.map(({ hash_full }) => pages.api.send("DELETE", `${path}/${hash_full}`)));
  };
  const enter = async (page: Page, { username, password } = pages.parley.credentials) => {
    await page.getByRole("textbox", { name: "User name" }).fill(username);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  const signOut = async (page: Page) => {
    await page.getByTestId("account").click();
    await page.getByRole("dialog", { name: "Account" }).getByRole("button", { name: "Sign out" }).click();
  };
  const signIn = (page: Page) =>
    page.context().request.post(`${pages.parley.address}/api/login`, { data: pages.parley.credentials });
  const opens = (page: Page, path: string) => page.goto(`${pages.parley.address}/#${path}`);

  test("when the connection comes and goes during typing and streaming", {
    timeout: 120_000,
  }, async () => {
    const page = await pages.openPage();
    let isDown = false;
    const open = new Set<() => Promise<void>>();
    await page.routeWebSocket("**/api/ws*", async (socket) => {
      if (isDown) return socket.close({ code: 1011 });
      const server = socket.connectToServer();
      open.add(() => socket.close({ code: 1011 }));
      server.onMessage((message) => socket.send(message));
      socket.onMessage((message) => server.send(message));
    });
    const drop = async (down: boolean) => {
      isDown = down;
      await Promise.all([...open].map((close) => close()));
      open.clear();
    };
    await signIn(page);
    const id = await talk("Tunnel");
    await opens(page, `/sessions/${id}`);
    await composer(page).pressSequentially("first half");
    await drop(true);
    await composer(page).pressSequentially(", second half");
    await composer(page).press("Enter");
    await page.getByTestId("pending").waitFor();
    await composer(page).fill("and a word of the next one");
    const gate = createGate();
    const pieces = ["One ", "two ", "three ", "four."];
    models.script.push({ kind: "held", pieces, gate });
    isDown = false;
    await page.evaluate("window.dispatchEvent(new Event('online'))");
    for (const [index] of pieces.entries()) {
      gate.next();
      if (index < pieces.length - 1) {
        await page
          .getByTestId("streaming")
          .getByText(
            pieces
              .slice(0, index + 1)
              .join("")
              .trim(),
          )
          .waitFor();
        await drop(false);
      }
    }
    await expect.poll(() => listMessages(page), SHORT_TIMEOUT).toEqual(["first half, second half", pieces.join("")]);
    expect(await page.getByTestId("pending").count()).toBe(0);
    expect(await composer(page).inputValue()).toBe("and a word of the next one");
    expect(await stored(id)).toEqual(["first half, second half", pieces.join("")]);
    await page.reload();
    await expect.poll(() => listMessages(page), SHORT_TIMEOUT).toEqual(["first half, second half", pieces.join("")]);
    expect(await composer(page).inputValue()).toBe("and a word of the next one");
    expect(pages.problems).toEqual([]);
    await page.close();
  });

  test.each([
    ["ahead", DAY_MS],
    ["behind", -DAY_MS],
  ])("when the clock of the machine is a day %s", { timeout: 60_000 }, async (_where, offMs) => {
    const page = await pages.openPage();
    await page.clock.install({ time: Date.now() + offMs });
    await signIn(page);
    const id = await talk(`A clock ${offMs}`);
    await opens(page, `/sessions/${id}`);
    for (const text of ["one", "two"]) {
      models.script.push({ kind: "text", text: `${text} heard` });
      await composer(page).fill(text);
      await composer(page).press("Enter");
      await page.getByTestId("message").getByText(`${text} heard`).waitFor();
    }
    await composer(page).fill("a thought");
    await page.reload();
    await expect.poll(() => listMessages(page), SHORT_TIMEOUT).toEqual(["one", "one heard", "two", "two heard"]);
    expect(await composer(page).inputValue()).toBe("a thought");
    // The message is from now by the service's clock, neither a day ago nor in a day.
    const row = page.getByTestId("session-item").filter({ hasText: `A clock ${offMs}` });
    await row.getByText("two heard").waitFor();
    expect(await page.locator(".session-list_listHeading").first().textContent()).toBe("Today");
    expect(await row.textContent()).toMatch(/\d:\d\d/);
    expect(await page.getByTestId("day").count()).toBe(1);
    expect(await row.getByTestId("unread").count()).toBe(0);
    await opens(page, "/");
    await page.getByTestId("start").waitFor();
    await pages.api.post(`/api/sessions/${id}/chat`, { content: "three" });
    await row.getByTestId("unread").waitFor();
    expect(pages.problems).toEqual([]);
    await page.close();
  });

  test("with 500 drafts, one of which opens as fast as a single one", { timeout: 120_000 }, async () => {
    const page = await pages.openPage();
    await signIn(page);
    await opens(page, "/");
    await page.getByTestId("start").waitFor();
    // Stores drafts in the format of the page, more than `localStorage` can take.
    const storedItems = await page.evaluate(() => {
      const storage = (globalThis as unknown as { localStorage: Storage }).localStorage;
      let count = 0;
      try {
        for (; count < 500; count += 1)
          storage.setItem(`parley.draft.admin/sess_old${count}`, `${count} ${"x".repeat(12_000)}`);
      } catch {
        // The storage is full.
      }
      try {
        for (let n = 0; ; n += 1) storage.setItem(`parley.full.${n}`, "y".repeat(64));
      } catch {
        return count;
      }
    });
    expect(storedItems).toBeGreaterThan(300);
    const ids = [await talk("Full one"), await talk("Full two")];
    for (const id of ids) {
      await opens(page, `/sessions/${id}`);
      await composer(page).fill(`a draft of ${id}`);
    }
    for (const id of ids) {
      await opens(page, `/sessions/${id}`);
      await expect.poll(() => composer(page).inputValue(), SHORT_TIMEOUT).toBe(`a draft of ${id}`);
      await page.reload();
      await expect.poll(() => composer(page).inputValue(), SHORT_TIMEOUT).toBe(`a draft of ${id}`);
    }
    const plan = { name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("water the roses") };
    await page.getByTestId("file-input").setInputFiles([plan]);
    const file = page.locator("[data-testid=picked-file][data-state=ready]").getByText("plan.txt");
    await file.waitFor();
    await page.reload();
    await file.waitFor();
    await page.getByTestId("account").click();
    await page.getByRole("combobox", { name: "Language" }).selectOption("zh-CN");
    await page.getByRole("link", { name: "会话", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    models.script.push({ kind: "text", text: "sent and gone" });
    await composer(page).press("Enter");
    await page.getByTestId("message").getByText("sent and gone").waitFor();
    await page.reload();
    await page.getByTestId("message").getByText("sent and gone").waitFor();
    expect(await composer(page).inputValue()).toBe("");
    // No storage has any room left.
    await page.evaluate(`
      IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
      try { for (let n = 0; ; n += 1) localStorage.setItem("parley.fuller." + n, "y".repeat(64)); } catch { /* It is full. */ }
    `);
    await composer(page).fill("z".repeat(500));
    await page.getByText(/浏览器存储空间已满|out of storage/).waitFor();
    expect(pages.problems).toEqual([]);
    await page.close();
  });

  test("when the login expires during typing and sending", { timeout: 60_000 }, async () => {
    const page = await pages.openPage();
    // The page learns that its login has ended only after it has sent something.
    const { promise: ended, resolve } = Promise.withResolvers<() => Promise<void>>();
    await page.routeWebSocket("**/api/ws*", (socket) => {
      let isOver = false;
      const server = socket.connectToServer();
      server.onMessage((message) => socket.send(message));
      server.onClose((code) => {
        isOver = true;
        resolve(() => socket.close({ code: code ?? 1011 }));
      });
      socket.onMessage((message) => isOver || server.send(message));
    });
    await signIn(page);
    const id = await talk("Expired");
    await opens(page, `/sessions/${id}`);
    await composer(page).pressSequentially("what was meant");
    await endLogins();
    const close = await ended;
    await composer(page).press("Enter");
    await composer(page).fill("and what comes next");
    await close();
    await page.getByTestId("login-lost").waitFor();
    models.script.push({ kind: "text", text: "I hear you" });
    await enter(page);
    await expect.poll(() => listMessages(page), SHORT_TIMEOUT).toEqual(["what was meant", "I hear you"]);
    expect(await composer(page).inputValue()).toBe("and what comes next");
    expect(await stored(id)).toEqual(["what was meant", "I hear you"]);
    await page.close();
  });

  test("when the login expires by the service's clock, unknown to the browser's", {
    timeout: 60_000,
  }, async () => {
    const page = await pages.openPage();
    await signIn(page);
    const id = await talk("Run out");
    await opens(page, `/sessions/${id}`);
    await composer(page).pressSequentially("written before it ended");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31 * DAY_MS });
    onTestFinished(() => void vi.useRealTimers());
    await composer(page).pressSequentially(", and after");
    await composer(page).press("Enter");
    await composer(page).fill("and what comes next");
    await page.getByTestId("login-lost").waitFor();
    models.script.push({ kind: "text", text: "I hear you" });
    await enter(page);
    // The browser waits by its own clock, while that of this process is stopped.
    await page.getByTestId("message").getByText("I hear you").waitFor();
    await expect
      .poll(() => listMessages(page), SHORT_TIMEOUT)
      .toEqual(["written before it ended, and after", "I hear you"]);
    expect(await composer(page).inputValue()).toBe("and what comes next");
    await page.reload();
    await page.getByTestId("message").getByText("I hear you").waitFor();
    await expect
      .poll(() => listMessages(page), SHORT_TIMEOUT)
      .toEqual(["written before it ended, and after", "I hear you"]);
    expect(await composer(page).inputValue()).toBe("and what comes next");
    expect(pages.problems).toEqual([]);
    await page.close();
  });

  test("when the login expires while a window, the settings and the playground are edited", {
    timeout: 60_000,
  }, async () => {
    const page = await pages.openPage();
    await signIn(page);
    await opens(page, "/");
    await page.getByTestId("start").waitFor();
    for (const [link, open, fieldOf] of WRITTEN) {
      await page.getByRole("link", { name: link, exact: true }).click();
      if (open) await page.getByRole("button", { name: open }).first().click();
      const field = fieldOf(page);
      await field.fill("77");
      await endLogins();
      await page.getByTestId("login-lost").waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      expect(await page.getByTestId("login-lost").isVisible()).toBe(true);
      await enter(page);
      await page.getByTestId("login-lost").waitFor({ state: "detached" });
      expect(await field.inputValue()).toBe("77");
      await page.evaluate("history.back()");
      await page.getByRole("button", { name: "Stay" }).click();
      expect(await field.inputValue()).toBe("77");
      await page.evaluate("history.back()");
      await page.getByTestId("discard-changes").click();
      await field.waitFor({ state: "detached" });
    }
    expect(pages.problems).toEqual([]);
    await page.close();
  });

  test("and no draft of one account is visible to or sent by another", {
    timeout: 60_000,
  }, async () => {
    const made = await pages.api.post<{ name: string; password: string }>("/api/accounts", {
      name: "berta",
      role: "operator",
    });
    const page = await pages.openPage();
    let isDown = false;
    const open = new Set<() => Promise<void>>();
    await page.routeWebSocket("**/api/ws*", async (socket) => {
      if (isDown) return socket.close({ code: 1011 });
      const server = socket.connectToServer();
      open.add(() => socket.close({ code: 1011 }));
      server.onMessage((message) => socket.send(message));
      socket.onMessage((message) => server.send(message));
    });
    await signIn(page);
    const id = await talk("Shared desk");
    await opens(page, `/sessions/${id}`);
    await composer(page).waitFor();
    isDown = true;
    await Promise.all([...open].map((close) => close()));
    await composer(page).fill("not sent yet");
    await composer(page).press("Enter");
    await page.getByTestId("pending").waitFor();
    await composer(page).fill("a secret thought");
    await signOut(page);
    isDown = false;
    await enter(page, { username: made.name, password: made.password });
    await page.getByRole("heading", { name: "Shared desk" }).waitFor();
    await composer(page).fill("from Berta");
    models.script.push({ kind: "text", text: "Hello Berta" });
    await composer(page).press("Enter");
    await page.getByTestId("message").getByText("Hello Berta").waitFor();
    expect(await stored(id)).toEqual(["from Berta", "Hello Berta"]);
    await composer(page).fill("Berta's own");
    await signOut(page);
    await enter(page);
    await expect.poll(() => stored(id), SHORT_TIMEOUT).toContain("not sent yet");
    await expect.poll(() => composer(page).inputValue(), SHORT_TIMEOUT).toBe("a secret thought");
    expect(pages.problems).toEqual([]);
    await page.close();
  });

  test("when two tabs edit one draft, and a reload that aborts an upload is reported", async () => {
    const page = await pages.openPage();
    await signIn(page);
    const id = await talk("Two tabs");
    await opens(page, `/sessions/${id}`);
    await composer(page).waitFor();
    const other = await page.context().newPage();
    await opens(other, `/sessions/${id}`);
    await composer(other).waitFor();
    await composer(page).fill("begun here");
    await expect.poll(() => composer(other).inputValue(), SHORT_TIMEOUT).toBe("begun here");
    await composer(other).pressSequentially(", ended there");
    await expect.poll(() => composer(page).inputValue(), SHORT_TIMEOUT).toBe("begun here, ended there");
    await composer(other).press("Enter");
    await expect.poll(() => composer(page).inputValue(), SHORT_TIMEOUT).toBe("");
    await composer(page).fill("and more");
    await page.route("**/api/upload", () => {});
    const file = { name: "film.mp4", mimeType: "video/mp4", buffer: Buffer.from("film") };
    await page.getByTestId("file-input").setInputFiles([file]);
    await page.locator('[data-testid="picked-file"][data-state="uploading"]').waitFor();
    await page.reload();
    await page.getByTestId("rejected-files").getByText("film.mp4: not attached: the page was closed").waitFor();
    expect(await composer(page).inputValue()).toBe("and more");
    expect(await page.getByTestId("picked-file").count()).toBe(0);
    await page.close();
    await other.close();
  });
});

test.runIf(canBrowse)(
  "when the service is killed during typing and answering",
  {
    timeout: 120_000,
  },
  async () => {
    await using models = await startModelServer();
    const root = mkdtempSync(join(tmpdir(), "parley-killed-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    writeFileSync(join(root, "config.ini"), "[log]\nlevel = error\nfile = off\n");
    const args = ["--port", String(await findFreePort())];
    const credentials = { username: "admin", password: "correct horse" };
    const start = () => startProcess({ root, args, env: { SVC_ADMIN_PASSWORD: credentials.password } });
    let service = await start();
    onTestFinished(async () => void (await service.stop()));
    const { address } = service;
    const open = createClient(address, "");
    const api = open.as((await open.post<{ token: string }>("/api/login", credentials)).token);
    const model = { name: "scripted", model: "scripted", base_url: models.baseUrl };
    const { id: modelId } = await api.post<{ id: string }>("/api/ai-models", model);
    await api.post(`/api/ai-models/${modelId}/apply`, {});
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Killed" });
    const browser = await openBrowser();
    const context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce", serviceWorkers: "block" });
    onTestFinished(() => context.close());
    await context.request.post(`${address}/api/login`, { data: credentials });
    const page = await context.newPage();
    await page.goto(`${address}/#/sessions/${id}`);
    const composer = page.getByTestId("composer");
    const listMessages = async () =>
      (await page.getByTestId("message").locator(".message_bubble").allTextContents()).map((text) => text.trim());
    const gate = createGate();
    models.script.push({ kind: "held", pieces: ["Half of ", "an answer."], gate });
    await composer.fill("the first");
    await composer.press("Enter");
    gate.next();
    await page.getByTestId("streaming").getByText("Half of").waitFor();
    await composer.pressSequentially("typed while it lived");
    service.child.kill("SIGKILL");
    await service.ended;
    await composer.pressSequentially(", sent while it was dead");
    await composer.press("Enter");
    await page.getByTestId("pending").waitFor();
    await composer.fill("the next thought");
    models.script.push({ kind: "text", text: "A whole answer." }, { kind: "text", text: "To the second." });
    service = await start();
    expect(service.address).toBe(address);
    const all = ["the first", "A whole answer.", "typed while it lived, sent while it was dead", "To the second."];
    await expect.poll(listMessages, { timeout: 30_000 }).toEqual(all);
    expect(await composer.inputValue()).toBe("the next thought");
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`);
    expect(items.map(({ content }) => content)).toEqual(all);
    await page.reload();
    await expect.poll(listMessages, SHORT_TIMEOUT).toEqual(all);
    expect(await composer.inputValue()).toBe("the next thought");
  },
);
