import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Databases,
  type ElementPress,
  fixedStatement,
  Gateway,
  type InboundMessage,
  type Message,
  type OutboundMessage,
} from "@parley/core";
import type { List } from "@parley/core/http";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createAskingPlugin } from "../harness/plugins/asking.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const shown = createFakeChannel("shown", "natural", {}, true, {}, { elements: ["buttons", "select", "card"] });
const plain = createFakeChannel("plain");
const presses: ElementPress[] = [];
const DAY_MS = 86_400_000;

const asking = createAskingPlugin(presses);

const root = mkdtempSync(join(tmpdir(), "parley-elements-"));
let parley: Parley;
let api: Client;
let models: ModelServer;
let group = "";
let tests = 0;

const start = async () => {
  parley = await startParley({ plugins: [shown.plugin, plain.plugin, asking], root });
  api = await parley.signIn();
};

beforeAll(async () => {
  models = await startModelServer();
  await start();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  for (const id of [shown.id, plain.id])
    await api.post("/api/channels", { id, name: id, type: id, transport: "bridge" });
}, 120_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  tests += 1;
  group = `g${tests}`;
  presses.length = 0;
});

type Fake = typeof shown;
const eve = { id: "7", name: "Eve", isAdmin: false };
const ann = { id: "8", name: "Ann", isAdmin: false, language: "zh-CN" };
const sentTo = (fake: Fake) => fake.sent.filter(({ conversation }) => conversation.id === group);
const idle = () => parley.host.get(Gateway).idle();
const say = async (fake: Fake, text: string, more: Partial<InboundMessage> = {}) => {
  const accepted = await fake.say(group, text, more);
  await idle();
  return accepted;
};
/** Asks, and returns the message with the buttons. */
const ask = async (fake: Fake, rest = ""): Promise<OutboundMessage> => {
  await say(fake, `/ask ${rest}`);
  const sent = sentTo(fake).at(-1);
  if (!sent) throw new Error("nothing was sent");
  return sent;
};
const idOf = ({ elements = [] }: OutboundMessage): string => {
  const [first] = elements;
  return first && "id" in first ? first.id : "";
};
const press = async (message: OutboundMessage, itemId: string, more: Partial<InboundMessage> = {}) =>
  shown.press(group, { elementId: idOf(message), itemId }, { sender: eve, ...more });
const history = async (fake: Fake) =>
  (await api.get<List<Message>>(`/api/sessions/${encodeURIComponent(`${fake.id}:group:${group}`)}/messages`)).items;

describe("where the platform shows buttons", () => {
  test("a press is answered once, like a message with the label", async () => {
    const asked = await ask(shown);
    expect(asked).toMatchObject({
      text: "Tea or coffee?",
      elements: [{ type: "buttons", items: [{ label: "Tea" }, {}, {}] }],
    });
    expect(await press(asked, "tea")).toMatchObject({ queued: true });
    await idle();
    expect(sentTo(shown).at(-1)?.text).toBe("You said: Eve: Tea");
    expect(await press(asked, "tea")).toMatchObject({ queued: false, refusal: "this was already answered" });
    expect(await press(asked, "coffee", { sender: ann })).toMatchObject({ refusal: "已经有人作出选择" });
    await idle();
    expect(sentTo(shown)).toHaveLength(2);
    const stored = await history(shown);
    expect(stored.find(({ content }) => content === "Tea")?.metadata).toEqual({
      pressed: { element_id: idOf(asked), item_id: "tea" },
    });
    expect(stored.find(({ content }) => content === "Tea or coffee?")?.elements).toEqual(asked.elements);
  });

  test("of two presses at the same moment one counts", async () => {
    const asked = await ask(shown);
    const both = await Promise.all([press(asked, "tea"), press(asked, "coffee", { sender: ann })]);
    await idle();
    expect(both.filter(({ queued }) => queued)).toHaveLength(1);
    expect(both.filter(({ refusal }) => refusal !== undefined)).toHaveLength(1);
    expect(sentTo(shown)).toHaveLength(2);
  });

  test("a press that the platform sends twice is answered once", async () => {
    const asked = await ask(shown);
    const first = await press(asked, "tea", { dedupeKey: `${group}-callback` });
    const again = await press(asked, "tea", { dedupeKey: `${group}-callback` });
    expect(again).toMatchObject({ duplicated: true, traceId: first.traceId });
    expect(again.refusal).toBeUndefined();
    await idle();
    expect(sentTo(shown)).toHaveLength(2);
  });

  test("a press of nothing that can be pressed is refused", async () => {
    const asked = await ask(shown);
    const refusal = "this choice no longer exists";
    expect(await press(asked, "water")).toMatchObject({ refusal });
    expect(await press(asked, "more")).toMatchObject({ refusal });
    const unknown = { elementId: "el_00000000000000000000", itemId: "tea" };
    expect(await shown.press(group, unknown)).toMatchObject({ refusal });
    const inOtherGroup = { sessionId: "shown:group:other", conversation: { id: "other", isGroup: true } };
    expect(await press(asked, "tea", inOtherGroup)).toMatchObject({ refusal });
    expect(await press(asked, "tea")).toMatchObject({ queued: true });
    await idle();
  });

  test("only the person who is asked may press", async () => {
    const asked = await ask(shown, "alone");
    expect(await press(asked, "tea", { sender: ann })).toMatchObject({ refusal: "只有被询问的人可以选择" });
    expect(await press(asked, "tea")).toMatchObject({ queued: true });
    await idle();
  });

  test("a press after a day is too late", async () => {
    const asked = await ask(shown);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + DAY_MS + 1_000 });
    try {
      expect(await press(asked, "tea")).toMatchObject({ refusal: "this has expired" });
    } finally {
      vi.useRealTimers();
    }
  });

  test("the plugin that asked answers a press in the person's language", async () => {
    const asked = await ask(shown, "handled");
    await press(asked, "tea", { sender: ann });
    await idle();
    expect(presses).toEqual([
      { elementId: idOf(asked), itemId: "tea", name: "drink", handler: "asking.drink", data: { table: "4" } },
    ]);
    expect(sentTo(shown).at(-1)?.text).toBe("一份 tea。");
  });
});

describe("the list of commands", () => {
  const listButtons = ({ elements = [] }: OutboundMessage) =>
    elements.flatMap((element) => (element.type === "buttons" ? element.items : []));

  test("has a button for each command of the person, which runs it", async () => {
    await say(shown, "/help");
    const [list] = sentTo(shown);
    if (!list) throw new Error("nothing was sent");
    const labels = listButtons(list).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(["/ask", "/memory", "/stats"]));
    // Not itself, nor commands of administrators, everywhere or in groups.
    expect(labels.filter((label) => ["/help", "/model", "/new"].includes(label))).toEqual([]);
    const ask = list.elements?.find((element) => element.type === "buttons" && element.items.some(isAsk));
    const itemId = listButtons(list).find(isAsk)?.id ?? "";
    await shown.press(group, { elementId: ask && "id" in ask ? ask.id : "", itemId }, { sender: ann });
    await idle();
    expect(sentTo(shown).at(-1)).toMatchObject({ text: "Tea or coffee?", elements: [{ type: "buttons" }] });
  });
  const isAsk = ({ label }: { readonly label: string }) => label === "/ask";

  test("is text alone on a platform of text, since it says more than numbered lines", async () => {
    await say(plain, "/help");
    const [list] = sentTo(plain);
    expect(list?.elements).toBeUndefined();
    expect(list?.text).toContain("/stats – ");
    expect(list?.text).not.toMatch(/^\d+\. /m);
  });
});

describe("where the platform shows text alone", () => {
  const TEXT = "Tea or coffee?\n\n1. Tea\n2. Coffee\nMenu: https://example.com/menu";

  test("the number in a person's next message is the press", async () => {
    const asked = await ask(plain, "handled");
    expect(asked.text).toBe(TEXT);
    expect(asked.elements).toBeUndefined();
    await say(plain, " 2 ");
    expect(sentTo(plain).at(-1)?.text).toBe("One coffee.");
    await say(plain, "1");
    expect(sentTo(plain).at(-1)?.text).toBe("You said: Eve: 1");
  });

  test("a number is a message when the person wrote something before it", async () => {
    await ask(plain);
    await say(plain, "let me think");
    await say(plain, "2");
    expect(sentTo(plain).at(-1)?.text).toBe("You said: Eve: 2");
    await say(plain, "1", { sender: ann, addressed: false });
    expect(sentTo(plain).at(-1)?.text).toBe("You said: Ann: Tea");
  });

  test("a number without an item, and one of another person, are messages", async () => {
    await ask(plain, "alone");
    await say(plain, "1", { sender: ann });
    expect(sentTo(plain).at(-1)?.text).toBe("You said: Ann: 1");
    await say(plain, "3");
    expect(sentTo(plain).at(-1)?.text).toBe("You said: Eve: 3");
  });
});

test("elements and presses survive a restart, and are erased with the person", async () => {
  const asked = await ask(shown);
  await parley[Symbol.asyncDispose]();
  await start();
  await press(asked, "tea");
  await idle();
  expect(sentTo(shown).at(-1)?.text).toBe("You said: Eve: Tea");
  expect(await press(asked, "tea")).toMatchObject({ refusal: "this was already answered" });
  const { main } = parley.host.get(Databases);
  const count = async () =>
    (await main.lookup(fixedStatement("select id from gateway_elements where id = ?", [idOf(asked)]))).length;
  expect(await count()).toBe(1);
  const body = { confirm: true };
  await api.send("DELETE", `/api/people/${encodeURIComponent("shown:user:7")}`, { body });
  await vi.waitFor(async () => expect(await count()).toBe(0), 15_000);
});
