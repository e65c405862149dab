import { globSync } from "node:fs";
import { join } from "node:path";
import type { ConsoleArea } from "@parley/core";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";
import { type Console, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { resetPage } from "./page-pool.ts";

interface Made {
  readonly id: string;
}

/** Paths of the console's pages, from their areas. */
const PAGES = new Map<string, Area>();
for (const file of globSync("adapters/web/console/src/areas/*/area.ts")) {
  const { area } = (await import(join(process.cwd(), file))) as { readonly area: Area };
  PAGES.set(area.id, area);
}
interface Area {
  readonly id: string;
  readonly paths: readonly string[];
  readonly tabs?: readonly string[];
  readonly changeScope?: string;
  readonly partChangeScope?: string;
}

const desk = createFakeChannel("desk", "none");
const ALL = ["reader", "operator"] as const;
/** The operator's run is only in the long test: it clicks what the reader's run does, with fewer rejections. */
const ROLES = process.env.PARLEY_LONG === undefined ? ALL.slice(0, 1) : ALL;
/** Elements to click, without links and account actions: the frame around the page, and so the user, stays. */
const PRESSED = "button:visible:enabled, [role=switch]:visible:enabled, [role=menuitem]:visible";
const MOST_PRESSED = 60;

describe.runIf(canBrowse)("permissions in the console", () => {
  let pages: Console;
  /** Values of path parameters. */
  let of: Readonly<Record<string, string>>;

  beforeAll(async () => {
    pages = await startConsole({ plugins: [desk.plugin] });
    const { api } = pages;
    await api.post("/api/channels", { id: "desk", name: "Front desk", type: "desk", transport: "bridge" });
    const { id: session } = await api.post<Made>("/api/sessions", { name: "A talk" });
    await api.post(`/api/sessions/${session}/messages`, { role: "user", content: "Hello." });
    await api.post(`/api/sessions/${session}/messages`, { role: "assistant", content: "Good day." });
    const { id: character } = await api.post<Made>("/api/characters", { name: "Mira" });
    const { id: book } = await api.post<Made>("/api/world-books", { name: "Lore" });
    await api.post(`/api/world-books/${book}/entries`, { content: "The moon is green.", keywords: ["moon"] });
    await api.post("/api/knowledge", { title: "Tea", content: "Green tea is not black." });
    await api.post("/api/memory", { content: "Ada likes tea.", title: "Tea" });
    const { id: workflow } = await api.post<Made>("/api/workflows", { name: "Morning", description: "Say hello." });
    await api.post("/api/task-center", { name: "Daily", prompt: "Say hello.", trigger: "cron", config: {} });
    of = { sessionId: session, characterId: character, bookId: book, workflowId: workflow };
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  /** Returns the areas in the menu, with the definition of the console's own pages. */
  const fetchAreas = async (page: Page) => {
    const answer = await page.context().request.get(`${pages.parley.address}/api/console/areas`);
    const { data } = (await answer.json()) as { readonly data: { readonly items: readonly ConsoleArea[] } };
    return data.items.map(({ id, view }) => ({ id, own: view.kind === "page" ? PAGES.get(view.page) : undefined }));
  };
  /** Returns the paths of all pages in the menu. */
  const listPaths = async (page: Page) =>
    (await fetchAreas(page)).flatMap(({ id, own }) =>
      own ? own.paths.flatMap((path) => fillParams(path, own)) : [`/area/${id}`],
    );
  /** Returns the paths of areas with parts only for administrators; an operator can do everything else. */
  const listAdminPaths = async (page: Page) =>
    (await fetchAreas(page)).flatMap(({ own }) =>
      own && [own.changeScope, own.partChangeScope].includes("admin")
        ? own.paths.flatMap((path) => fillParams(path, own))
        : [],
    );
  const fillParams = (path: string, { tabs = [] }: Area): readonly string[] => {
    if (path.endsWith("/$tab")) return tabs.map((tab) => path.replace("$tab", tab));
    const named = path.replaceAll(/\$(\w+)/g, (all, name: string) => of[name] ?? all);
    return named.includes("$") ? [] : [named];
  };

  const waiting = new WeakMap<Page, Set<object>>();
  const signInAs = async (role: string) => {
    // A retry of the test needs another account name.
    const account = { name: `${role}-${crypto.randomUUID().slice(0, 8)}`, role };
    const { password } = await pages.api.post<{ password: string }>("/api/accounts", account);
    const page = await pages.openPage({ permissions: ["clipboard-read", "clipboard-write"] });
    const asked = new Set<object>();
    waiting.set(page, asked);
    page.on("request", (request) => asked.add(request));
    page.on("requestfinished", (request) => asked.delete(request));
    page.on("requestfailed", (request) => asked.delete(request));
    const data = { username: account.name, password };
    await page.context().request.post(`${pages.parley.address}/api/login`, { data });
    return page;
  };

  test.each(ROLES)("no control that a(n) %s can use is rejected", { timeout: 400_000 }, async (role) => {
    const page = await signInAs(role);
    const rejected = new Set<string>();
    let pressed = "";
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (response.status() === 403) rejected.add(`${pressed}: ${response.request().method()} ${pathname}`);
    });
    page.on("dialog", (dialog) => void dialog.accept());
    let count = 0;
    for (const path of role === "reader" ? await listPaths(page) : await listAdminPaths(page)) {
      pressed = `${path} as it opens`;
      await openFresh(page, path);
      const all = await names(page.locator("main"));
      for (const name of all) {
        if (!(await isUnchanged(page, path, all))) await openFresh(page, path);
        pressed = `${path} › ${name}`;
        await press(page.locator("main"), name);
        count += 1;
        const opened = windows(page).last();
        if ((await opened.count()) === 0) continue;
        for (const inner of (await names(opened)).slice(0, 8)) {
          pressed = `${path} › ${name} › ${inner}`;
          await press(opened, inner);
          count += 1;
        }
      }
    }
    expect([...rejected]).toEqual([]);
    expect(count).toBeGreaterThan(20);
    expect(pages.problems.splice(0)).toEqual([]);
    await page.context().close();
  });

  const windows = (page: Page) => page.locator("[role=dialog]:visible, [role=menu]:visible");

  /** Waits until requested data is rendered. */
  const waitForData = async (page: Page) => {
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    await expect.poll(() => waiting.get(page)?.size, SHORT_TIMEOUT).toBe(0);
  };

  /** Opens a page in its initial state, by way of another page or a reload. */
  const openFresh = async (page: Page, path: string) => {
    const isLoaded = page.url().startsWith(pages.parley.address);
    if (!isLoaded || !(await resetPage(page, pages.parley.address))) await page.goto("about:blank");
    await page.goto(`${pages.parley.address}/#${path}`);
    await page.getByRole("navigation", { name: "Menu" }).waitFor();
    await page.locator("main :is(h1, [data-testid=session-item])").first().waitFor({ state: "attached" });
    await waitForData(page);
  };

  /** True when a click left the page unchanged: same elements, no dialog. */
  const isUnchanged = async (page: Page, path: string, all: readonly string[]) =>
    page.url() === `${pages.parley.address}/#${path}` &&
    (await windows(page).count()) === 0 &&
    (await names(page.locator("main"))).join("\n") === all.join("\n");

  /** Returns the names of clickable elements, each kind once: for lists those of the first row. */
  const names = async (within: Locator) => {
    const all = await within
      .locator(PRESSED)
      .evaluateAll((found) =>
        found.map((one) => one.getAttribute("data-testid") ?? one.getAttribute("aria-label") ?? one.textContent ?? ""),
      );
    return [...new Set(all)].filter((name) => name !== "").slice(0, MOST_PRESSED);
  };

  const press = async (within: Locator, name: string) => {
    const all = within.locator(PRESSED);
    const at = await all.evaluateAll(
      (found, wanted) =>
        found.findIndex(
          (one) =>
            (one.getAttribute("data-testid") ?? one.getAttribute("aria-label") ?? one.textContent ?? "") === wanted,
        ),
      name,
    );
    if (at < 0) return;
    await all
      .nth(at)
      .click({ timeout: 1_000, force: true })
      .catch(() => undefined);
    await waitForData(within.page());
  };
});
