import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Databases, deliveryFailure, type Message } from "@parley/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

interface Broadcast {
  readonly id: string;
  readonly state: string;
  readonly counts: Readonly<Record<"waiting" | "sent" | "delivered" | "failed", number>>;
}
interface Listed<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}
interface Recipient {
  readonly session_id: string;
  readonly state: string;
  readonly error: { readonly error: string } | null;
}

const root = mkdtempSync(join(tmpdir(), "parley-broadcasts-"));
const desk = createFakeChannel("desk", "none");
const shop = createFakeChannel("shop", "none");
const start = () => startParley({ root, plugins: [desk.plugin, shop.plugin] });
const at = "/api/broadcasts";
const desks = { channel_ids: ["desk"] };
let parley: Parley;
let api: Client;
let count = 0;

beforeAll(async () => {
  parley = await start();
  api = await parley.signIn();
  for (const id of ["desk", "shop"]) await api.post("/api/channels", { id, name: id, type: id, transport: "bridge" });
  for (const who of ["anna", "bert", "carl"]) {
    const talk = { sessionId: `desk:${who}`, conversation: { id: who, isGroup: false } };
    await desk.say(who, "hello", { ...talk, sender: { id: who, name: who, isAdmin: false } });
  }
  await desk.say("team", "hello all");
  await shop.say("crew", "hello shop");
  await eventually(() => expect(desk.sent.length + shop.sent.length).toBe(5));
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

/** Unique text of one test. */
let text = "";
beforeEach(() => {
  desk.failures.length = 0;
  text = `news ${++count}`;
});

const listReceivers = () => desk.sent.filter((sent) => sent.text === text).map(({ conversation }) => conversation.id);
const begin = (audience: object, expected: number, more: object = {}) =>
  api.post<Broadcast>(at, { text, audience, expected, ...more });
const getBroadcast = (id: string) => api.get<Broadcast>(`${at}/${id}`);
/** Reads the stored state directly. */
const readStoredState = async (id: string) => {
  const db = parley.host.get(Databases).main.tables<{ broadcasts: { id: string; state: string } }>();
  return db.selectFrom("broadcasts").select("state").where("id", "=", id).executeTakeFirst();
};
const recipients = async (id: string, query = "") =>
  (await api.get<Listed<Recipient>>(`${at}/${id}/recipients${query}`)).items;
const waitUntilDone = (id: string) => eventually(async () => expect((await getBroadcast(id)).state).toBe("done"));
const sendRejected = (body: object) => api.send("POST", at, { body: { text, audience: desks, expected: 4, ...body } });

const findNextStep = async () =>
  (await api.get<Listed<{ id: string }>>("/api/jobs?kind=sessions.broadcast&status=waiting")).items[0]?.id;
const runNextStep = async () => {
  await eventually(async () => expect(await findNextStep()).toBeDefined());
  await api.post(`/api/jobs/${await findNextStep()}/retry`, {});
};

describe("a broadcast", () => {
  test("previews its recipients, and sends nothing by that", async () => {
    const all = await api.post<object>(`${at}/preview`, { audience: { channel_ids: ["desk", "shop"] } });
    expect(all).toMatchObject({
      total: 5,
      channels: [
        { id: "desk", count: 4, connected: true },
        { id: "shop", count: 1, connected: true },
      ],
    });
    const countRecipients = async (audience: object) =>
      (await api.post<{ total: number }>(`${at}/preview`, { audience })).total;
    expect(await countRecipients({ ...desks, kind: "private" })).toBe(3);
    expect(await countRecipients({ ...desks, kind: "group" })).toBe(1);
    expect(await countRecipients({ session_ids: ["desk:anna", "shop:group:crew", "gone"] })).toBe(2);
    expect(await countRecipients({ ...desks, active_days: 1 })).toBe(4);
    expect(await countRecipients({ ...desks, folder: "VIP" })).toBe(0);
    await api.send("PUT", "/api/sessions/desk:anna", { body: { tags: ["regular"], folder: "VIP" } });
    expect(await countRecipients({ ...desks, folder: "VIP" })).toBe(1);
    expect(await countRecipients({ ...desks, tag: "regular" })).toBe(1);
    expect(await countRecipients({ ...desks, tag: "regula" })).toBe(0);
  });

  test("reaches everybody once, as a message of their conversation, however often it is requested", async () => {
    const { id } = await begin({ ...desks, kind: "private" }, 3, { temp_id: "spring" });
    await waitUntilDone(id);
    expect(listReceivers().sort()).toEqual(["anna", "bert", "carl"]);
    expect(await getBroadcast(id)).toMatchObject({ counts: { waiting: 0, sent: 0, delivered: 3, failed: 0 } });
    const { items } = await api.get<Listed<Message>>("/api/sessions/desk:anna/messages");
    expect(items.at(-1)).toMatchObject({ content: text, metadata: { sent_by_operator: true, broadcast_id: id } });

    expect((await begin({ ...desks, kind: "private" }, 3, { temp_id: "spring" })).id).toBe(id);
    // Simulates a lost record of one delivery.
    const rows = parley.host.get(Databases).main;
    const tables = rows.tables<{ broadcasts: object; broadcast_recipients: object }>();
    const wait = tables.updateTable("broadcast_recipients").set({ state: "waiting" } as never);
    const stop = tables.updateTable("broadcasts").set({ state: "stopped" } as never);
    await rows.write([
      { query: wait.where("session_id" as never, "=", "desk:bert" as never) },
      { query: stop.where("id" as never, "=", id as never) },
    ]);
    await api.post(`${at}/${id}/continue`, {});
    await waitUntilDone(id);
    expect(listReceivers()).toHaveLength(3);
    expect(await getBroadcast(id)).toMatchObject({ counts: { delivered: 3 } });
  });

  test("does not start when the recipients have changed since the preview, or there are none", async () => {
    const other = await sendRejected({ expected: 3 });
    expect(other.status).toBe(409);
    expect(JSON.stringify(other)).toContain("4 conversations");
    expect(await sendRejected({ audience: {} })).toMatchObject({ status: 400 });
    expect(await sendRejected({ text: " " })).toMatchObject({ status: 400 });
    expect(listReceivers()).toEqual([]);
  });

  test("lists each failed recipient with a reason, and retries those that received nothing", async () => {
    desk.failures.push(deliveryFailure("permanent", "blocked", { words: "user left" }));
    const { id } = await begin({ channel_ids: ["desk", "shop"], kind: "all" }, 5);
    await waitUntilDone(id);
    const [rejected, ...others] = await recipients(id, "?state=failed");
    expect(others).toEqual([]);
    expect(rejected?.error).toMatchObject({ error: expect.stringContaining("user left") });

    await api.post("/api/channels/shop/toggle", { enabled: false });
    text = "news of the evening";
    const evening = await begin({ channel_ids: ["shop"] }, 1);
    await waitUntilDone(evening.id);
    expect(await recipients(evening.id)).toMatchObject([
      { state: "failed", error: { error: expect.stringContaining("switched off") } },
    ]);
    await api.post("/api/channels/shop/toggle", { enabled: true });
    await eventually(async () => {
      const { channels } = await api.post<{ channels: { connected: boolean }[] }>(`${at}/preview`, {
        audience: { channel_ids: ["shop"] },
      });
      expect(channels[0]?.connected).toBe(true);
    });
    expect(await api.send("POST", `${at}/${evening.id}/continue`, { body: {} })).toMatchObject({ status: 409 });
    await api.post(`${at}/${evening.id}/continue`, { failed: true });
    await eventually(() => expect(shop.sent.at(-1)?.text).toBe(text));
    await waitUntilDone(evening.id);
    // A message given to the platform may have arrived, so it is not sent again.
    expect(await api.send("POST", `${at}/${id}/continue`, { body: { failed: true } })).toMatchObject({ status: 409 });
  });

  test("omits people who are ignored on the channel, also when that was changed after its start", async () => {
    const deny = (...ids: string[]) => api.put("/api/channels/desk", { config: { deny: ids } });
    await deny("anna", "team");
    try {
      expect(await api.post<object>(`${at}/preview`, { audience: desks })).toMatchObject({ total: 2 });
      const { id } = await begin(desks, 2, { per_minute: 1 });
      await eventually(() => expect(listReceivers()).toEqual(["bert"]));
      await deny("anna", "team", "carl");
      await runNextStep();
      await waitUntilDone(id);
      expect(listReceivers()).toEqual(["bert"]);
      expect(await recipients(id, "?state=failed")).toMatchObject([
        { session_id: "desk:carl", error: { error: expect.stringContaining("Never answer") } },
      ]);
    } finally {
      await deny();
    }
  });

  test("stops when its job is cancelled, reports that, and can continue", async () => {
    const { id } = await begin({ ...desks, kind: "private" }, 3, { per_minute: 1 });
    await eventually(() => expect(listReceivers()).toHaveLength(1));
    await eventually(async () => expect(await findNextStep()).toBeDefined());
    await api.post(`/api/jobs/${await findNextStep()}/cancel`, {});
    expect(await readStoredState(id)).toMatchObject({ state: "stopped" });
    const { items } = await api.get<Listed<Broadcast>>(at);
    expect(items.find((one) => one.id === id)).toMatchObject({
      state: "stopped",
      error: { error: expect.stringContaining("cancelled") },
    });
    expect(await getBroadcast(id)).toMatchObject({ state: "stopped", counts: { waiting: 2 } });
    await api.post(`${at}/${id}/continue`, {});
    await eventually(() => expect(listReceivers()).toHaveLength(2));
    await runNextStep();
    await waitUntilDone(id);
    expect(listReceivers().sort()).toEqual(["anna", "bert", "carl"]);
  });

  test("respects its rate, continues after a restart, and sends nothing after it is stopped", async () => {
    const { id } = await begin({ ...desks, kind: "private" }, 3, { per_minute: 1 });
    await eventually(() => expect(listReceivers()).toHaveLength(1));
    await parley[Symbol.asyncDispose]();
    parley = await start();
    api = await parley.signIn();
    expect(await api.send("DELETE", `${at}/${id}`)).toMatchObject({ status: 409 });
    const isConnected = () => api.get<{ status: { connected: boolean } }[]>("/api/channels");
    await eventually(async () => expect(JSON.stringify(await isConnected())).toContain('"connected":true'));
    await runNextStep();
    await eventually(() => expect(listReceivers()).toHaveLength(2));
    expect(new Set(listReceivers()).size).toBe(2);

    expect(await api.post<Broadcast>(`${at}/${id}/stop`, {})).toMatchObject({ state: "stopped" });
    await runNextStep();
    await eventually(async () => expect(await findNextStep()).toBeUndefined());
    expect(listReceivers()).toHaveLength(2);
    expect(await getBroadcast(id)).toMatchObject({ state: "stopped", counts: { waiting: 1, delivered: 2 } });
    expect(await api.send("DELETE", `${at}/${id}`)).toMatchObject({ status: 200 });
    expect(await api.send("GET", `${at}/${id}`)).toMatchObject({ status: 404 });
  });
});
