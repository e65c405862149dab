import { Gateway } from "@parley/core";
import { expect, test } from "vitest";
import { openWidgetPage } from "../harness/http/widget-visitor.ts";
import { startParleyWithModel } from "../harness/parley-with-model.ts";

const VISITORS = 200;
const TIMEOUT_MS = 240_000;

/** Returns the figure that this share of the values does not exceed. */
function quantile(values: readonly number[], share: number): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0);
}

test("200 visitors who write at once are all acknowledged and answered, each in their own conversation", {
  timeout: TIMEOUT_MS,
}, async () => {
  await using service = await startParleyWithModel({ config: "[plugin.gateway]\nslow_reply =\n" });
  const channelId = "shop";
  await service.api.post("/api/channels/presets/widget", { id: channelId, config: { burst: "off" } });
  const { address } = service.parley;
  // Of several networks, since one may open 64 sockets.
  const toAddress = (at: number) => `127.0.0.${2 + (at % 20)}`;
  const pages = await Promise.all(
    Array.from({ length: VISITORS }, (_, at) => openWidgetPage(address, { channelId, from: toAddress(at) })),
  );
  const begunAt = performance.now();
  const acks: number[] = [];
  const answers: number[] = [];
  await Promise.all(
    pages.map(async (page, at) => {
      expect(await page.say(`question ${at}`, `t-${at}`)).toMatchObject({ type: "ack" });
      acks.push(performance.now() - begunAt);
      await page.answer(`You said: question ${at}`);
      answers.push(performance.now() - begunAt);
    }),
  );
  const toLine = (name: string, values: readonly number[]) =>
    `${name}: half within ${quantile(values, 0.5)} ms, 95 % within ${quantile(values, 0.95)} ms, all within ${quantile(values, 1)} ms`;
  process.stdout.write(
    `${VISITORS} visitors at once\n${toLine("acknowledged", acks)}\n${toLine("answered", answers)}\n`,
  );
  await service.parley.host.get(Gateway).idle();
  for (const [at, page] of pages.entries()) {
    const texts = page.frames.filter(({ type }) => type === "message").map(({ text }) => text);
    expect(texts).toEqual([`You said: question ${at}`]);
    page[Symbol.dispose]();
  }
});

test("a page whose hello is late is asked to try again, and stays recognised", { timeout: 30_000 }, async () => {
  await using service = await startParleyWithModel();
  const channelId = "shop";
  await service.api.post("/api/channels/presets/widget", { id: channelId });
  using late = await openWidgetPage(service.parley.address, { channelId, isGreeting: false });
  // 4401 would make the page forget its visitor.
  expect(await late.closed()).toBe(1013);
});
