import { startReplayServer } from "@parley/simulators";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

const DARK = { colorScheme: "dark" } as const;

describe.runIf(canBrowse)("the tools and skills pages", () => {
  let pages: Console;
  let page: Page;

  beforeAll(async () => {
    pages = await startConsole({ env: { SHOP_TOKEN: "shop-secret" } });
    await pages.api.post("/api/tools", {
      name: "stock",
      description: "How many of an item the shop has.",
      parameters: { type: "object", properties: { item: { type: "string" } } },
      implementation: { type: "static", result: "Seven of {{item}}." },
    });
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const row = (name: string) => page.locator(`[data-tool="${name}"]`);

  test("toggle a built-in tool", async () => {
    page = await pages.visit("/tools");
    await row("stock").waitFor();
    await row("get_date_time").getByTestId("tool-switch").click({ force: true });
    const isOn = async () => {
      const { items } = await pages.api.get<{ items: readonly { name: string; enabled: boolean }[] }>(
        "/api/tools?limit=500",
      );
      return items.find(({ name }) => name === "get_date_time")?.enabled;
    };
    await expect.poll(isOn, SHORT_TIMEOUT).toBe(false);
    await expectNoOverflow(page, "tools");
  });

  test("test a tool before it is saved, and save it", async () => {
    await row("stock").getByTestId("edit-tool").click();
    await page.getByTestId("tool-text").fill("Eight of {{item}}.");
    await page.getByTestId("tool-trial").getByLabel("item").fill("owls");
    await page.getByTestId("try-tool").click();
    await expect.poll(() => page.getByTestId("trial-result").textContent(), SHORT_TIMEOUT).toBe("Eight of owls.");
    await expectNoOverflow(page, "tools-form");
    await page.getByTestId("save-tool").click();
    await expect.poll(() => page.getByRole("dialog").count(), SHORT_TIMEOUT).toBe(0);
    const { items } = await pages.api.get<{ items: readonly { implementation: object }[] }>("/api/tools?source=custom");
    expect(items[0]?.implementation).toEqual({ type: "static", result: "Eight of {{item}}." });
  });

  test("build a request with parameters, whose test shows the sent request with masked secrets", async () => {
    const shop = await startReplayServer([{ body: { left: 7 } }]);
    await pages.api.put("/api/settings", { tools: { allow_private_addresses: true } });
    await page.reload();
    await page.getByTestId("add-tool").click();
    await page.getByTestId("tool-name").fill("left");
    await page.getByTestId("tool-description").fill("How many are left.");
    await page.getByTestId("tool-url").fill(`${shop.address}/items`);
    await page.getByTestId("lines-query").fill("unit: pieces\nshop: north side");
    await page.getByTestId("lines-headers_env").fill("X-Shop: SHOP_TOKEN");
    await page.getByTestId("try-tool").click();
    const request = page.getByTestId("trial-request");
    await request.getByText("X-Shop: ***").waitFor();
    expect(await request.textContent()).toContain("/items?unit=pieces&shop=north+side");
    expect(await request.textContent()).not.toContain("shop-secret");
    expect(shop.calls.at(-1)?.headers["x-shop"]).toBe("shop-secret");
    await page.getByTestId("save-tool").click();
    await row("left").waitFor();
    await row("left").getByTestId("edit-tool").click();
    expect(await page.getByTestId("lines-query").inputValue()).toBe("unit: pieces\nshop: north side");
    await page.keyboard.press("Escape");
    await shop[Symbol.asyncDispose]();
  });

  test("edit a skill, its text and another file", async () => {
    page = await pages.visit("/skills");
    await page.getByTestId("add-skill").click();
    await page.getByTestId("cancel").click();
    await page.getByTestId("skill-name").waitFor({ state: "detached" });
    await page.getByTestId("add-skill").click();
    await page.getByTestId("skill-name").fill("tea");
    await page.getByTestId("skill-description").fill("How tea is made here.");
    await page.getByTestId("create-skill").click();
    await page.getByTestId("skill-file").filter({ hasText: "SKILL.md" }).waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Ask which tea.");
    await page.getByTestId("save-file").click();
    const text = async () => (await pages.api.get<{ content: string }>("/api/skills/storage/tea/skill-md")).content;
    await expect.poll(text, SHORT_TIMEOUT).toContain("Ask which tea.");
    await page.getByTestId("new-file").fill("scripts/run.py");
    await page.keyboard.press("Enter");
    await page.getByTestId("skill-file").filter({ hasText: "scripts/run.py" }).waitFor();
    await expectNoOverflow(page, "skills-file");
  });

  test("edit the aliases of a skill, and its request instead of instructions", async () => {
    await page.getByTestId("skill-details").locator("summary").click();
    await page.getByRole("combobox", { name: "Other names" }).fill("brew");
    await page.keyboard.press("Enter");
    await page.getByText("HTTP request", { exact: true }).click();
    await page.getByTestId("tool-url").fill("https://tea.example/brew");
    await page.getByTestId("lines-query").fill("kind: green");
    await expectNoOverflow(page, "skills-details");
    await page.getByTestId("save-skill").click();
    const saved = async () => (await pages.api.get<{ items: readonly object[] }>("/api/skills")).items[0];
    await expect.poll(saved, SHORT_TIMEOUT).toMatchObject({
      aliases: ["brew"],
      implementation: { type: "http", url: "https://tea.example/brew", query: { kind: "green" } },
    });
    await expect.poll(() => page.getByTestId("save-skill").count(), SHORT_TIMEOUT).toBe(0);
    await page.getByText("Instructions", { exact: true }).click();
    await page.getByTestId("save-skill").click();
    await expect.poll(saved, SHORT_TIMEOUT).toMatchObject({ implementation: { type: "prompt" } });
    await page.getByRole("button", { name: "All skills" }).click();
    await page.getByTestId("skill-row").waitFor();
  });

  test("support dark mode, and fit a phone in Chinese", async () => {
    const dark = await pages.visit("/tools", DARK);
    await dark.getByTestId("tool-row").first().waitFor();
    await expectNoOverflow(dark, "tools-dark");
    const phone = await pages.visit("/tools", PHONE);
    await phone.getByTestId("tool-row").first().waitFor();
    expect(await phone.getByRole("heading", { level: 1 }).textContent()).toBe("工具");
    await expectNoOverflow(phone, "tools-phone");
    await phone.locator('[data-tool="stock"]').getByTestId("edit-tool").click();
    await phone.getByTestId("tool-trial").waitFor();
    await expectNoOverflow(phone, "tools-form-phone");
    const skills = await pages.visit("/skills", PHONE);
    await skills.getByTestId("skill-row").first().waitFor();
    await expectNoOverflow(skills, "skills-phone");
    await skills.getByText("tea", { exact: true }).click();
    await skills.getByTestId("skill-file").first().waitFor();
    await expectNoOverflow(skills, "skills-file-phone");
    expect(pages.problems).toEqual([]);
  });
});
