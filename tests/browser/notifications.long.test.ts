import type { CDPSession, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse } from "../harness/browser.ts";
import {
  type Console,
  expectNoOverflow,
  PHONE,
  SHORT_TIMEOUT,
  startConsole,
  toggleSwitch,
  WITH_SERVICE_WORKER,
} from "./console.ts";

interface Manifest {
  readonly data?: string;
  readonly errors: readonly { readonly message: string }[];
}
interface Device {
  readonly id: string;
  readonly user_agent: string;
}

/** Mocks the push API: a headless browser permits no notifications, and its push service is unreachable. */
const SUBSCRIBED = `(() => {
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  let current = null;
  const point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
  PushManager.prototype.getSubscription = async () => current;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    current = {
      endpoint: "https://push.example.org/this",
      options: { applicationServerKey },
      toJSON: () => ({ endpoint: current.endpoint, keys: { p256dh: point, auth: "BTBZMqHH6r4Tts7J_aSIgg" } }),
      unsubscribe: async () => { current = null; return true; },
    };
    return current;
  };
})()`;

describe.runIf(canBrowse)("notifications and the installed app", () => {
  let pages: Console;
  let page: Page;
  let cdp: CDPSession;

  beforeAll(async () => {
    pages = await startConsole();
    page = await pages.visit("/notifications", WITH_SERVICE_WORKER);
    await page.context().addInitScript(SUBSCRIBED);
    await page.reload();
    cdp = await page.context().newCDPSession(page);
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  const state = () => page.getByTestId("push-state").getAttribute("data-state");
  const devices = async () => (await pages.api.get<{ items: readonly Device[] }>("/api/push/subscriptions")).items;

  test("the console can be installed: nothing of its manifest is wrong", async () => {
    const { data = "{}", errors } = (await cdp.send("Page.getAppManifest")) as Manifest;
    expect(errors).toEqual([]);
    const { icons, ...manifest } = JSON.parse(data);
    expect(manifest).toMatchObject({ start_url: "/dashboard", scope: "/", display: "standalone" });
    const purposes = icons.map((icon: { purpose: string; sizes: string }) => `${icon.purpose} ${icon.sizes}`);
    expect(purposes).toEqual(["any any", "any 192x192", "any 512x512", "maskable 512x512"]);
    for (const { src, type, sizes } of icons) {
      const answer = await fetch(`${pages.parley.address}${src}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (type === "image/png") expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
    }
    const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
    // An incognito window never allows installing.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
  });

  test("a device is subscribed, distinguished from others, and unsubscribed", async () => {
    // The response with the old list takes longer than the change.
    const changed = Promise.withResolvers<void>();
    const isList = (url: URL) => url.pathname === "/api/push/subscriptions";
    const late = async (route: Route) => {
      const response = await route.fetch();
      await changed.promise;
      // The page may have cancelled the request.
      await route.fulfill({ response }).catch(() => undefined);
    };
    await page.route(isList, late, { times: 1 });
    await page.reload();
    await expect.poll(state, SHORT_TIMEOUT).toMatch(/^(on|off)$/);
    // Left over from an earlier attempt of this test.
    if ((await state()) === "on") await page.getByRole("button", { name: "Stop on this device" }).click();
    await expect.poll(state, SHORT_TIMEOUT).toBe("off");
    await page.getByRole("button", { name: "Notify me on this device" }).click();
    await expect.poll(state, SHORT_TIMEOUT).toBe("on");
    changed.resolve();
    const row = page.getByTestId("device-row");
    await row.getByText("this device").waitFor();
    await row.getByText("push.example.org").waitFor();
    expect(await devices()).toHaveLength(1);
    await expectNoOverflow(page, "notifications");
    await page.getByRole("button", { name: "Stop on this device" }).click();
    await expect.poll(state, SHORT_TIMEOUT).toBe("off");
    expect(await devices()).toEqual([]);
  });

  test("notifications can be limited to the sender's name", async () => {
    const hidden = page.getByRole("switch", { name: "Hide message text" });
    await toggleSwitch(hidden);
    await expect.poll(() => hidden.isChecked(), SHORT_TIMEOUT).toBe(true);
    const { push } = await pages.api.get<{ push: { hide_content: boolean } }>("/api/settings");
    expect(push.hide_content).toBe(true);
  });

  test("a press on a notification opens the conversation in the existing window", async () => {
    const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name: "Tea" });
    const worker = await findWorker(page);
    // A headless browser shows no notifications, so the call is recorded.
    await worker.evaluate(
      "self.shown = []; self.registration.showNotification = async (title, options) => void self.shown.push({ title, ...options })",
    );
    const payload = { title: "Mira · Tea", body: "Three minutes.", url: `/dashboard#/sessions/${id}`, tag: id };
    const deliver = await createPushDelivery(cdp, pages.parley.address);
    await deliver(JSON.stringify(payload));
    const { url, ...words } = payload;
    await expect.poll(() => worker.evaluate("self.shown"), SHORT_TIMEOUT).toMatchObject([{ ...words, data: { url } }]);
    await deliver("not json");
    await expect.poll(() => worker.evaluate("self.shown.length"), SHORT_TIMEOUT).toBe(2);
    const pressed = (to: string) =>
      worker.evaluate(
        `self.dispatchEvent(Object.assign(new Event("notificationclick"), { waitUntil: (work) => work.catch(() => {}), notification: { close() {}, data: { url: ${JSON.stringify(to)} } } }))`,
      );
    await pressed("https://elsewhere.example.org/");
    await pressed(url);
    await expect.poll(() => page.url(), SHORT_TIMEOUT).toContain(`#/sessions/${id}`);
    await page.getByRole("heading", { name: "Tea" }).waitFor();
  });

  test("an unreachable service is reported, and the draft is preserved", async () => {
    const box = page.getByTestId("composer");
    await box.fill("half a thought");
    await page.context().setOffline(true);
    try {
      await page.reload();
      await page.getByText("The service cannot be reached").waitFor();
      await expectNoOverflow(page, "offline");
    } finally {
      await page.context().setOffline(false);
    }
    await page.reload();
    await expect.poll(() => box.inputValue(), SHORT_TIMEOUT).toBe("half a thought");
  });

  test("only the console's own files are cached, no answers and no files of people", async () => {
    const subscription = await page.evaluate(
      "caches.keys().then(async (names) => (await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())",
    );
    const others = (subscription as string[]).filter((path) => !path.startsWith("/assets/"));
    expect(others).toEqual(["/dashboard"]);
  });

  test("reads well on a phone, dark and in Chinese", async () => {
    const phone = await pages.visit("/notifications", { ...PHONE, ...WITH_SERVICE_WORKER });
    await phone.getByRole("heading", { name: "通知", level: 1 }).waitFor();
    await phone.getByTestId("push-state").waitFor();
    await expectNoOverflow(phone, "notifications-phone");
    await phone.close();
    expect(pages.problems).toEqual([]);
  });
});

async function findWorker(page: Page) {
  const [running] = page.context().serviceWorkers();
  return running ?? page.context().waitForEvent("serviceworker");
}

/** Returns a function that delivers push messages to the worker, like the browser after decryption. */
async function createPushDelivery(cdp: CDPSession, origin: string): Promise<(data: string) => Promise<unknown>> {
  const registration = new Promise<string>((resolve) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL.startsWith(origin) && !isDeleted);
      if (own) resolve(own.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registration;
  return (data) => cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
}
