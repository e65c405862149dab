import { Channels, Gateway } from "@parley/core";
import {
  type ImaBridge,
  type ImbMessage,
  type ImbServer,
  type ModelRequest,
  type ModelScript,
  type ModelServer,
  startImaBridge,
  startImbServer,
  startModelServer,
} from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const SECRET = "webhook-secret";
const TOOL = "water_plants";
const LIN = { id: 501, first_name: "Lin" };
const BOSS = { id: 502, first_name: "Boss" };
const MALLORY = { id: 503, first_name: "Mallory" };
const ONLY_ADMINISTRATORS =
  "only an administrator may allow this: in the console, or here as a person who is linked to the account";
const MINUTES_MS = 121_000;

let parley: Parley;
let api: Client;
let models: ModelServer;
let imb: ImbServer;
let ima: ImaBridge;
let update = 5_000;

/** Calls the tool when a person asks for it, and repeats its result. */
function answer({ body: { messages } }: ModelRequest): ModelScript {
  const last = messages.findLast(({ role }) => role === "user" || role === "tool");
  if (last?.role !== "tool") return { kind: "tool", name: TOOL, args: {} };
  return { kind: "text", text: `The tool: ${String(last.content)}` };
}

beforeAll(async () => {
  models = await startModelServer({ answer });
  imb = await startImbServer();
  ima = await startImaBridge({ token: "sesame" });
  const env = { IMB_BOT_TOKEN: "42:secret", IMB_WEBHOOK_SECRET: SECRET, IMA_ACCESS_TOKEN: "sesame" };
  parley = await startParley({ env });
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  await api.put("/api/settings", { admin_ids: ["imB:502", "imA:502"] });
  await api.post("/api/tools", {
    name: TOOL,
    description: "Waters the plants.",
    parameters: { type: "object", properties: {} },
    requires_confirm: true,
    implementation: { type: "static", result: "watered" },
  });
  const config = { api_base: imb.address };
  await api.post("/api/channels/presets/imB", { transport: "webhook", config, capabilities: { supports_tools: true } });
  await api.put("/api/channels/imA", { config: { ws_uri: ima.address } });
  await api.post("/api/channels/imA/toggle", { enabled: true });
  await eventually(() => expect(parley.host.get(Channels).link("imB")).toBeDefined());
  await eventually(() => expect(parley.host.get(Channels).status("imA").connected).toBe(true));
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await imb[Symbol.asyncDispose]();
  await ima[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const idle = () => parley.host.get(Gateway).idle();
const listIn = (chat: number) => imb.messages.filter((message) => message.chat === chat);
const post = (body: object) =>
  api.send("POST", "/api/channels/imB/imB/webhook", {
    token: "",
    body,
    headers: { "x-imb-bot-api-secret-token": SECRET },
  });
const press = (asked: ImbMessage, label: string, from: object) => post(imb.toPress(asked, label, { from }));

/** Presses a button, and returns what the platform shows to the person; undefined when nothing was said. */
async function pressForNote(asked: ImbMessage, label: string, from: object): Promise<unknown> {
  const id = `note-${++update}`;
  await post(imb.toPress(asked, label, { from, id }));
  const { body } = await eventually(() => {
    const answered = imb.calls.find((call) => call.body.callback_query_id === id);
    if (!answered) throw new Error("the press is not answered");
    return answered;
  });
  return body.text;
}

/** Has a person in a chat ask for the tool, and returns the question with its buttons. */
async function ask(chat: number, from = LIN): Promise<ImbMessage> {
  update += 1;
  const text = chat < 0 ? "@parley_bot water the plants" : "water the plants";
  const entities = chat < 0 ? [{ type: "mention", offset: 0, length: 11 }] : [];
  const place = { id: chat, type: chat < 0 ? "supergroup" : "private", title: "Garden" };
  await post({ update_id: update, message: { message_id: update, from, chat: place, text, entities } });
  return imb.seen((message) => message.chat === chat && message.text.includes(TOOL));
}

const listOpen = async () => (await api.get<{ items: readonly { id: string }[] }>("/api/confirmations")).items;
const decideInConsole = async (approved: boolean) => {
  const [question] = await listOpen();
  return api.send("POST", `/api/confirmations/${question?.id}`, { body: { approved } });
};

describe("the approval of a tool on a platform with buttons", () => {
  test("is given by the button, by administrators alone, and once", async () => {
    const asked = await ask(-30);
    expect(asked.text).toContain("An administrator has to allow this");
    expect(asked.body.reply_markup).toMatchObject({ inline_keyboard: [[{ text: "Approve" }, { text: "Deny" }]] });
    expect(await pressForNote(asked, "Approve", MALLORY)).toBe(ONLY_ADMINISTRATORS);
    expect(await pressForNote(asked, "Approve", LIN)).toBe(ONLY_ADMINISTRATORS);
    const notTheirs = "only the person who asked for it, or an administrator, may answer";
    expect(await pressForNote(asked, "Deny", MALLORY)).toBe(notTheirs);
    expect(await listOpen()).toHaveLength(1);
    await press(asked, "Approve", BOSS);
    await idle();
    expect(listIn(-30).map(({ text }) => text)).toEqual([asked.text, "Allowed.", expect.stringContaining("watered")]);
    expect(await pressForNote(asked, "Approve", BOSS)).toBe("this was already answered");
    expect(await pressForNote(asked, "Deny", BOSS)).toBe("this was already answered");
    await idle();
    expect(listIn(-30)).toHaveLength(3);
  });

  test("is asked of an administrator in a private chat, whose press does not start the answer over", async () => {
    await press(await ask(502, BOSS), "Approve", BOSS);
    await idle();
    expect(listIn(502).map(({ text }) => text)).toEqual([
      expect.stringContaining("May I do this?"),
      "Allowed.",
      expect.stringContaining("watered"),
    ]);
  });

  test("is denied by the person who asked", async () => {
    await press(await ask(501), "Deny", LIN);
    await idle();
    expect(listIn(501).map(({ text }) => text)).toContain("Denied.");
    expect(listIn(501).at(-1)?.text).not.toContain("watered");
  });

  test("is decided in the console: a later press says so", async () => {
    const asked = await ask(-31);
    expect(await decideInConsole(false)).toMatchObject({ status: 200 });
    expect(await pressForNote(asked, "Approve", BOSS)).toBe("this was already decided");
    await idle();
    expect(listIn(-31).some(({ text }) => text.includes("watered"))).toBe(false);
  });

  test("is decided by a press: the console says so afterwards", async () => {
    const asked = await ask(-32);
    const [question] = await listOpen();
    await press(asked, "Deny", BOSS);
    await idle();
    const late = await api.send("POST", `/api/confirmations/${question?.id}`, { body: { approved: true } });
    expect(late).toMatchObject({ status: 404 });
  });

  test("has an end: a press after it is told that it expired", async () => {
    const asked = await ask(-33);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + MINUTES_MS });
    try {
      expect(await pressForNote(asked, "Approve", BOSS)).toBe("this has expired");
    } finally {
      vi.useRealTimers();
    }
    await decideInConsole(false);
    await idle();
  });
});

describe("the approval of a tool on a platform of text", () => {
  const listTo = (person: number) => ima.sent.filter(({ to }) => to === `private:${person}`).map(({ text }) => text);
  const say = (person: number, text: string) => ima.say(`private:${person}`, text);
  const isAsked = async (person: number) => {
    await say(person, "water the plants");
    const { text } = await ima.seen((sent) => sent.to === `private:${person}` && sent.text.includes(TOOL));
    expect(text).toContain("\n1. Approve\n2. Deny");
  };

  test("is given by a number", async () => {
    await isAsked(502);
    await say(502, "1");
    await eventually(() => expect(listTo(502).at(-1)).toContain("watered"));
    expect(listTo(502)[1]).toBe("Allowed.");
  });

  test("is not given by those without the right, who are told so and may still deny", async () => {
    await isAsked(501);
    await say(501, "1");
    await eventually(() => expect(listTo(501).at(-1)).toBe(ONLY_ADMINISTRATORS));
    expect(await listOpen()).toHaveLength(1);
    await say(501, "2");
    await eventually(() => expect(listTo(501)).toContain("Denied."));
    await idle();
    expect(listTo(501).some((text) => text.includes("watered"))).toBe(false);
  });
});
