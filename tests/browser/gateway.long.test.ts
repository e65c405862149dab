import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, takeScreenshot } from "../harness/browser.ts";
import { type Console, expectNoOverflow, PHONE, SHORT_TIMEOUT, startConsole, toggleSwitch } from "./console.ts";

const TRACE = "gw_20261121_120000_a1b2c3d4";
const at = (ms: number) => new Date(Date.UTC(2026, 10, 21, 12) + ms).toISOString();
const event = (id: string, status: string, ms: number, more: object = {}) => ({
  id,
  trace_id: TRACE,
  status,
  level: "info",
  channel_id: "imB",
  conversation_id: "42",
  error: null,
  metadata: {},
  created_at: at(ms),
  ...more,
});
const title = { en: "Rules of the channel", zh: "渠道规则" };
const STEPS = [
  event("log_1", "received", 0),
  event("log_2", "model_selected", 12, { metadata: { message: "Scripted answers" } }),
  event("log_4", "dispatched", 40, {
    metadata: {
      message: "the prompt has 1 part",
      what: "prompt",
      parts: [{ key: "global.safety", source: "chat.safety", place: "system", length: 412 }],
      left_out: [{ key: "app.behavior", title, source: "chat.behavior", why: "switched off in the session" }],
    },
  }),
  event("log_5", "dispatched", 80, {
    metadata: { what: "tool", name: "roll_dice", ms: 3, status: "ok", args: '{"dice":2}' },
  }),
  event("log_3", "delivery_failed", 900, { level: "error", error: "chat not found" }),
];
const TIMELINE = [
  ...STEPS.map((one) => ({ timeline_type: "event", ...one })),
  {
    timeline_type: "delivery",
    ...event("dlv_1", "dead", 950, { error: "chat not found" }),
    part: 1,
    parts: 2,
    content: "The answer is 42.",
    attempts: 3,
  },
];

const letter = (item_id: string, preview: string, cause: string, suggested_action: string) => ({
  item_id,
  kind: item_id.startsWith("qi_") ? "inbound" : "delivery",
  channel_id: "imB",
  conversation_id: "42",
  trace_id: TRACE,
  cause,
  error: "502 Bad Gateway",
  attempts: 3,
  last_at: at(0),
  preview,
  suggested_action,
});
const LETTERS = [
  letter("dlv_1", "the first answer", "unavailable", "retry"),
  letter("dlv_2", "the second answer", "outcome_unknown", "review_duplicate"),
  letter("qi_3", "the third question", "crash_loop", "retry"),
];

/** The response of the service to a bulk retry: one has an unknown outcome, one is gone, one fails. */
function toRetryResult({ item_ids, confirm }: { readonly item_ids: readonly string[]; readonly confirm: boolean }) {
  const items = item_ids.map((item_id) => {
    if (item_id === "dlv_2") return { item_id, result: confirm ? "retried" : "needs_confirmation" };
    return item_id === "qi_3" ? { item_id, result: "failed", error: "no room" } : { item_id, result: "retried" };
  });
  const count = (what: string) => items.filter(({ result }) => result === what).length;
  return {
    items,
    retried: count("retried"),
    needs_confirmation: count("needs_confirmation"),
    gone: 0,
    failed: count("failed"),
  };
}

describe.runIf(canBrowse)("the gateway page", () => {
  let pages: Console;
  /** State of the mocked endpoints: the worker's, and the dead letters. */
  let worker = "running";
  let letters = LETTERS;
  const asked: string[] = [];

  beforeAll(async () => {
    pages = await startConsole();
  }, 60_000);
  afterAll(() => pages?.[Symbol.asyncDispose]());

  /** Mocks endpoints of the service. */
  async function mockEndpoints(page: Page): Promise<void> {
    const answer = (pattern: RegExp, data: (url: URL) => object) =>
      page.route(pattern, (route) =>
        route.fulfill({ json: { success: true, message: "", data: data(new URL(route.request().url())) } }),
      );
    await answer(/\/api\/gateway\/queue\/status/, () => ({
      status_breakdown: { pending: 3, processing: 1, completed: 1200, failed: 2, dead: 4 },
      oldest_pending_at: at(0),
      worker_state: worker,
    }));
    await answer(/\/api\/gateway\/worker\/(start|stop)/, ({ pathname }) => {
      worker = pathname.endsWith("start") ? "running" : "stopped";
      return { state: worker };
    });
    await answer(/\/api\/gateway\/dead-letters\?/, () => ({ items: letters, total: letters.length }));
    await page.route(/\/api\/gateway\/dead-letters\/.+/, async (route) => {
      const body = route.request().postDataJSON();
      if (body.item_ids) return route.fulfill({ json: { success: true, message: "", data: toRetryResult(body) } });
      asked.push(`${new URL(route.request().url()).pathname} ${JSON.stringify(body)}`);
      letters = letters.filter(({ item_id }) => !route.request().url().includes(item_id) && body.item_id !== item_id);
      await route.fulfill({ json: { success: true, message: "", data: {} } });
    });
    await answer(/\/api\/gateway\/events\?/, ({ searchParams }) => {
      if (searchParams.has("status"))
        return { items: [], total: new Date(searchParams.get("since") ?? 0).getMinutes() };
      const level = searchParams.get("level");
      const items = level === "error" ? STEPS.slice(2) : level === "warning" ? [] : STEPS.toReversed();
      return { items, total: items.length };
    });
    await answer(/\/api\/gateway\/logs\/trace\//, ({ pathname }) =>
      pathname.endsWith("nobody")
        ? {
            trace_id: "nobody",
            timeline: [],
            diagnostics: { reason: "nothing is stored", possible_causes: ["mistyped"] },
          }
        : { trace_id: TRACE, timeline: TIMELINE, diagnostics: null },
    );
  }
  async function opened(context = {}): Promise<Page> {
    const page = await pages.visit("/", context);
    await mockEndpoints(page);
    await page.goto(`${pages.parley.address}/#/gateway`);
    return page;
  }

  test("shows events live, until it is paused", async () => {
    const say = async (content: string) => {
      const name = `To say ${content}`;
      const { id } = await pages.api.post<{ id: string }>("/api/sessions", { name });
      await pages.api.post(`/api/sessions/${id}/chat`, { content });
      return name;
    };
    const watching = async () => {
      const page = await pages.visit("/gateway");
      await pages.waitForSubscription(page);
      const events = page.getByTestId("gateway-event");
      return { page, of: (session: string) => events.filter({ hasText: session }) };
    };
    const [one, other] = [await watching(), await watching()];
    const first = await say("good morning");
    await one.of(first).getByText("received").waitFor();
    await one.page.getByTestId("gateway-event").getByText("answered", { exact: true }).first().waitFor();
    await toggleSwitch(one.page.getByTestId("events-live"));
    const second = await say("again");
    await other.of(second).getByText("received").waitFor();
    expect(await one.of(second).count()).toBe(0);
    await toggleSwitch(one.page.getByTestId("events-live"));
    const third = await say("once more");
    await one.of(third).getByText("received").waitFor();
    await one.page.close();
    await other.page.close();
    expect(pages.problems).toEqual([]);
  });

  test("adds nothing while it is paused, even when the page refetches", async () => {
    const page = await pages.openPage();
    const { promise: opened, resolve } = Promise.withResolvers<(frame: object) => void>();
    await page.routeWebSocket("**/api/ws*", (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => socket.send(message));
      socket.onMessage((message) => server.send(message));
      resolve((frame) => socket.send(JSON.stringify(frame)));
    });
    await page.context().request.post(`${pages.parley.address}/api/login`, { data: pages.parley.credentials });
    await page.goto(`${pages.parley.address}/#/gateway`);
    const tell = await opened;
    await toggleSwitch(page.getByTestId("events-live"));
    await page.waitForLoadState("networkidle");
    const read: string[] = [];
    page.on("request", (request) => void read.push(request.url()));
    const reread = page.waitForResponse(/\/api\/gateway\/queue\/status/);
    tell({ type: "resync", session_id: "@console" });
    await reread;
    const hasReadEvents = () => read.some((url) => url.includes("/api/gateway/events?limit=200"));
    expect(hasReadEvents()).toBe(false);
    await toggleSwitch(page.getByTestId("events-live"));
    await expect.poll(hasReadEvents, SHORT_TIMEOUT).toBe(true);
    await page.close();
  });

  test("shows the waiting messages, and stops and starts the worker", async () => {
    const page = await opened();
    await page.getByTestId("queue-pending").getByText("3", { exact: true }).waitFor();
    await page.getByTestId("queue-dead").getByText("3", { exact: true }).waitFor();
    await takeScreenshot(page, "gateway");
    await page.getByRole("button", { name: "Pause processing" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause processing" }).click();
    await page.getByTestId("worker-state").getByText("Paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByTestId("worker-state").getByText("Channel messages are being processed").waitFor();
    await page.close();
  });

  test("retries or discards dead letters, with a warning before a possible duplicate", async () => {
    const page = await opened();
    const row = (text: string) => page.getByTestId("dead-letter").filter({ hasText: text });
    await row("first").getByText("not accepted by the platform").waitFor();
    await page.getByTestId("dead-letter").first().scrollIntoViewIfNeeded();
    await takeScreenshot(page, "gateway-given-up");
    await row("first").getByRole("button", { name: "Retry" }).click();
    await row("first").waitFor({ state: "detached" });
    await row("second").getByRole("button", { name: "Retry" }).click();
    await page.getByRole("dialog").getByText("may see it twice").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
    await row("second").waitFor({ state: "detached" });
    await row("third").getByRole("button", { name: "Dismiss" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Dismiss" }).click();
    await page.getByText("No dead letters.").waitFor();
    expect(asked).toEqual([
      '/api/gateway/dead-letters/dlv_1/retry {"confirm":false}',
      '/api/gateway/dead-letters/dlv_2/retry {"confirm":true}',
      '/api/gateway/dead-letters/discard {"item_id":"qi_3","reason":"dismissed in the console"}',
    ]);
    letters = LETTERS;
    await page.close();
  });

  test("warns how many retries may be duplicates, and shows the result of each", async () => {
    const page = await opened();
    await page.getByTestId("select-letters").click();
    await page.getByText("3 selected").waitFor();
    await page.getByRole("button", { name: "Retry selected" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("1 of the 3 selected may already have been delivered.").waitFor();
    await dialog.getByRole("button", { name: "Retry the other 2" }).click();
    const report = page.getByTestId("letters-report");
    await report.getByText("Retrying 1 message.").waitFor();
    await report.getByText("1 could not be retried: no room").waitFor();
    expect(await page.getByTestId("selected-dead-letters").count()).toBe(0);
    await page.getByRole("checkbox", { name: "Select “the second answer”" }).check();
    await page.getByRole("button", { name: "Retry selected" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Retry selected" }).click();
    await dialog.getByRole("button", { name: "Retry all 1" }).click();
    await expect.poll(() => report.getByText("could not").count(), SHORT_TIMEOUT).toBe(0);
    await page.close();
  });

  test("filters problems, and shows everything about the message of one", async () => {
    const page = await opened();
    await page.getByTestId("gateway-event").getByText("received").waitFor();
    await page.getByText("Problems", { exact: true }).click();
    await expect.poll(() => page.getByTestId("gateway-event").count(), SHORT_TIMEOUT).toBe(1);
    await page.getByTestId("gateway-event").click();
    const steps = page.getByTestId("trace-step");
    await steps.nth(5).getByText("Delivery 1/2: dead letter").waitFor();
    await steps.nth(1).getByText("Scripted answers").waitFor();
    await steps.nth(1).getByText("+ 12 ms").waitFor();
    await steps.nth(2).getByText("The prompt was built").waitFor();
    await steps.nth(2).getByText("left out: Rules of the channel (switched off in the session)").waitFor();
    await steps.nth(3).getByText("Tool roll_dice").waitFor();
    await steps.nth(3).getByText('{"dice":2}').waitFor();
    expect(await steps.count()).toBe(6);
    await takeScreenshot(page, "gateway-trace");
    await page.close();
  });

  test("finds a message by any of its ids, and reports when there is none", async () => {
    const page = await opened();
    await page.getByTestId("trace-id").fill("dlv_1");
    await page.getByTestId("find-trace").click();
    await page.getByTestId("trace-step").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByTestId("trace-id").fill("log_nobody");
    await page.getByTestId("find-trace").click();
    await page.getByRole("dialog").getByText("No record has this ID.").waitFor();
    await page.close();
  });

  test("supports Chinese, dark mode and phones", async () => {
    const phone = await opened(PHONE);
    await phone.getByTestId("queue-pending").waitFor();
    await takeScreenshot(phone, "phone-gateway");
    await phone.getByTestId("gateway-event").last().scrollIntoViewIfNeeded();
    await expectNoOverflow(phone, "phone-gateway-events");
    await phone.getByTestId("gateway-event").first().click();
    await phone.getByTestId("trace-step").first().waitFor();
    await takeScreenshot(phone, "phone-gateway-trace");
    await phone.close();
  });
});
