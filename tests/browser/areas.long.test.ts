import { Databases } from "@parley/core";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { PNG } from "../harness/files/sample-files.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";
import { galleryPlugin } from "./gallery.ts";

const VERY_SOON = SHORT_TIMEOUT;

/** The part of the browser's `DataTransfer` that is used here. */
interface Carried {
  readonly items: { add(file: File): void };
}

describe.runIf(canBrowse)("areas of a plugin", () => {
  let pages: Console;
  let page: Page;
  beforeAll(async () => {
    pages = await startConsole({ plugins: [galleryPlugin] });
    // Without animations, since a click may miss a moving element.
    page = await pages.visit("/area/plants");
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const field = (name: string) => page.getByRole("dialog").getByLabel(name, { exact: false });
  const row = (name: string) => page.getByTestId("record-row").filter({ hasText: name });
  const save = () => page.getByTestId("save-record").click();
  const waitForToast = (text: string) => page.getByTestId("toast").getByText(text).waitFor(VERY_SOON);

  test("an empty list explains its purpose; a record is created, and errors appear at their fields", async () => {
    await page.getByTestId("empty").getByText("What grows here").waitFor();
    await takeScreenshot(page, "resource-empty");
    await page.getByTestId("empty").getByRole("button", { name: "New plant" }).click();
    await expect.poll(() => page.url(), SHORT_TIMEOUT).toContain("#/area/plants/new");
    await field("Name").fill("Rosemary");
    await page.getByRole("dialog").getByText("As on its label").waitFor();
    await field("Height (cm)").fill("9999");
    // The editors load one after another; the other one accepts only JSON.
    await page.getByRole("dialog").getByRole("textbox", { name: "Care" }).click();
    await page.keyboard.type("# Sun\nand **sand**");
    await field("Spring").check();
    await field("Planted").fill("2026-03-01T08:30");
    await takeScreenshot(page, "resource-form");
    await save();
    await page.getByRole("dialog").getByText("must be less than or equal to 9000").waitFor(VERY_SOON);
    expect(
      await page.evaluate(
        "document.activeElement.closest('[data-field]')?.dataset.field ?? document.activeElement.dataset.field",
      ),
    ).toBe("height");
    await field("Height (cm)").fill("60");
    await save();
    await waitForToast("Created: Rosemary");
    expect(await pages.api.get("/api/plants")).toMatchObject({
      total: 1,
      items: [{ name: "Rosemary", kind: "herb", care: "# Sun\nand **sand**", months: ["spring"], height: 60 }],
    });
  });

  test("entered text is not lost: leaving asks, a taken name is reported, and a concurrent change is not overwritten", async () => {
    await pages.api.post("/api/plants", { name: "Oak", kind: "tree", height: 800, tags: ["old"] });
    await row("Oak").getByRole("link", { name: "Oak" }).click();
    await field("Name").fill("Rosemary");
    await page.keyboard.press("Escape");
    await page.getByText("Leave without saving?").waitFor(VERY_SOON);
    await page.getByRole("button", { name: "Stay" }).click();
    expect(await field("Name").inputValue()).toBe("Rosemary");
    await save();
    await page.getByRole("dialog").getByText("is taken").waitFor(VERY_SOON);
    const { items } = await pages.api.get<{ items: readonly { id: string }[] }>("/api/plants?q=Oak");
    await pages.api.put(`/api/plants/${items[0]?.id}`, { name: "Elder oak", height: 810 });
    await field("Name").fill("Old oak");
    await save();
    await page.getByText("Someone else has changed this in the meantime").waitFor(VERY_SOON);
    await page.getByRole("button", { name: "Overwrite with mine" }).click();
    await waitForToast("Saved: Old oak");
    await page.getByTestId("toast").filter({ hasText: "Old oak" }).getByRole("button", { name: "Undo" }).click();
    await row("Oak").getByText("Oak", { exact: true }).waitFor(VERY_SOON);
    expect(await pages.api.get("/api/plants?q=Oak")).toMatchObject({ items: [{ name: "Oak", height: 810 }] });
  });

  test("a picture is uploaded, shown, removed, dropped and chosen again, and stays while its record uses it", async () => {
    const photo = page.getByRole("dialog").locator('[data-field="photo"]');
    const png = { name: "rose.png", mimeType: "image/png", buffer: PNG };
    const address = () => photo.getByRole("textbox").inputValue();
    await row("Rosemary").getByRole("link", { name: "Rosemary" }).click();
    await photo.locator("input[type=file]").setInputFiles(png);
    await photo.getByTestId("thumbnail").waitFor(VERY_SOON);
    await takeScreenshot(page, "resource-picture");
    const first = await address();
    expect(first).toMatch(/^\/static\/files\//);
    await photo.getByRole("button", { name: "Remove" }).click();
    expect(await address()).toBe("");
    await photo.locator("input[type=file]").setInputFiles({ ...png, name: "rose.txt", buffer: Buffer.from("thorns") });
    await photo.getByText("This is not a picture.").waitFor(VERY_SOON);
    const dropped = await page.evaluateHandle(
      (bytes) => {
        const { DataTransfer } = globalThis as unknown as { readonly DataTransfer: new () => Carried };
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "dropped.png", { type: "image/png" }));
        return data;
      },
      [...PNG],
    );
    await photo.getByTestId("file-field").dispatchEvent("drop", { dataTransfer: dropped });
    await photo.getByTestId("thumbnail").waitFor(VERY_SOON);
    expect(await address()).not.toBe(first);
    await photo.getByRole("button", { name: "Choose" }).click();
    const choices = page.getByTestId("file-choice");
    await expect.poll(() => choices.count(), SHORT_TIMEOUT).toBe(2);
    await takeScreenshot(page, "resource-picker");
    await choices.filter({ hasText: "rose.png" }).click();
    expect(await address()).toBe(first);
    await save();
    await waitForToast("Saved: Rosemary");
    expect(await pages.api.get("/api/plants?q=Rosemary")).toMatchObject({ items: [{ photo: first }] });
    const files = pages.parley.host.get(Databases).main.tables<{ files: { name: string; kept: number } }>();
    const storedFiles = await files.selectFrom("files").select("name").where("kept", "=", 1).execute();
    expect(storedFiles).toEqual([{ name: "rose.png" }]);
    expect(pages.problems).toEqual([]);
  });

  test("a list is searched, filtered, sorted and loaded page by page by the service, and the address contains that", async () => {
    for (let number = 10; number < 40; number += 1)
      await pages.api.post("/api/plants", { name: `Fern ${number}`, height: number });
    const rows = page.getByTestId("record-row");
    await page.getByTestId("loaded-count").getByText("25 of 32").waitFor(SHORT_TIMEOUT);
    await takeScreenshot(page, "resource-list");
    await page.getByTestId("loaded-count").scrollIntoViewIfNeeded();
    await expect.poll(() => rows.count(), SHORT_TIMEOUT).toBe(32);
    await page.getByTestId("filter-kind").selectOption("tree");
    await expect.poll(() => rows.count(), SHORT_TIMEOUT).toBe(1);
    await page.getByTestId("filter-kind").selectOption("");
    await page.getByTestId("record-search").fill("fern 1");
    await expect.poll(() => rows.count(), SHORT_TIMEOUT).toBe(10);
    await page.getByRole("button", { name: "Sort by Height (cm)" }).click();
    await page.getByRole("button", { name: "Sort by Height (cm)" }).click();
    await expect.poll(() => page.getByTestId("record-row").first().textContent(), SHORT_TIMEOUT).toContain("Fern 19");
    await page.reload();
    await expect.poll(() => page.getByTestId("record-row").first().textContent(), SHORT_TIMEOUT).toContain("Fern 19");
    expect(await page.getByTestId("record-search").inputValue()).toBe("fern 1");
  });

  test("a switch in the table does not overwrite another person's change", async () => {
    const { items } = await pages.api.get<{ items: readonly { id: string }[] }>("/api/plants?q=Fern 18");
    const one = `/api/plants/${items[0]?.id}`;
    const meanwhile = async (request: Route) => {
      await pages.api.put(one, { height: 7000 });
      await request.continue();
    };
    await page.route(`**${one}`, meanwhile, { times: 1 });
    await row("Fern 18").getByRole("switch").press("Space");
    await waitForToast("Someone else has changed Fern 18 in the meantime");
    await row("Fern 18").getByText("7,000").waitFor(VERY_SOON);
    expect(await pages.api.get(one)).toMatchObject({ watered: false, height: 7000 });
  });

  test("switches toggle in the table and back; actions ask, run on several, and name what is deleted", async () => {
    await row("Fern 19").getByRole("switch").press("Space");
    await waitForToast("Saved: Fern 19");
    expect(await pages.api.get("/api/plants?watered=true")).toMatchObject({ total: 1 });
    await page.getByTestId("toast").filter({ hasText: "Fern 19" }).getByRole("button", { name: "Undo" }).click();
    await expect
      .poll(async () => (await pages.api.get<{ total: number }>("/api/plants?watered=true")).total, SHORT_TIMEOUT)
      .toBe(0);
    await row("Fern 18").getByTestId("record-actions").click();
    await page.getByRole("menuitem", { name: "Look" }).click();
    await page.getByTestId("do-action").click();
    await page.getByTestId("action-answer").getByText('"leaves": 12').waitFor(VERY_SOON);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("checkbox", { name: "Select Fern 18" }).check();
    await page.getByRole("checkbox", { name: "Select Fern 17" }).check();
    await page.getByTestId("selection-bar").getByRole("button", { name: "Prune" }).click();
    await page.getByText("does not grow back").waitFor(VERY_SOON);
    await page.getByRole("dialog").getByLabel("Depth").fill("70");
    await page.getByTestId("do-action").click();
    await page.getByRole("dialog").getByText("must be less than or equal to 50").waitFor(VERY_SOON);
    await page.getByRole("dialog").getByLabel("Depth").fill("7");
    await page.getByTestId("do-action").click();
    await waitForToast("Prune: Done");
    await page.getByTestId("selection-bar").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByText("Fern 17", { exact: true }).waitFor(VERY_SOON);
    await takeScreenshot(page, "resource-delete");
    await page.getByTestId("confirm-remove").click();
    await waitForToast("2 deleted");
    expect(await pages.api.get("/api/plants?q=fern")).toMatchObject({ total: 28 });
  });

  test("records are exported as a file and imported again; rejected ones are named", async () => {
    await page.getByTestId("more-records").click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Export what is shown" }).click(),
    ]);
    const [chunk] = await (await file.createReadStream()).toArray();
    const { items } = JSON.parse(String(chunk)) as { items: readonly { name: string }[] };
    expect(items.map(({ name }) => name)).toContain("Fern 19");
    const given = [{ name: "Lavender", height: 40 }, { name: "Fern 19" }, { name: "Basil", height: -1 }];
    await page.locator('input[type="file"]').setInputFiles({
      name: "plants.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ items: given })),
    });
    await page.getByTestId("not-imported").getByText("Basil").waitFor(SHORT_TIMEOUT);
    await page.getByTestId("not-imported").getByText("Fern 19").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    expect(await pages.api.get("/api/plants?q=Lavender")).toMatchObject({ total: 1 });
  });

  test("a module of the plugin is a page with the reader's permissions; one that throws breaks only itself", async () => {
    await page.getByRole("link", { name: "Weather" }).click();
    await page.getByTestId("module-area").getByText("Plants: 31 light").waitFor(SHORT_TIMEOUT);
    expect(await page.getByTestId("module-area").getByText("Plants: 31 light").getAttribute("lang")).toBe("en");
    await page.getByRole("button", { name: "Say it" }).click();
    await waitForToast("It rains");
    await page.getByRole("button", { name: "To the plants" }).click();
    await page.getByRole("heading", { name: "Plants" }).waitFor();
    expect(await page.evaluate("document.body.dataset.left")).toBe("yes");
    await page.getByRole("link", { name: "Barometer" }).click();
    await page.getByTestId("page-error").getByText("the barometer fell").waitFor(VERY_SOON);
    await takeScreenshot(page, "module-fault");
    await page.getByTestId("page-error").getByRole("button", { name: "Try again" }).click();
    await page.getByTestId("page-error").getByText("the barometer fell").waitFor(VERY_SOON);
    await page.getByRole("link", { name: "Models" }).click();
    await page.getByRole("heading", { name: "Models" }).waitFor();
    expect(pages.problems).toEqual([]);
  });

  test("the palette finds pages, conversations and actions; the menu collapses", async () => {
    await pages.api.post("/api/sessions", { name: "About the harvest" });
    await page.keyboard.press("Control+k");
    await page.getByTestId("palette-input").fill("harvest");
    await page.getByTestId("palette-choice").getByText("About the harvest").waitFor(SHORT_TIMEOUT);
    await takeScreenshot(page, "palette");
    await page.getByTestId("palette-input").fill("new plant");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New plant" }).waitFor(VERY_SOON);
    await page.keyboard.press("Escape");
    await page.getByTestId("find").click();
    await page.getByTestId("palette-input").fill("weat");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Weather" }).waitFor(VERY_SOON);
    await page.getByRole("button", { name: "Connections" }).click();
    await page.getByRole("link", { name: "Channels" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Connections" }).click();
    await page.getByRole("button", { name: "Collapse the menu" }).click();
    await page.getByRole("link", { name: "Channels" }).click();
    await page.getByRole("heading", { name: "Channels" }).waitFor();
    await takeScreenshot(page, "menu-narrow");
    await page.getByRole("button", { name: "Expand the menu" }).click();
  });

  test("a disabled plugin has no entry, and its pages explain that", async () => {
    await pages.api.put("/api/plugins/garden", { enabled: false });
    await page.reload();
    await page.getByRole("link", { name: "Models" }).waitFor();
    expect(await page.getByRole("link", { name: "Weather" }).count()).toBe(0);
    await page.goto(`${pages.parley.address}/#/area/plants`);
    await page.getByText("This page does not exist").waitFor(SHORT_TIMEOUT);
    await pages.api.put("/api/plugins/garden", { enabled: true });
  });

  test("supports Chinese, dark mode and phones", async () => {
    const phone = await pages.visit("/area/plants", PHONE);
    await phone.getByRole("heading", { name: "植物" }).waitFor();
    await phone.getByTestId("record-row").first().waitFor();
    await expectNoOverflow(phone, "resource-phone");
    await phone.getByTestId("new-record").click();
    await phone.getByText("如标签所写").waitFor();
    await expectNoOverflow(phone, "resource-form-phone");
    expect(pages.problems).toEqual([]);
  });

  test("a page whose files fail to load is requested again; then the failure is shown with a reload button", async () => {
    const other = await pages.visit("/settings");
    const files = "**/assets/*.js";
    const missing = (route: Route) => route.fulfill({ status: 503, body: "" });
    await other.route(files, missing, { times: 1 });
    await other.goto(`${pages.parley.address}/#/tools`);
    await other.getByTestId("add-tool").first().waitFor();
    const looked = Promise.withResolvers<void>();
    await other.route(files, async (route) => {
      await looked.promise;
      await missing(route);
    });
    const readIcon = () => other.locator(".page_pageHead .tile_tileMark svg path").first().getAttribute("d");
    const iconOfTools = await readIcon();
    const asked = other.waitForRequest((request) => request.url().endsWith(".js"));
    await other.goto(`${pages.parley.address}/#/broadcasts`);
    await asked;
    // The page that is still visible keeps its icon.
    expect(await readIcon()).toBe(iconOfTools);
    looked.resolve();
    const fault = other.getByTestId("page-error");
    await fault.getByText("Part of this page could not be loaded.").waitFor();
    await takeScreenshot(other, "file-missing");
    await other.unroute(files);
    await fault.getByRole("button", { name: "Reload the page" }).click();
    await other.getByRole("heading", { name: "Broadcasts", level: 1 }).waitFor();
    await other.close();
  });
});
