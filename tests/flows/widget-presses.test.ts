import { Gateway, type MessageElement } from "@parley/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openWidgetPage, type WidgetFrame, type WidgetPage } from "../harness/http/widget-visitor.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createAskingPlugin } from "../harness/plugins/asking.ts";

let service: ParleyWithModel;
let count = 0;
let channelId = "";

beforeAll(async () => {
  service = await startParleyWithModel({
    config: "[plugin.gateway]\nslow_reply =\n",
    plugins: [createAskingPlugin()],
  });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  channelId = `shop-${++count}`;
  await service.api.post("/api/channels/presets/widget", { id: channelId, config: { burst: "off" } });
});

const open = (visitor?: string, language = "en") =>
  openWidgetPage(service.parley.address, { channelId, language, ...(visitor !== undefined && { visitor }) });
const idle = () => service.parley.host.get(Gateway).idle();

interface Asked {
  readonly id: string;
  readonly elements: readonly MessageElement[];
}
/** Asks on a page, and returns the id of the element that appears. */
const ask = async (page: WidgetPage, rest = "") => {
  await page.say(`/ask ${rest}`.trim(), `ask-${page.frames.length}`);
  const frame = await page.next(({ type, elements }) => type === "message" && elements !== undefined);
  const { elements } = frame as WidgetFrame & Asked;
  const [first] = elements;
  return first?.type === "card" ? (first.buttons?.id ?? "") : (first?.id ?? "");
};
const press = (page: WidgetPage, element_id: string, item_id: string, temp_id: string) => {
  const before = page.frames.length;
  page.send({ type: "action", element_id, item_id, temp_id });
  const isAnswer = (frame: WidgetFrame) =>
    (frame.type === "ack" || frame.type === "error") && frame.temp_id === temp_id;
  return page.next(isAnswer, before);
};

describe("a press in a website chat", () => {
  test("is answered once, also when it is sent again, and a later one says so", async () => {
    using page = await open();
    const element = await ask(page);
    const ack = await press(page, element, "tea", "p-1");
    expect(ack.type).toBe("ack");
    await page.answer("You said: Tea");
    expect(await press(page, element, "tea", "p-1")).toEqual(ack);
    expect(await press(page, element, "coffee", "p-2")).toMatchObject({
      type: "error",
      code: "conflict",
      error: "this was already answered",
    });
    await idle();
    using again = await open(page.visitor, "zh");
    expect(again.history()).toMatchObject([
      { text: "/ask" },
      { text: "Tea or coffee?", elements: [{ type: "buttons" }], elements_expire_at: expect.any(String) },
      { text: "Tea", temp_id: "p-1", pressed: { element_id: element, item_id: "tea" } },
      { text: "You said: Tea" },
    ]);
    expect(await press(again, element, "coffee", "p-3")).toMatchObject({ error: "已经有人作出选择" });
  });

  test("is shown on the other pages of the visitor", async () => {
    using page = await open();
    using other = await open(page.visitor);
    const element_id = await ask(page);
    await press(page, element_id, "coffee", "p-1");
    const isPressed = ({ type }: WidgetFrame) => type === "pressed";
    expect(await other.next(isPressed)).toMatchObject({ element_id, item_id: "coffee", temp_id: "p-1" });
    expect(page.frames.filter(isPressed)).toEqual([]);
  });

  test("reaches nothing of another visitor, and nothing that is unknown", async () => {
    using ann = await open();
    const element = await ask(ann);
    using ben = await open();
    await ben.say("hi", "t-1");
    for (const [id, item] of [
      [element, "tea"],
      ["el_0", "tea"],
    ] as const)
      expect(await press(ben, id, item, `p-${id}`)).toMatchObject({ type: "error", code: "not_found" });
    expect(await press(ann, element, "water", "p-1")).toMatchObject({ type: "error", code: "not_found" });
    expect(await press(ann, element, "tea", "p-2")).toMatchObject({ type: "ack" });
    await ann.answer("You said: Tea");
    expect(JSON.stringify(ben.frames)).not.toContain("Tea");
  });

  test("counts as a message for the limit of a visitor, and waits for the hello", async () => {
    using page = await open();
    const element = await ask(page);
    for (let at = 0; at < 14; at += 1) await press(page, element, "water", `w-${at}`);
    expect(await press(page, element, "tea", "p-1")).toMatchObject({ type: "error", code: "rate_limited" });
    using silent = await openWidgetPage(service.parley.address, { channelId, isGreeting: false });
    expect(await press(silent, element, "tea", "p-2")).toMatchObject({ type: "error", code: "conflict" });
  });
});
