import { LiveEvents, type Message } from "@parley/core";
import { createGate, type ModelScript, type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";

// The cards shown while an answer is generated (realtime events `thinking_card` and `change_card`).

let parley: Parley;
let api: Client;
let models: ModelServer;
let sessionId: string;

interface Card {
  readonly type: string;
  readonly id: string;
  readonly parent_message_id: string;
  readonly steps?: readonly {
    readonly type: string;
    readonly text?: string;
    readonly name?: string;
    readonly status?: string;
  }[];
  readonly changes?: readonly object[];
  readonly is_complete: boolean;
}
interface Answered {
  readonly replies: readonly { readonly id: string }[];
}

beforeAll(async () => {
  [parley, models] = await Promise.all([startParley(), startModelServer()]);
  api = await parley.signIn();
  const model = { name: "m", model: "m", base_url: models.baseUrl, retry_count: 0 };
  const { id: model_id } = await api.post<{ id: string }>("/api/ai-models", model);
  sessionId = (await api.post<{ id: string }>("/api/sessions", { model_id })).id;
});
afterAll(async () => {
  await parley?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
});

/** The cards of one turn, in order, and the id of its answer. */
async function runScript(...script: readonly ModelScript[]) {
  const cards: Card[] = [];
  const stop = parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
    if (type.endsWith("_card") && session_id === sessionId) cards.push({ type, ...payload } as Card);
  });
  models.script.push(...script);
  const answer = await api.send("POST", `/api/sessions/${sessionId}/chat`, { body: { content: "go on" } });
  models.script.length = 0;
  stop();
  const data = answer.json?.data as Answered | undefined;
  return { reply: data?.replies[0]?.id, of: (type: string) => cards.filter((card) => card.type === type) };
}

const write = (path: string, more: object = {}): ModelScript => ({
  kind: "tool",
  name: "workspace_create_file",
  args: { filename: path, content: "one", ...more },
});

describe("the card of the AI's activity", () => {
  test("shows thoughts and tools live, and ends with the answer", async () => {
    const { reply, of } = await runScript(
      { kind: "tool", name: "get_date_time", args: {} },
      { kind: "text", text: "It is late.", thinking: "Evening, I suppose." },
    );
    const cards = of("thinking_card");
    expect(cards[0]).toMatchObject({
      parent_message_id: reply,
      steps: [{ type: "tool", name: "get_date_time", status: "running", duration_ms: null }],
      is_complete: false,
    });
    expect(cards.at(-1)).toMatchObject({
      id: cards[0]?.id,
      steps: [
        { type: "tool", name: "get_date_time", status: "ok", duration_ms: expect.any(Number) },
        { type: "thinking", text: "Evening, I suppose." },
      ],
      is_complete: true,
    });
    expect(cards.filter(({ is_complete }) => is_complete)).toHaveLength(1);
    // A client that connects later gets the same from the stored message.
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/${sessionId}/messages`);
    expect(items.find(({ id }) => id === reply)).toMatchObject({
      thinking: "Evening, I suppose.",
      tool_calls: [{ name: "get_date_time", arguments: {}, status: "ok", duration_ms: expect.any(Number) }],
    });
  });

  test("is sent to clients that join while it is shown", async () => {
    const gate = createGate();
    models.script.push(
      { kind: "tool", name: "get_date_time", args: {} },
      { kind: "held", pieces: ["It is ", "late."], gate },
    );
    using first = await openSocket(api);
    await first.ask({ type: "join_session", session_id: sessionId });
    const answer = api.send("POST", `/api/sessions/${sessionId}/chat`, { body: { content: "what time is it?" } });
    gate.next();
    await first.next(({ type }) => type === "ai_stream_start");
    using second = await openSocket(api);
    await second.ask({ type: "join_session", session_id: sessionId });
    const card = await second.next(({ type }) => type === "thinking_card");
    expect(card).toMatchObject({ steps: [{ type: "tool", name: "get_date_time" }], is_complete: false });
    gate.next();
    await answer;
    expect(
      await second.next(({ type, is_complete }) => type === "thinking_card" && is_complete === true),
    ).toMatchObject({
      id: card.id,
    });
  });

  test("is missing when nothing was thought and no tool used", async () => {
    expect((await runScript({ kind: "text", text: "Hello." })).of("thinking_card")).toEqual([]);
  });

  test("ends when the turn fails, too", async () => {
    const { of } = await runScript({ kind: "tool", name: "get_date_time", args: {} }, { kind: "status", status: 400 });
    expect(of("thinking_card").at(-1)).toMatchObject({ is_complete: true });
  });

  test("contains no thought that the filter may still remove", async () => {
    const { id } = await api.post<{ id: string }>("/api/message-filter", {
      pattern: "plan nine",
      type: "keyword",
      filter_target: "ai",
      action: "strip",
    });
    const { of } = await runScript({ kind: "text", text: "Hello.", thinking: "This is plan nine." });
    await api.send("DELETE", `/api/message-filter/${id}`);
    expect(of("thinking_card").at(-1)).toMatchObject({ steps: [{ type: "thinking", text: "" }], is_complete: true });
    expect(JSON.stringify(of("thinking_card"))).not.toContain("nine");
  });
});

describe("the card of changed files", () => {
  test("contains all workspace changes of a turn, and ends with the answer", async () => {
    const { reply, of } = await runScript(
      write("a.txt"),
      write("b.txt", { scope: "shared" }),
      { kind: "tool", name: "workspace_edit_file", args: { filename: "a.txt", old_text: "one", new_text: "three" } },
      { kind: "tool", name: "workspace_delete_file", args: { filename: "b.txt", scope: "shared" } },
      { kind: "text", text: "Done." },
    );
    const cards = of("change_card");
    expect(cards.map(({ changes = [], is_complete }) => [changes.length, is_complete])).toEqual([
      [1, false],
      [2, false],
      [2, false],
      [2, false],
      [2, true],
    ]);
    expect(cards.at(-1)).toMatchObject({
      parent_message_id: reply,
      changes: [
        { scope: "private", path: "a.txt", action: "upload", size: 5 },
        { scope: "shared", path: "b.txt", action: "delete" },
      ],
    });
  });

  test("stays correct when the turn fails, because the files have changed", async () => {
    const { of } = await runScript(write("c.txt"), { kind: "status", status: 400 });
    expect(of("change_card").at(-1)).toMatchObject({ changes: [{ path: "c.txt" }], is_complete: true });
  });

  test("is missing when people change files", async () => {
    const seen: string[] = [];
    const stop = parley.host.get(LiveEvents).subscribe(({ type }) => void seen.push(type));
    await api.send("DELETE", `/api/sessions/${sessionId}/workspace/files/c.txt`);
    stop();
    expect(seen).toContain("workspace_file_changed");
    expect(seen).not.toContain("change_card");
  });
});
