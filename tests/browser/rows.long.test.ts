import type { ConsoleArea } from "@parley/core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { galleryPlugin } from "./gallery.ts";

/** A row may be as tall as the longest of its sentences on the narrowest screen, and no taller. */
const TALLEST = { 390: 420, 820: 260, 1440: 220 } as const;
const WIDTHS = [390, 820, 1440] as const;
/** Clickable rows, and the tables and lists of a page. */
const ROWS =
  'main :is(tbody > tr, ul > li:has(> *), [data-testid="gateway-event"], [data-testid="found-message"], [data-testid="call-row"])';
/** Cards side by side and the text alternatives of charts are not rows. */
const CARDS = 'figure, [class*="gallery_"], [class*="tagRow"], [class*="steps"]';

/** Pages with known content, and a row of each. */
const FILLED: Readonly<Record<string, string>> = {
  "/gateway": "[data-testid=gateway-event]",
  "/status": "[data-testid=log-row]",
  "/filter": "[data-testid=rule], main tbody tr",
  "/area/plants": "[data-testid=record-row]",
  "/filter/hits": "main tbody tr",
};

interface Row {
  readonly text: string;
  readonly height: number;
  readonly width: number;
  /** Width of the list. */
  readonly room: number;
  /** True when another element covers the row. */
  readonly isCovered: boolean;
}

const MEASURE = `(() => [...document.querySelectorAll(${JSON.stringify(ROWS)})]
  .filter((row) => row.checkVisibility() && !row.closest(${JSON.stringify(CARDS)}))
  .slice(0, 40)
  .map((row) => {
    row.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = row.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    return {
      text: row.textContent.slice(0, 60),
      height,
      width,
      room: row.parentElement.getBoundingClientRect().width,
      isCovered: !(at && (row.contains(at) || at.contains(row))),
    };
  }))()`;

describe.runIf(canBrowse)("the rows of every list", () => {
  let pages: Console;
  let areas: readonly ConsoleArea[];

  beforeAll(async () => {
    pages = await startConsole({ plugins: [galleryPlugin], logLevel: "warn" });
    const { api } = pages;
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Morning" });
    for (const content of ["one", "two", "three"]) await api.post(`/api/sessions/${id}/chat`, { content });
    for (const pattern of ["worse", "worst"]) await api.post("/api/message-filter", { pattern, action: "recall" });
    await api.post(`/api/sessions/${id}/chat`, { content: "something worse" });
    await api.post("/api/channels", { id: "shop", name: "Shop", config: { auth: { type: "none" } } });
    for (const conversation_id of ["7", "8", "9"]) {
      await api.send("POST", "/api/gateway/shop/webhook", { body: { content: "anybody there?", conversation_id } });
    }
    for (const name of ["Rosemary", "Sage", "Thyme"]) await api.post("/api/plants", { name, notes: "dry" });
    for (const name of ["one", "two"]) await api.post("/api/api-keys", { name, scopes: ["read"] });
    for (const name of ["Morning news", "Evening news"]) {
      await api.post("/api/workflows", {
        name,
        description: "Reads it out",
        trigger: "cron",
        config: { cron: "0 8 * * 1-5" },
      });
    }
    // No model answers at this address, which fills the log.
    const model = { name: "Nowhere", model: "none", base_url: "http://127.0.0.1:9/v1" };
    await api.post(`/api/ai-models/${(await api.post<{ id: string }>("/api/ai-models", model)).id}/apply`, {});
    for (const content of ["four", "five"]) await api.send("POST", `/api/sessions/${id}/chat`, { body: { content } });
    ({ items: areas } = await api.get<{ items: readonly ConsoleArea[] }>("/api/console/areas"));
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const measured = async (page: Page): Promise<readonly Row[]> => {
    await page.locator("h1").filter({ visible: true }).first().waitFor();
    await page.waitForLoadState("networkidle");
    await expect.poll(() => page.locator(".common_delayed").filter({ visible: true }).count(), SHORT_TIMEOUT).toBe(0);
    return page.evaluate<readonly Row[]>(MEASURE);
  };

  test.each(WIDTHS)("are visible, as wide as the list and no taller than their text: %s px", async (width) => {
    const page = await pages.visit("/", { viewport: { width, height: 900 } });
    const wrong: string[] = [];
    const paths = areas.map(({ id, view }) => (view.kind === "page" ? `/${view.page}` : `/area/${id}`));
    for (const path of [...paths, "/filter/hits", "/mcp/calls", "/automation/runs", "/automation/calendar"]) {
      await page.goto(`${pages.parley.address}/#${path}`);
      if (FILLED[path]) await page.locator(FILLED[path]).first().waitFor();
      for (const { text, height, width: own, room, isCovered } of await measured(page)) {
        const what = `${path}: “${text}” is ${Math.round(own)} × ${Math.round(height)} of ${Math.round(room)}`;
        if (height > TALLEST[width] || height < 14) wrong.push(`${what}: height`);
        if (own < room * 0.8) wrong.push(`${what}: width`);
        if (isCovered) wrong.push(`${what}: covered`);
      }
    }
    expect(wrong).toEqual([]);
    await pages.releasePage(page);
  });
});
