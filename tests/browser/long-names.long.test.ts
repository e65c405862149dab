import type { ConsoleArea } from "@parley/core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { type Console, SHORT_TIMEOUT, startConsole } from "./console.ts";

/** A word too long for a line on a phone; the sentence is too long for a line of a card. */
const WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
const SENTENCE = "A name that goes on and on, so that no list, card or heading can show the whole of it at once";
const WIDTHS = [390, 820, 1440] as const;

/** Finds texts that overflow: a box that cuts them without an ellipsis, a scrolled page, or the window. */
const FIND_CUT_TEXTS = `(() => {
  const isCutOnPurpose = (box, style) => style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
  const isScrolledSideways = (box) => box.closest("pre, table, [class*='wide'], [class*='tagFilter']") !== null;
  const found = new Set();
  for (const element of document.querySelectorAll("body *")) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")) continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const { left, right, width } = range.getBoundingClientRect();
    // The skip link is outside the window; labels of a chart are beside their bars.
    if (width < 2 || right <= 0 || element.closest("figure")) continue;
    for (let box = element; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.clipPath !== "none" || style.clip !== "auto") break;
      const isCard = box.matches("a, button, li, td, section, article, [role=dialog]");
      if (style.display === "contents" || (style.overflowX === "visible" && !isCard && box !== document.body)) continue;
      const edge = box.getBoundingClientRect();
      if (style.display !== "inline" && (left < edge.left - 2 || right > edge.right + 2)) {
        if (!isCutOnPurpose(box, style) && !isScrolledSideways(box))
          found.add(box.tagName + "." + box.className + ": " + element.textContent.trim().slice(0, 60));
        break;
      }
    }
  }
  return [...found];
})()`;

describe.runIf(canBrowse)("overlong names", () => {
  let pages: Console;
  let paths: readonly string[];

  beforeAll(async () => {
    pages = await startConsole();
    const { api } = pages;
    const own: string[] = [];
    const create = async (path: string, body: object) => (await api.post<{ readonly id: string }>(path, body)).id;
    for (const name of [WORD, SENTENCE]) {
      const short = name.slice(0, 60);
      const character = await create("/api/characters", { name: short, description: name, tags: [name.slice(0, 30)] });
      const session = await create("/api/sessions", {
        name: short,
        tags: [name.slice(0, 30)],
        character_id: character,
      });
      await api.post(`/api/sessions/${session}/chat`, { content: `${name} ${WORD}` });
      await api.post("/api/message-filter", { pattern: name, action: "strip", group: name.slice(0, 40) });
      await api.post("/api/knowledge", { title: name, content: name });
      await api.post("/api/memory", { title: short, content: name });
      const entries = [{ keywords: [name.slice(0, 40)], content: name }];
      const book = await create("/api/world-books", { name: short, description: name, entries });
      const workflow = { name: short, description: name, trigger: "cron", config: { cron: "0 8 * * 1-5" } };
      const flow = await create("/api/workflows", workflow);
      await api.post("/api/api-keys", { name: short, scopes: ["read", "chat"] });
      await api.post("/api/prompts", { name: short, content: name });
      await api.post("/api/personality/custom-presets", { name: short, tags: [name.slice(0, 30)] });
      await api.post("/api/task-center", { name: short, description: name, prompt: name });
      const server = { name: name.slice(0, 50), transport: "streamable-http", url: `http://127.0.0.1:9/${WORD}` };
      await api.post("/api/mcp-servers", server);
      const id = name === WORD ? "long-word" : "long-name";
      await api.post("/api/channels", { id, name: short, description: name, config: { auth: { type: "none" } } });
      own.push(
        `/sessions/${session}`,
        `/characters/${character}`,
        `/world-books/${book}`,
        `/automation/workflows/${flow}`,
      );
    }
    // No model answers at this address; the offline companion has answered before.
    const model = { model: WORD, base_url: `http://127.0.0.1:9/${WORD}` };
    for (const name of [WORD, SENTENCE]) await api.post("/api/ai-models", { ...model, name: name.slice(0, 60) });
    const { items } = await api.get<{ items: readonly ConsoleArea[] }>("/api/console/areas");
    const ofAreas = items.map(({ id, view }) => (view.kind === "page" ? `/${view.page}` : `/area/${id}`));
    paths = ["/", ...ofAreas, "/automation/tasks", "/automation/runs", "/automation/calendar", ...own];
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const waitUntilDrawn = async (page: Page) => {
    await page.locator("h1, h2").filter({ visible: true }).first().waitFor();
    await page.waitForLoadState("networkidle");
    await expect.poll(() => page.locator(".common_delayed").filter({ visible: true }).count(), SHORT_TIMEOUT).toBe(0);
  };

  test.each(WIDTHS)("wrap or end in an ellipsis on every page: %s px", { timeout: 180_000 }, async (width) => {
    const page = await pages.visit("/", { viewport: { width, height: 900 } });
    const cut: string[] = [];
    for (const path of paths) {
      await page.goto(`${pages.parley.address}/#${path}`);
      await waitUntilDrawn(page);
      for (const text of await page.evaluate<readonly string[]>(FIND_CUT_TEXTS)) cut.push(`${path}: ${text}`);
    }
    await takeScreenshot(page, `long-names-${width}`);
    expect(cut).toEqual([]);
    await page.close();
  });
});
