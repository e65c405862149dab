import { Gateway } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

interface Found {
  readonly items: readonly {
    readonly trace_id: string;
    readonly session_id: string;
    readonly text: string;
    readonly state: string;
    readonly channel_id: string;
    readonly sender: { readonly name: string };
  }[];
  readonly next_cursor: string | null;
}

const fake = createFakeChannel();
let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({ plugins: [fake.plugin] });
  api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: "Shop", type: fake.id, transport: "bridge" });
  const sayAs = (id: string, name: string, text: string) =>
    fake.say("42", text, { sender: { id, name, isAdmin: false } });
  await sayAs("7", "Berta", 'Where is my "parcel"?\nIt is late, 100%!');
  await sayAs("8", "Carl", "Is Berta there?");
  await sayAs("7", "Berta", "包裹在哪里");
  await parley.host.get(Gateway).idle();
  const { id } = await api.post<{ id: string }>("/api/sessions", {});
  await api.post(`/api/sessions/${id}/chat`, { content: "where is the parcel of Berta" });
});
afterAll(() => parley[Symbol.asyncDispose]());

const find = (query: Readonly<Record<string, string>>) =>
  api.get<Found>(`/api/gateway/messages?${new URLSearchParams(query)}`);
const texts = async (query: Readonly<Record<string, string>>) => (await find(query)).items.map(({ text }) => text);

describe("a message", () => {
  test("is found by a part of its text, whatever the case, punctuation and line breaks, newest first", async () => {
    expect(await texts({ q: "PARCEL" })).toEqual([
      "where is the parcel of Berta",
      'Where is my "parcel"?\nIt is late, 100%!',
    ]);
    expect(await texts({ q: '"parcel"?\nIt' })).toEqual(['Where is my "parcel"?\nIt is late, 100%!']);
    expect(await texts({ q: "100%" })).toHaveLength(1);
    expect(await texts({ q: "包裹" })).toEqual(["包裹在哪里"]);
    // A word of the stored JSON that is not part of any text.
    expect(await texts({ q: "sessionId" })).toEqual([]);
  });

  test("is found by its author and conversation, not by people it mentions", async () => {
    expect(await texts({ sender: "berta" })).toEqual(["包裹在哪里", 'Where is my "parcel"?\nIt is late, 100%!']);
    expect(await texts({ channel_id: "web" })).toEqual(["where is the parcel of Berta"]);
    expect(await texts({ sender: "berta", q: "late", channel_id: fake.id })).toHaveLength(1);
  });

  test("is found by its time, page by page, with its trace and its conversation", async () => {
    expect(await texts({ until: "2026-01-01T00:00:00.000Z" })).toEqual([]);
    expect(await texts({ since: "2026-01-01T00:00:00.000Z" })).toHaveLength(4);
    const first = await find({ limit: "3" });
    expect(first.items).toHaveLength(3);
    const second = await find({ limit: "3", cursor: first.next_cursor ?? "" });
    expect(second).toMatchObject({ items: [{ state: "done" }], next_cursor: null });
    expect(new Set([...first.items, ...second.items].map(({ trace_id }) => trace_id)).size).toBe(4);
    const [oldest] = second.items;
    const trace = await api.get<{ queue_items: readonly { parsed: { text: string } }[] }>(
      `/api/gateway/logs/trace/${oldest?.trace_id}`,
    );
    expect(trace.queue_items[0]?.parsed.text).toBe(oldest?.text);
    await api.get(`/api/sessions/${encodeURIComponent(oldest?.session_id ?? "")}`);
  });

  test("is shown with known secrets masked", async () => {
    const secret = "sk-this-is-a-key-of-mine";
    await api.post("/api/ai-models", {
      name: "Mine",
      model: "m",
      base_url: "http://127.0.0.1:9/v1",
      api_key: secret,
      enabled: false,
    });
    await fake.say("43", `my key is ${secret}`);
    await parley.host.get(Gateway).idle();
    const { items } = await find({ q: "my key is" });
    expect(items.map(({ text }) => text)).toEqual(["my key is ***"]);
    const { text } = await api.send("GET", `/api/gateway/logs/trace/${items[0]?.trace_id}`);
    expect(text).not.toContain(secret);
  });
});
