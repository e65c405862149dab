import type { Message, Session } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Names {
  readonly items: readonly { readonly name: string }[];
}
interface Found {
  readonly items: readonly { readonly message_id: string; readonly excerpt: string; readonly session_name: string }[];
  readonly total: number;
}

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

const create = (body: object) => api.post<Session>("/api/sessions", body);
const listNames = async (query: string) =>
  (await api.get<Names>(`/api/sessions?${query}`)).items.map(({ name }) => name).sort();
const folders = async () => (await api.get<{ items: readonly object[] }>("/api/session-folders")).items;

describe("folders", () => {
  test("contain conversations until these are removed, and can be renamed", async () => {
    const [kyoto, rome] = await Promise.all([
      create({ name: "Kyoto", folder: "Travel" }),
      create({ name: "Rome" }),
      create({ name: "Taxes", folder: "Home" }),
    ]);
    expect(kyoto.folder).toBe("Travel");
    expect(rome.folder).toBe("");
    await api.put(`/api/sessions/${rome.id}`, { folder: " Travel " });
    expect(await listNames("folder=Travel")).toEqual(["Kyoto", "Rome"]);
    await api.post(`/api/sessions/${kyoto.id}/archive`, {});
    expect(await folders()).toEqual([
      { name: "Home", count: 1 },
      { name: "Travel", count: 1 },
    ]);
    expect(await listNames("folder=Travel&archived=true")).toEqual(["Kyoto"]);
    using socket = await openSocket(api);
    expect(await api.put("/api/session-folders", { folder: "Travel", name: "Journeys" })).toEqual({ changed: 2 });
    await socket.next(({ type, id }) => type === "resource_changed" && id === rome.id);
    expect(await api.get(`/api/sessions/${kyoto.id}`)).toMatchObject({ folder: "Journeys", archived: true });
    await api.put("/api/session-folders", { folder: "Journeys", name: "" });
    expect(await folders()).toEqual([{ name: "Home", count: 1 }]);
    expect(await listNames("archived=all")).toEqual(["Kyoto", "Rome", "Taxes"]);
  });

  test("are kept when a conversation is forked, exported and imported", async () => {
    const { id } = await create({ name: "Recipes", folder: "Kitchen" });
    expect(await api.post<Session>(`/api/sessions/${id}/fork`, {})).toMatchObject({ folder: "Kitchen" });
    const exported = await api.get<object>(`/api/sessions/${id}/export`);
    const { items } = await api.post<{ items: readonly { id: string }[] }>("/api/sessions/import", exported);
    expect(await api.get(`/api/sessions/${items[0]?.id}`)).toMatchObject({ folder: "Kitchen" });
  });
});

describe("an answer", () => {
  const createAnswered = async (name: string, content: string) => {
    const { id } = await create({ name });
    const { user_message, replies } = await api.post<{ user_message: Message; replies: readonly Message[] }>(
      `/api/sessions/${id}/chat`,
      { content },
    );
    return { id, question: user_message, answer: replies[0] as Message };
  };
  const rate = (id: string, message: Message, rating: string | null) =>
    api.put<Message>(`/api/sessions/${id}/messages/${message.id}/rating`, { rating });
  const listRated = async (query: string) => {
    const { items, total } = await api.get<Found>(`/api/messages?${query}`);
    return { ids: items.map(({ message_id }) => message_id), total };
  };

  test("is rated, found by its rating, and announced to every open page", async () => {
    const one = await createAnswered("one", "What is a fjord?");
    const two = await createAnswered("two", "What is a canyon?");
    expect(one.answer.rating).toBeNull();
    using socket = await openSocket(api);
    await socket.ask({ type: "join_session", session_id: one.id });
    expect((await rate(one.id, one.answer, "bad")).rating).toBe("bad");
    await socket.next(({ type, message }) => type === "message_updated" && (message as Message).rating === "bad");
    await rate(two.id, two.answer, "good");
    expect(await listRated("rating=bad")).toEqual({ ids: [one.answer.id], total: 1 });
    expect(await listRated("rating=good")).toEqual({ ids: [two.answer.id], total: 1 });
    expect(await listRated("rating=good&q=fjord")).toEqual({ ids: [], total: 0 });
    // A later edit keeps the rating.
    await api.put(`/api/sessions/${one.id}/messages/${one.answer.id}`, { content: "A long arm of the sea." });
    const [, reply] = (await api.get<{ items: readonly Message[] }>(`/api/sessions/${one.id}/messages`)).items;
    expect(reply).toMatchObject({ content: "A long arm of the sea.", rating: "bad" });
    await rate(one.id, one.answer, null);
    expect(await listRated("rating=bad")).toEqual({ ids: [], total: 0 });
    await expect(rate(one.id, one.question, "good")).rejects.toThrow("is not a reply");
    await expect(listRated("")).rejects.toThrow();
  });

  test("is bookmarked, and found among all bookmarks, also after its deletion", async () => {
    const { id, answer } = await createAnswered("three", "What is a delta?");
    await api.put(`/api/sessions/${id}/message-favorites`, { message_ids: [answer.id], title: "Delta" });
    await api.send("DELETE", `/api/sessions/${id}/messages/${answer.id}`);
    const { items } = await api.get<{ items: readonly object[] }>("/api/message-favorites");
    expect(items).toMatchObject([
      { title: "Delta", session_id: id, session_name: "three", messages: [{ id: answer.id, content: answer.content }] },
    ]);
  });
});
