import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import { type Console, startConsole } from "./console.ts";

const MOST_KB = 200;

describe.runIf(canBrowse)("the first load of the console", () => {
  let pages: Console;

  beforeAll(async () => {
    pages = await startConsole();
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  test(`transfers at most ${MOST_KB} kB until the login page works, with text and styles`, async () => {
    const page = await pages.openPage();
    const network = await page.context().newCDPSession(page);
    const names = new Map<string, string>();
    const sizes = new Map<string, number>();
    await network.send("Network.enable");
    network.on("Network.responseReceived", ({ requestId, response }) => names.set(requestId, response.url));
    network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      sizes.set(String(names.get(requestId)), encodedDataLength);
    });
    await page.goto(pages.parley.address);
    await page.locator("input[type=password]").waitFor();
    await page.waitForLoadState("networkidle");
    const fetched = [...sizes.keys()];
    for (const kind of ["js", "css", "woff2"]) {
      expect(fetched.filter((name) => name.endsWith(`.${kind}`)).length, fetched.join("\n")).toBeGreaterThan(0);
    }
    const total = sizes.values().reduce((sum, size) => sum + size, 0);
    expect(total / 1000, JSON.stringify(Object.fromEntries(sizes), undefined, 1)).toBeLessThanOrEqual(MOST_KB);
    await page.close();
  });
});
