import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

const MANY = 5_000;
interface Entry {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly keywords: readonly string[];
  readonly enabled: boolean;
  readonly insertion_order: number;
}

describe.runIf(canBrowse)("the world book pages", () => {
  let pages: Console;
  let town: string;
  let large: string;

  beforeAll(async () => {
    pages = await startConsole();
    const { api } = pages;
    const entries = [
      { name: "Tavern", keywords: ["tavern", "inn"], content: "An old inn by the road.", entry_type: "location" },
      { name: "Mira", keywords: ["Mira"], content: "She keeps the inn.", entry_type: "npc", priority: 10 },
      { name: "秘密", keywords: ["地窖"], content: "地窖里藏着一扇门。", entry_type: "secret" },
      { name: "Never", content: "Nobody will see this." },
    ];
    town = (await api.post<{ id: string }>("/api/world-books", { name: "Town", description: "酒馆与港口", entries }))
      .id;
    const all = Array.from({ length: MANY }, (_, at) => [
      String(at),
      { uid: at, key: [`word${at}`], comment: `Lore ${at}`, content: `Lore of ${at}.`, order: at },
    ]);
    const file = { entries: Object.fromEntries(all) };
    large = (await api.post<{ book: { id: string } }>("/api/world-books/import?name=Large", file)).book.id;
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const entriesOf = async (id: string) =>
    (await pages.api.get<{ items: readonly Entry[] }>(`/api/world-books/${id}/entries?limit=500`)).items;
  const rows = (page: Page) => page.getByTestId("entry-row");

  test("a new book is stored when it has a name, and closing the window discards it", async () => {
    const total = async () => (await pages.api.get<{ total: number }>("/api/world-books")).total;
    const before = await total();
    const page = await pages.visit("/world-books");
    await page.getByTestId("new-book").click();
    await page.getByTestId("book-name").waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("book-name").waitFor({ state: "detached" });
    expect(await total()).toBe(before);
    await page.getByTestId("new-book").click();
    await page.getByTestId("book-name").fill("Harbour");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Harbour" }).waitFor();
    expect(await total()).toBe(before + 1);
    const { items } = await pages.api.get<{ items: readonly { id: string; name: string }[] }>("/api/world-books");
    await pages.api.send("DELETE", `/api/world-books/${items.find(({ name }) => name === "Harbour")?.id}`);
    await pages.releasePage(page);
  });

  test("a book is opened, an entry edited with its keywords as chips, and changed in bulk", async () => {
    const page = await pages.visit("/world-books");
    await page.getByRole("link", { name: "Town" }).click();
    await expect.poll(() => rows(page).count(), SHORT_TIMEOUT).toBe(4);
    await page.getByTestId("new-entry").click();
    await page.getByTestId("entry-content").fill("Ships come at dawn.");
    const keywords = page.getByRole("combobox", { name: "Keywords" }).or(page.getByTestId("entry-keywords")).first();
    await keywords.fill("port");
    await keywords.press("Enter");
    await keywords.pressSequentially("harbour,");
    await page.getByTestId("save-entry").click();
    await expect.poll(async () => (await entriesOf(town)).map(({ name }) => name), SHORT_TIMEOUT).toContain("port");
    const made = (await entriesOf(town)).find(({ name }) => name === "port");
    expect(made?.keywords).toEqual(["port", "harbour"]);
    await expectNoOverflow(page, "world-book-light");
    for (const hasText of ["port", "Never"]) {
      const row = rows(page).filter({ hasText });
      await row.getByTestId("select-entry").click();
      await expect.poll(() => row.getAttribute("aria-checked"), SHORT_TIMEOUT).toBe("true");
    }
    await page.getByTestId("bulk-bar").getByRole("button", { name: "Switch off" }).click();
    await expect
      .poll(
        async () => (await entriesOf(town)).filter(({ enabled }) => !enabled).map(({ name }) => name),
        SHORT_TIMEOUT,
      )
      .toHaveLength(2);
    // One that has no name and no keyword is called by the beginning of its text, also where it is to go.
    const { id: bare } = await pages.api.post<{ id: string }>("/api/world-books", { name: "Bare" });
    await pages.api.post(`/api/world-books/${bare}/entries`, { content: "A stone lies by the road.", always_on: true });
    await page.goto(`${pages.parley.address}/#/world-books/${bare}`);
    await rows(page).getByText("A stone lies by the road.").first().waitFor();
    expect(await rows(page).getByText("Entry", { exact: true }).count()).toBe(0);
    await rows(page).getByTestId("select-entry").click();
    await page.getByTestId("bulk-bar").getByRole("button", { name: "Delete" }).click();
    const asked = page.getByRole("dialog", { name: "Delete" });
    await asked.getByText("A stone lies by the road.").waitFor();
    await asked.getByText("1 entry is deleted.").waitFor();
    await pages.releasePage(page);
  });

  test("another person's changes of an entry do not overwrite the draft, nor are they overwritten silently", async () => {
    const page = await pages.visit(`/world-books/${town}`);
    await rows(page).filter({ hasText: "Mira" }).click();
    await page.getByTestId("entry-content").fill("She owns the inn.");
    const { id } = (await entriesOf(town)).find(({ name }) => name === "Mira") as Entry;
    const theirs = (content: string) => pages.api.put(`/api/world-books/${town}/entries/${id}`, { content });
    await theirs("She sold the inn.");
    for (const description of ["酒馆", "酒馆与港口"]) await pages.api.put(`/api/world-books/${town}`, { description });
    const content = async () => (await entriesOf(town)).find((entry) => entry.id === id)?.content;
    await page.getByTestId("save-entry").click();
    await page.getByText("Your changes are still here.").waitFor();
    expect([await page.getByTestId("entry-content").inputValue(), await content()]).toEqual([
      "She owns the inn.",
      "She sold the inn.",
    ]);
    await page.getByTestId("save-anyway").click();
    await expect.poll(content, SHORT_TIMEOUT).toBe("She owns the inn.");
    await page.getByTestId("entry-content").fill("She left.");
    await theirs("She came back.");
    await page.getByTestId("save-entry").click();
    await page.getByRole("button", { name: "Load the latest version" }).click();
    await expect.poll(() => page.getByTestId("entry-content").inputValue(), SHORT_TIMEOUT).toBe("She came back.");
    await page.close();
  });

  test("five thousand entries are navigated by keyboard, searched and moved, and only visible ones are rendered", async () => {
    const page = await pages.visit(`/world-books/${large}`);
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBeLessThan(40);
    await page.getByTestId("entry-list").focus();
    await page.keyboard.press("End");
    await page.getByTestId("entry-form").getByRole("textbox", { name: "Name" }).waitFor();
    await page.getByTestId("entry-row").filter({ hasText: "Lore 4999" }).waitFor();
    await page.getByTestId("find-entry").fill("Lore 123");
    await expect.poll(() => rows(page).count(), SHORT_TIMEOUT).toBe(11);
    await page.getByTestId("find-entry").fill("");
    await page.getByRole("combobox", { name: "Sort by" }).selectOption("order");
    await page.getByTestId("entry-list").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Alt+ArrowDown");
    const first = async () => (await rows(page).first().textContent()) ?? "";
    await expect.poll(first, SHORT_TIMEOUT).toContain("Lore 1");
    await pages.releasePage(page);
  });

  test("entries are reordered with the mouse and the keyboard, and stay so after a reload", async () => {
    const entries = ["One", "Two", "Three"].map((name, at) => ({
      name,
      keywords: [name],
      content: `${name} of three.`,
      insertion_order: at * 10,
    }));
    const { id } = await pages.api.post<{ id: string }>("/api/world-books", { name: "Dragged", entries });
    const page = await pages.visit(`/world-books/${id}`);
    const names = () => page.locator("[data-testid=entry-row] .world-books_wbName").allTextContents();
    const stored = async () =>
      [...(await entriesOf(id))].sort((a, b) => a.insertion_order - b.insertion_order).map(({ name }) => name);
    const byOrder = () => page.getByRole("combobox", { name: "Sort by" }).selectOption("order");
    await expect.poll(() => rows(page).count(), SHORT_TIMEOUT).toBe(3);
    await byOrder();
    await expect.poll(names, SHORT_TIMEOUT).toEqual(["One", "Two", "Three"]);
    await rows(page).nth(0).dragTo(rows(page).nth(2));
    await expect.poll(names, SHORT_TIMEOUT).toEqual(["Two", "Three", "One"]);
    await expect.poll(stored, SHORT_TIMEOUT).toEqual(["Two", "Three", "One"]);
    await rows(page).nth(2).dragTo(rows(page).nth(1));
    await expect.poll(stored, SHORT_TIMEOUT).toEqual(["Two", "One", "Three"]);
    await expect.poll(names, SHORT_TIMEOUT).toEqual(["Two", "One", "Three"]);
    await rows(page).filter({ hasText: "Three" }).click();
    await page.getByTestId("entry-list").press("Alt+ArrowUp");
    await expect.poll(stored, SHORT_TIMEOUT).toEqual(["Two", "Three", "One"]);
    await page.reload();
    await byOrder();
    await expect.poll(names, SHORT_TIMEOUT).toEqual(["Two", "Three", "One"]);
    await pages.releasePage(page);
  });

  test("the workbench shows live which entries are activated, with highlights and reasons", async () => {
    const page = await pages.visit(`/world-books/${town}`);
    await page.getByTestId("workbench-tab").click();
    await page.getByTestId("workbench-text").fill("AI: Mira waves.\nUser: I walk into the Tavern.");
    await page.getByTestId("workbench-inserted").filter({ hasText: "Tavern" }).waitFor();
    expect(await page.locator(".world-books_wbSaid mark").allTextContents()).toContain("Tavern");
    await expectNoOverflow(page, "world-book-workbench");
    await page.getByTestId("workbench-text").fill("User: nothing at all");
    await page.getByText("No entries triggered.").waitFor();
    await pages.releasePage(page);
  });

  test("a newer file shows its differences, and applies selected ones once, also after a failure", async () => {
    const exported = await pages.api.get<{ entries: { comment?: string; keys: string[]; content: string }[] }>(
      `/api/world-books/export/${town}?format=v2`,
    );
    const newer = {
      ...exported,
      entries: [
        ...exported.entries.map((entry) =>
          entry.keys.includes("tavern") ? { ...entry, content: "It burnt down." } : entry,
        ),
        { keys: ["mill"], content: "The mill turns.", name: "Mill", extensions: {} },
      ],
    };
    const file = join(pages.parley.root, "newer.json");
    writeFileSync(file, JSON.stringify(newer));
    const page = await pages.visit(`/world-books/${town}`);
    const chooser = page.waitForEvent("filechooser");
    await page.getByTestId("compare-file").click();
    await (await chooser).setFiles(file);
    await page.getByText("New (1)").waitFor();
    await page.getByText("Changed (1)").waitFor();
    await expectNoOverflow(page, "world-book-compare");
    await page.route(/\/entries\/(?!batch)/, (route) => route.abort(), { times: 1 });
    await page.getByTestId("apply-changes").click();
    await page.getByRole("alert").waitFor();
    await page.getByTestId("apply-changes").click();
    await page.getByTestId("apply-changes").waitFor({ state: "detached" });
    expect((await entriesOf(town)).filter(({ name }) => name === "Mill")).toHaveLength(1);
    await pages.releasePage(page);
  });

  test("fit a phone, in Chinese and dark", async () => {
    const page = await pages.visit("/world-books", PHONE);
    await page.getByRole("heading", { name: "世界书", level: 1 }).waitFor();
    await page.getByText("酒馆与港口").waitFor();
    await expectNoOverflow(page, "world-books-phone");
    await page.getByRole("link", { name: "Town" }).click();
    await page.getByTestId("entry-row").filter({ hasText: "秘密" }).click();
    await page.getByTestId("entry-content").waitFor();
    await expectNoOverflow(page, "world-book-phone");
    await page.getByTestId("workbench-tab").click();
    await page.getByTestId("workbench-text").fill("用户：我走进地窖");
    await page.getByTestId("workbench-inserted").first().waitFor();
    await expectNoOverflow(page, "world-book-workbench-phone");
    const dark = await pages.visit(`/world-books/${town}`, { colorScheme: "dark" });
    await dark.getByTestId("entry-row").filter({ hasText: "Tavern" }).click();
    await dark.getByTestId("entry-content").waitFor();
    await expectNoOverflow(dark, "world-book-dark");
    expect(pages.problems).toEqual([]);
    await pages.releasePage(page);
    await dark.close();
  });
});
