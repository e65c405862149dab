import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

interface Made {
  readonly id: string;
  readonly name: string;
}

describe.skipIf(!canBrowse)("the models pages", () => {
  let pages: Console;
  let server: ModelServer;
  let broken: ModelServer;

  beforeAll(async () => {
    const sad = { answer: () => ({ kind: "status", status: 503, message: "overloaded" }) as const };
    [pages, server, broken] = await Promise.all([
      startConsole(),
      startModelServer({ models: ["small", "larger"] }),
      startModelServer(sad),
    ]);
  }, 60_000);
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await broken?.[Symbol.asyncDispose]();
  });

  const add = async (name: string, more: object = {}) => {
    const body = { name, model: name.toLowerCase(), base_url: server.baseUrl, retry_count: 0, ...more };
    return (await pages.api.post<{ id: string }>("/api/ai-models", body)).id;
  };

  test("the offline companion links to the setup of a model: a provider, its address, saved", async () => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "First" });
    const page = await pages.visit(`/sessions/${id}`);
    await page.getByTestId("first-model").waitFor();
    await takeScreenshot(page, "first-model");
    await page.getByTestId("composer").fill("anybody?");
    await page.getByTestId("composer").press("Enter");
    const line = page.getByTestId("first-model-line");
    await line.getByText("Only the offline companion answers so far").waitFor();
    await takeScreenshot(page, "first-model-line");
    await line.getByRole("link", { name: "Set up" }).waitFor();
    const other = await pages.api.post<{ id: string }>("/api/sessions", { name: "Second" });
    await page.goto(`${pages.parley.address}/#/sessions/${other.id}`);
    await page.getByTestId("first-model").getByText("Ollama").click();
    const form = page.getByRole("dialog");
    expect(await form.getByLabel("Address (base URL)").inputValue()).toBe("http://127.0.0.1:11434/v1");
    expect(await form.getByTestId("model-name").inputValue()).toBe("llama3.2");
    await form.getByText("Runs on this machine without a key").waitFor();
    await takeScreenshot(page, "model-preset");
    await form.getByLabel("Address (base URL)").fill(server.baseUrl);
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByTestId("model-card").getByText("Ollama").waitFor();
    await page.goto(`${pages.parley.address}/#/sessions/${id}`);
    await page.getByTestId("composer").fill("hello");
    expect(await page.getByTestId("first-model").count()).toBe(0);
    expect(await line.count()).toBe(0);
    await page.getByTestId("composer").press("Enter");
    await page.getByTestId("message").getByText("You said: hello").first().waitFor();
    expect(pages.problems).toEqual([]);
    await pages.releasePage(page);
  });

  test("a model is chosen from its server's list, and its test shows streaming", async () => {
    const page = await pages.visit("/models");
    await page.getByRole("button", { name: "Add model" }).first().click();
    const form = page.getByRole("dialog");
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("Offered");
    await form.getByLabel("Address (base URL)").fill(server.baseUrl);
    await form.getByTestId("model-name").click();
    await form.getByText("The server has 2 models.").waitFor();
    await form.getByTestId("model-name").fill("lar");
    await page.getByRole("option", { name: "larger" }).waitFor();
    await expectNoOverflow(page, "model-offered");
    await page.getByRole("option", { name: "larger" }).click();
    await form.getByRole("button", { name: "Test connection" }).click();
    const result = form.getByTestId("model-test-result");
    await result.getByText(/You said/).waitFor();
    await result.getByText(/streamed in \d+ parts/).waitFor();
    await form.getByTestId("model-name").scrollIntoViewIfNeeded();
    await expectNoOverflow(page, "model-tried");
    expect(await form.getByTestId("list-price").count()).toBe(0);
    await form.getByTestId("model-name").fill("gpt-5-mini-2025-08-07");
    const offer = form.getByTestId("list-price");
    await offer.getByText("List price of 2025-11-13: 0.25 USD in, 2 USD out per million tokens.").waitFor();
    await form.getByText("All parameters", { exact: true }).click();
    const price = form.getByLabel("Price per million input tokens (USD)");
    expect(await price.inputValue()).toBe("0");
    await expectNoOverflow(page, "model-list-price");
    await offer.getByRole("button", { name: "Use" }).click();
    await offer.getByText("It is filled in").waitFor();
    expect(await price.inputValue()).toBe("0.25");
    await expectNoOverflow(page, "model-list-price-used");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByTestId("model-card").filter({ hasText: "Offered" }).getByText("gpt-5-mini").waitFor();
    const { items } = await pages.api.get<{ items: readonly Made[] }>("/api/ai-models");
    const made = items.find(({ name }) => name === "Offered");
    expect(made).toMatchObject({ input_price: 0.25, output_price: 2 });
    await pages.api.send("DELETE", `/api/ai-models/${made?.id}`);
    expect(pages.problems).toEqual([]);
    await pages.releasePage(page);
  });

  test("a second model of a server reuses the key of the first, one of another server does not", async () => {
    const first = await add("First", { api_key: "sk-first-1234567890" });
    const page = await pages.visit("/models");
    await page.getByRole("button", { name: "Add model" }).first().click();
    const form = page.getByRole("dialog");
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("Second");
    await form.getByLabel("Address (base URL)").fill("http://127.0.0.1:9/v1");
    await form.getByTestId("key-from").waitFor({ state: "detached" });
    await form.getByLabel("Address (base URL)").fill(server.baseUrl);
    await expect.poll(() => form.getByTestId("key-from").inputValue(), SHORT_TIMEOUT).toBe(first);
    await form.getByText("Key of First (****7890)").waitFor({ state: "attached" });
    await form.getByTestId("model-name").click();
    await form.getByText("The server has 2 models.").waitFor();
    await form.getByTestId("model-name").fill("larger");
    await form.getByRole("button", { name: "Test connection" }).click();
    await form
      .getByTestId("model-test-result")
      .getByText(/You said/)
      .waitFor();
    expect(server.requests.at(-1)?.headers.authorization).toBe("Bearer sk-first-1234567890");
    await form.getByTestId("key-from").scrollIntoViewIfNeeded();
    await expectNoOverflow(page, "model-key-of");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByTestId("model-card").filter({ hasText: "Second" }).waitFor();
    await pages.api.send("DELETE", `/api/ai-models/${first}`);
    const { items } = await pages.api.get<{ items: readonly Made[] }>("/api/ai-models");
    const second = items.find(({ name }) => name === "Second")?.id ?? "";
    expect(await pages.api.post(`/api/ai-models/${second}/test`, {})).toMatchObject({ ok: true });
    expect(server.requests.at(-1)?.headers.authorization).toBe("Bearer sk-first-1234567890");
    const phone = await pages.visit("/models", PHONE);
    await phone.getByRole("button", { name: "添加模型" }).first().click();
    await phone.getByRole("dialog").getByLabel("地址 (Base URL)").fill(server.baseUrl);
    await phone.getByTestId("key-from").scrollIntoViewIfNeeded();
    await expectNoOverflow(phone, "model-key-of-phone");
    await pages.api.send("DELETE", `/api/ai-models/${second}`);
    expect(pages.problems).toEqual([]);
    await Promise.all([page, phone].map((one) => pages.releasePage(one)));
  });

  test("a server without a list shows the reason, and any name can be typed", async () => {
    const page = await pages.visit("/models", PHONE);
    await page.getByRole("button", { name: "添加模型" }).first().click();
    const form = page.getByRole("dialog");
    await form.getByLabel("地址 (Base URL)").fill("http://127.0.0.1:9/v1");
    await form.getByTestId("model-name").fill("my-own");
    await form.getByText("服务器未提供模型列表").waitFor();
    expect(await form.getByTestId("model-name").inputValue()).toBe("my-own");
    await expectNoOverflow(page, "model-offered-phone");
    await form.getByTestId("model-name").fill("claude-haiku-4-5");
    await form.getByText("2025-10-15 的官方标价：每百万 token 输入 1 美元，输出 5 美元。").waitFor();
    await expectNoOverflow(page, "model-list-price-phone");
    await pages.api.put("/api/settings", { models: { currency: "EUR" } });
    await expect.poll(() => form.getByTestId("list-price").count(), SHORT_TIMEOUT).toBe(0);
    await pages.api.put("/api/settings", { models: { currency: "USD" } });
    await pages.releasePage(page);
  });

  test("the order changes by dragging and by the arrow keys, and a paused model is marked", async () => {
    await add("Second");
    const third = await add("Third", { base_url: broken.baseUrl });
    const page = await pages.visit("/models");
    const cards = page.getByTestId("model-card");
    const order = () => cards.locator("p").evaluateAll((all) => all.map(({ textContent }) => textContent));
    const names = async () => (await order()).filter((text) => ["Ollama", "Second", "Third"].includes(text ?? ""));
    await expect.poll(names, SHORT_TIMEOUT).toEqual(["Ollama", "Second", "Third"]);
    await page.getByRole("button", { name: "Move Third" }).press("ArrowUp");
    await expect.poll(names, SHORT_TIMEOUT).toEqual(["Ollama", "Third", "Second"]);
    await page.getByRole("button", { name: "Move Third" }).dragTo(cards.first());
    await expect.poll(names, SHORT_TIMEOUT).toEqual(["Third", "Ollama", "Second"]);
    await cards.first().getByText("in use").waitFor();

    // The page updates by a live event.
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "Talk" });
    await pages.api.post(`/api/sessions/${id}/chat`, { content: "hello" });
    await cards.first().getByTestId("model-health").getByText("cooling down").waitFor();
    await cards.first().getByText("the provider has an error (overloaded)").waitFor();
    await takeScreenshot(page, "models-queue");
    await page.getByRole("button", { name: "Try now" }).click();
    await expect.poll(() => cards.first().getByTestId("model-health").count(), SHORT_TIMEOUT).toBe(0);
    await pages.api.post(`/api/ai-models/${third}/toggle`, { enabled: false });
    expect(pages.problems).toEqual([]);
    await pages.releasePage(page);
  });

  test("two models answer the same question, side by side", async () => {
    const page = await pages.visit("/models");
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByLabel("Prompt").fill("who are you?");
    await page.getByRole("button", { name: "Ask both" }).click();
    await expect.poll(() => page.getByText("You said: who are you?").count(), SHORT_TIMEOUT).toBe(2);
    await takeScreenshot(page, "model-compare");
    await pages.releasePage(page);
  });

  test("fit a phone, in Chinese and dark", async () => {
    const page = await pages.visit("/models", PHONE);
    await page.getByTestId("model-card").first().waitFor();
    await page.getByTestId("model-usage").waitFor();
    await expectNoOverflow(page, "models-phone");
    await page.getByRole("button", { name: "对比" }).click();
    await page.getByTestId("playground").waitFor();
    await expectNoOverflow(page, "model-compare-phone");
    await pages.releasePage(page);
  });
});
