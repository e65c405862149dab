import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { findFreePort } from "../harness/http/free-port.ts";
import { createMcpCaller } from "../harness/mcp/mcp.ts";
import { createTestClient, type TestClient } from "../harness/mcp/oauth.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole } from "./console.ts";

describe.runIf(canBrowse)("authorizing a program in a browser", () => {
  let pages: Console;
  let address: URL;
  /** Server of the program's redirect URL. */
  let callback: Server;
  let answered = Promise.withResolvers<URL>();
  const open: Page[] = [];

  beforeAll(async () => {
    const port = await findFreePort();
    address = new URL(`http://127.0.0.1:${port}/mcp`);
    const config = `[mcp]\nenabled = true\ntransport = streamable-http\nport = ${port}\nadmin = true\n`;
    callback = createServer(({ url = "" }, response) => {
      if (url.startsWith("/callback?")) answered.resolve(new URL(url, "http://127.0.0.1"));
      response.setHeader("content-type", "text/plain").end("You can close this window.");
    }).listen(0, "127.0.0.1");
    [pages] = await Promise.all([startConsole({ config }), once(callback, "listening")]);
  }, 60_000);
  afterAll(async () => {
    callback?.closeAllConnections();
    callback?.close();
    await pages?.[Symbol.asyncDispose]();
  });
  const program = (name: string) =>
    createTestClient(name, `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`);
  afterEach(async () => {
    await Promise.all(open.splice(0).map((page) => page.close()));
    expect(pages.problems.splice(0)).toEqual([]);
  });

  const transportOf = (client: TestClient) => new StreamableHTTPClientTransport(address, { authProvider: client });
  /** Acts as a program that knows only the address: registers and opens a browser. */
  const startAuthorization = async (client: TestClient) => {
    const transport = transportOf(client);
    await expect(createMcpCaller(transport as Transport)).rejects.toThrow(UnauthorizedError);
    return transport;
  };
  const browser = async (client: TestClient, options = {}) => {
    const page = await pages.openPage(options);
    open.push(page);
    answered = Promise.withResolvers();
    await page.goto(client.asked?.href ?? "");
    return page;
  };
  const signIn = async (
    page: Page,
    names: readonly [string, string, string] = ["User name", "Password", "Sign in"],
  ) => {
    const { username, password } = pages.parley.credentials;
    await page.getByLabel(names[0]).fill(username);
    await page.getByLabel(names[1]).fill(password);
    await page.getByRole("button", { name: names[2] }).click();
  };

  test("signs in, shows the scopes, works, and ends when its row is deleted in the console", async () => {
    const client = program("Desk assistant");
    const transport = await startAuthorization(client);
    const page = await browser(client);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await takeScreenshot(page, "oauth-sign-in");
    await page.getByLabel("User name").fill("admin");
    await page.getByLabel("Password").fill("not this one");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("User name or password is wrong.").waitFor();
    await signIn(page);
    await page.getByRole("heading", { name: "Give a program access" }).waitFor();
    await page.getByText("Desk assistant").waitFor();
    await takeScreenshot(page, "oauth-consent");
    await page.getByRole("radio", { name: /^read, change/ }).check();
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await page.getByText("You can close this window.").waitFor();

    await transport.finishAuth((await answered.promise).searchParams.get("code") ?? "");
    await using mcp = await createMcpCaller(transportOf(client) as Transport);
    expect(client.saved?.scope).toBe("read write");
    expect(await mcp.call("gateway_get_status")).toMatchObject({ ok: true });

    const console = await pages.visit("/");
    open.push(console);
    await console.getByRole("link", { name: "Clients with access" }).click();
    const row = console.getByTestId("record-row").filter({ hasText: "Desk assistant" });
    await row.waitFor();
    await takeScreenshot(console, "oauth-clients");
    await row.getByTestId("record-actions").click();
    await console.getByRole("menuitem", { name: "Delete" }).click();
    await console.getByTestId("confirm-remove").click();
    await row.waitFor({ state: "detached" });
    await expect(mcp.call("gateway_get_status")).rejects.toThrow();
  });

  test("reports a person's refusal to the program", async () => {
    const client = program("Nosy");
    await startAuthorization(client);
    const page = await browser(client);
    await signIn(page);
    await page.getByRole("button", { name: "Deny" }).click();
    expect((await answered.promise).searchParams.get("error")).toBe("access_denied");
    const { items } = await pages.api.get<{ items: readonly { name: string }[] }>("/api/oauth-grants");
    expect(items.filter(({ name }) => name === "Nosy")).toEqual([]);
  });

  test("shows the program's name as text, on a phone, in Chinese and dark", async () => {
    const client = program('<img src=x onerror="alert(1)"> 办公助手');
    await startAuthorization(client);
    const page = await browser(client, PHONE);
    await expectNoOverflow(page, "oauth-phone-sign-in");
    await signIn(page, ["用户名", "密码", "登录"]);
    await page.getByRole("radio").first().waitFor();
    await expectNoOverflow(page, "oauth-phone-consent");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.lang")).toBe("zh");
    const dark = await browser(client, { colorScheme: "dark" });
    await signIn(dark);
    await dark.getByRole("heading", { name: "Give a program access" }).waitFor();
    await takeScreenshot(dark, "oauth-dark-consent");
    // The keyboard reaches everything, starting with the level.
    await expect.poll(() => dark.getByRole("radio").count(), SHORT_TIMEOUT).toBe(3);
    await dark.keyboard.press("Tab");
    expect(await dark.evaluate("document.activeElement?.name")).toBe("level");
  });
});
