import type { Message } from "@parley/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";

interface Fork {
  readonly after_id: string | null;
  readonly variants: readonly { readonly branch_id: string | null; readonly message_id: string }[];
}
interface Edited {
  readonly message: Message;
  readonly removed_ids: readonly string[];
}

let talk: ParleyWithModel;
let models: ParleyWithModel["models"];
let api: Client;
let session: string;

beforeAll(async () => {
  talk = await startParleyWithModel();
  ({ models, api } = talk);
});
afterAll(() => talk?.[Symbol.asyncDispose]());
beforeEach(async () => {
  session = (await api.post<{ id: string }>("/api/sessions", {})).id;
  models.script.length = 0;
});

const path = (rest: string) => `/api/sessions/${session}/${rest}`;
const answers = (...texts: readonly string[]) =>
  models.script.push(...texts.map((text) => ({ kind: "text", text }) as const));
const chat = (content: string) => api.post(path("chat"), { content });
const history = async () => (await api.get<{ items: readonly Message[] }>(path("messages"))).items;
const texts = async () => (await history()).map(({ content }) => content);
const forks = async () => (await api.get<{ items: readonly Fork[] }>(path("branches"))).items;
const showBranch = (branch: string | null | undefined) =>
  api.post<{ shown_ids: string[] }>(path(`branches/${branch}/show`), {});
const edit = async (at: number, content: string) =>
  api.put<Edited>(path(`messages/${(await history())[at]?.id}`), { content, as_branch: true });

describe("a regenerated answer", () => {
  test("by another model is a variant beside that of the conversation's model, which answers the next message", async () => {
    const model = { name: "other", model: "other-1", base_url: models.baseUrl };
    const { id } = await api.post<{ id: string }>("/api/ai-models", model);
    answers("mine", "theirs", "mine again");
    await chat("hello");
    await api.post(path("regenerate"), { model_id: id });
    expect((await history()).at(-1)).toMatchObject({ content: "theirs", model_id: id });
    expect(models.requests.at(-1)?.body.model).toBe("other-1");
    const [fork] = await forks();
    expect(fork?.variants).toHaveLength(2);
    await showBranch(fork?.variants[0]?.branch_id);
    expect(await texts()).toEqual(["hello", "mine"]);
    await chat("and now?");
    expect(models.requests.at(-1)?.body.model).toBe("m");
    const none = await api.send("POST", path("regenerate"), { body: { model_id: "model_none" } });
    expect(none).toMatchObject({ status: 400, json: { code: "bad_request" } });
    expect((await texts()).at(-1)).toBe("mine again");
  });

  test("is stored beside the old one, and each can be selected", async () => {
    answers("first", "second", "third");
    await chat("hello");
    await api.post(path("regenerate"), {});
    await api.post(path("regenerate"), {});
    expect(await texts()).toEqual(["hello", "third"]);
    const [fork] = await forks();
    expect(fork?.after_id).toBe((await history())[0]?.id);
    expect(fork?.variants.map(({ branch_id }) => branch_id === null)).toEqual([false, false, true]);
    await showBranch(fork?.variants[0]?.branch_id);
    expect(await texts()).toEqual(["hello", "first"]);
    expect((await forks())[0]?.variants.map(({ branch_id }) => branch_id === null)).toEqual([true, false, false]);
  });

  test("is not duplicated when the new one fails", async () => {
    models.script.push({ kind: "text", text: "first" }, { kind: "status", status: 400, message: "no" });
    await chat("hello");
    await api.send("POST", path("regenerate"), { body: {} });
    expect(await texts()).toEqual(["hello", "first"]);
    expect(await forks()).toEqual([]);
  });

  test("ignores branches that are hidden from the model", async () => {
    answers("first", "second", "fine");
    await chat("hello");
    await api.post(path("regenerate"), {});
    await chat("and now?");
    const prompt = JSON.stringify(models.requests.at(-1)?.body.messages);
    expect(prompt).toContain("second");
    expect(prompt).not.toContain("first");
  });
});

describe("an edited question", () => {
  test("starts a branch, and one call restores the old one", async () => {
    answers("Paris", "and more", "Rome");
    await chat("capital of France?");
    await chat("go on");
    const { message, removed_ids } = await edit(0, "capital of Italy?");
    expect(removed_ids).toHaveLength(4);
    expect(await texts()).toEqual(["capital of Italy?"]);
    await api.post(path("regenerate"), {});
    expect(await texts()).toEqual(["capital of Italy?", "Rome"]);
    const [fork] = await forks();
    expect(fork).toMatchObject({ after_id: null, variants: [{}, { branch_id: null, message_id: message.id }] });
    using socket = await openSocket(api);
    await socket.ask({ type: "join_session", session_id: session });
    await showBranch(fork?.variants[0]?.branch_id);
    await socket.next(({ type, reason }) => type === "messages_removed" && reason === "switched");
    expect(await texts()).toEqual(["capital of France?", "Paris", "go on", "and more"]);
    const { total } = await api.get<{ total: number }>(path("messages"));
    expect(total).toBe(4);
  });

  test("may have nested branches", async () => {
    answers("1", "2", "2b");
    await chat("a");
    await chat("b");
    await edit(2, "b2");
    await api.post(path("regenerate"), {});
    await edit(0, "A");
    expect(await texts()).toEqual(["A"]);
    const [outer] = await forks();
    await showBranch(outer?.variants[0]?.branch_id);
    expect(await texts()).toEqual(["a", "1", "b2", "2b"]);
    const inner = (await forks()).find(({ after_id }) => after_id !== null);
    await showBranch(inner?.variants[0]?.branch_id);
    expect(await texts()).toEqual(["a", "1", "b", "2"]);
  });

  test("reports an unknown branch, and two contradicting options", async () => {
    await chat("a");
    expect(await api.send("POST", path("branches/branch_none/show"), { body: {} })).toMatchObject({ status: 404 });
    const [first] = await history();
    const both = { content: "b", as_branch: true, truncate_after: true };
    expect(await api.send("PUT", path(`messages/${first?.id}`), { body: both })).toMatchObject({ status: 400 });
  });
});

describe("a permanent deletion", () => {
  test("removes the branches that continue from it, and leaves the others", async () => {
    answers("1", "2", "2b");
    await chat("a");
    await chat("b");
    await api.post(path("regenerate"), {});
    expect(await forks()).toHaveLength(1);
    await api.put(path(`messages/${(await history())[1]?.id}`), { truncate_after: true });
    expect(await texts()).toEqual(["a", "1"]);
    expect(await forks()).toEqual([]);
  });

  test("of one message reconnects its branches, so that none is unreachable", async () => {
    answers("1", "2", "2b");
    await chat("a");
    await chat("b");
    await api.post(path("regenerate"), {});
    const [, one, question] = await history();
    await api.send("DELETE", path(`messages/${question?.id}`));
    const [fork] = await forks();
    expect(fork?.after_id).toBe(one?.id);
    await showBranch(fork?.variants[0]?.branch_id);
    expect(await texts()).toEqual(["a", "1", "2"]);
  });

  test("removes everything when a conversation is cleared", async () => {
    answers("1", "2");
    await chat("a");
    await api.post(path("regenerate"), {});
    await api.send("DELETE", path("messages"));
    await chat("b");
    expect(await forks()).toEqual([]);
    expect(await texts()).toHaveLength(2);
  });
});

describe("an interrupted answer", () => {
  test("can be continued, without a visible question", async () => {
    answers("One, two,", "three.");
    await chat("count");
    await api.post(path("continue"), {});
    expect(await texts()).toEqual(["count", "One, two,", "three."]);
    const prompt = models.requests.at(-1)?.body.messages.slice(-3) ?? [];
    expect(prompt.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    await api.post(path("messages"), { content: "thanks" });
    expect(await api.send("POST", path("continue"), { body: {} })).toMatchObject({ status: 409 });
  });
});

describe("the search in messages", () => {
  const find = async (query: string) =>
    (await api.get<{ items: readonly { message_id: string; excerpt: string }[] }>(`/api/messages?${query}`)).items;

  test("finds words in all conversations or in one, ignoring case, and shows their context", async () => {
    answers("The Lighthouse stands in the north.");
    await chat(`${"so many words ".repeat(20)}lighthouse`);
    const [question, answer] = await history();
    expect((await find("q=LIGHTHOUSE")).map(({ message_id }) => message_id)).toEqual([answer?.id, question?.id]);
    expect((await find(`q=lighthouse&session_id=${session}`))[1]?.excerpt).toMatch(/^…so? ?.*words lighthouse$/);
    const other = (await api.post<{ id: string }>("/api/sessions", {})).id;
    expect(await find(`q=lighthouse&session_id=${other}`)).toEqual([]);
  });

  test("does not find hidden text: other branches, hidden messages, field names, wildcards", async () => {
    answers("aardvark", "badger");
    await chat("an animal?");
    await api.post(path("regenerate"), {});
    expect(await find("q=aardvark")).toEqual([]);
    expect(await find("q=badger")).toHaveLength(1);
    for (const words of ["msg_", "assistant_role", "%25%25"]) expect(await find(`q=${words}`)).toEqual([]);
  });
});
