import { type ModelAnswer, ModelCalls } from "@parley/core";
import { type RecordedEvent, startReplayServer } from "@parley/simulators";
import { describe, expect, it } from "vitest";
import { startModels } from "../test-setup.ts";

interface Answered {
  readonly protocol: string;
  readonly events?: readonly RecordedEvent[];
  readonly body?: object;
}

async function answerTo({ protocol, events, body }: Answered): Promise<ModelAnswer> {
  await using server = await startReplayServer([events ? { events } : { body }]);
  await using app = await startModels();
  const model = { name: "M", model: "m", protocol, base_url: server.address, api_key: "sk-1234567890", retry_count: 0 };
  await app.call("POST /api/ai-models", { body: model });
  const { answer } = app.get(ModelCalls).ask({
    purpose: "chat",
    messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
    tools: [{ type: "function", name: "roll", inputSchema: { type: "object", properties: {} } }],
    isStreamed: events !== undefined,
    isOnce: true,
    signal: new AbortController().signal,
  });
  return await answer;
}

const named = (data: { readonly type: string }) => ({ event: data.type, data });
const usage = { input_tokens: 1, output_tokens: 1 };

/** The answer "Hi" in each protocol, with `strange` events in between. */
const STREAMS: Readonly<Record<string, (strange: readonly RecordedEvent[]) => readonly RecordedEvent[]>> = {
  openai_chat: (strange) => [
    ...strange,
    { data: { choices: [{ index: 0, delta: { role: "assistant", content: "H" } }] } },
    ...strange,
    { data: { choices: [{ index: 0, delta: { content: "i" }, finish_reason: "stop" }] } },
    ...strange,
    { data: "[DONE]" },
  ],
  anthropic_messages: (strange) => [
    named({ type: "message_start", message: { id: "m", model: "m", role: "assistant", content: [], usage } } as never),
    ...strange,
    named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } } as never),
    named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } } as never),
    ...strange,
    named({ type: "content_block_stop", index: 0 } as never),
    named({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } } as never),
    ...strange,
    named({ type: "message_stop" }),
  ],
  openai_responses: (strange) => [
    named({ type: "response.created", response: { id: "r", created_at: 1, model: "m" } } as never),
    ...strange,
    named({ type: "response.output_item.added", output_index: 0, item: { type: "message", id: "i" } } as never),
    named({ type: "response.output_text.delta", item_id: "i", delta: "Hi" } as never),
    ...strange,
    named({ type: "response.output_item.done", output_index: 0, item: { type: "message", id: "i" } } as never),
    named({ type: "response.completed", response: { usage } } as never),
  ],
  gemini_generate: (strange) => [
    ...strange,
    { data: { candidates: [{ content: { role: "model", parts: [{ text: "H" }] } }] } },
    ...strange,
    { data: { candidates: [{ content: { role: "model", parts: [{ text: "i" }] }, finishReason: "STOP" }] } },
  ],
};

const STRANGE: readonly [string, RecordedEvent][] = [
  ["an event of a type that nobody knows", { event: "novelty", data: { type: "novelty", index: 7 } }],
  ["a line without what answers have", { data: { id: "x", object: "chat.completion.chunk" } }],
  ["a line with null in its place", { data: { id: "x", object: "y", choices: null, candidates: null } }],
  ["null", { data: null }],
  ["a bare text", { data: JSON.stringify("ping") }],
  ["a list", { data: [] }],
  ["a comment", ": keep-alive\n\n"],
  ["a line that is no JSON", { data: "keep-alive" }],
  ["an empty line of data", "data:\n\n"],
];

describe.each(Object.keys(STREAMS))("a stream of %s", (protocol) => {
  it.each(STRANGE)("is read over %s", async (_what, strange) => {
    const events = STREAMS[protocol]?.([strange]) ?? [];
    expect(await answerTo({ protocol, events })).toMatchObject({ text: "Hi", ending: "done" });
  });
});

describe("an answer of Anthropic's protocol", () => {
  it("is read despite unknown blocks and deltas", async () => {
    const events = STREAMS.anthropic_messages?.([
      named({ type: "content_block_start", index: 5, content_block: { type: "novelty" } } as never),
      named({ type: "content_block_delta", index: 5, delta: { type: "novelty_delta" } } as never),
      named({ type: "content_block_stop", index: 5 } as never),
    ]);
    expect(await answerTo({ protocol: "anthropic_messages", events: events ?? [] })).toMatchObject({ text: "Hi" });
    const odd = STREAMS.anthropic_messages?.([
      named({ type: "content_block_delta", index: 0, delta: { type: "novelty_delta" } } as never),
    ]);
    expect(
      await answerTo({ protocol: "anthropic_messages", events: odd?.slice(0, 1).concat(odd.slice(2)) ?? [] }),
    ).toMatchObject({ text: "Hi" });
  });
});

describe("arguments that come as an object", () => {
  const call = { index: 0, id: "c1", type: "function", function: { name: "roll", arguments: { dice: 2 } } };
  const asked = [{ id: "c1", name: "roll", input: '{"dice":2}' }];

  it("are read from a stream", async () => {
    const events = [{ data: { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] } }];
    expect(await answerTo({ protocol: "openai_chat", events })).toMatchObject({ toolCalls: asked });
  });

  it("are read from a whole answer", async () => {
    const message = { role: "assistant", content: null, tool_calls: [call] };
    const body = { choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
    expect(await answerTo({ protocol: "openai_chat", body })).toMatchObject({ toolCalls: asked });
  });
});

describe("a field of an unexpected type in OpenAI's chat protocol", () => {
  const choice = { index: 0, delta: { content: "Hi" }, finish_reason: "stop" };
  const hi = { choices: [choice] };

  it.each<[string, readonly object[]]>([
    ["a number as the id", [{ ...hi, id: 5, model: 7, created: "now" }]],
    ["a number as the reason to finish", [{ choices: [{ ...choice, finish_reason: 1 }] }]],
    ["a text as the delta", [{ choices: [{ index: 0, delta: "x" }] }, hi]],
    ["an object as reasoning", [{ choices: [{ index: 0, delta: { reasoning_content: {}, reasoning: [] } }] }, hi]],
    ["a list as usage", [hi, { choices: [], usage: [] }]],
    ["text as counts", [hi, { choices: [], usage: { prompt_tokens: "12", completion_tokens: "many" } }]],
    ["a list as details of usage", [hi, { choices: [], usage: { prompt_tokens_details: [], total_tokens: 1 } }]],
    ["a call without its function", [{ choices: [{ index: 0, delta: { tool_calls: [{ id: "c" }] } }] }, hi]],
    ["null as the error", [{ ...hi, error: null }]],
    ["an empty error", [{ ...hi, error: {} }]],
  ])("is ignored: %s", async (_what, events) => {
    const stream = [...events.map((data) => ({ data })), { data: "[DONE]" }];
    expect(await answerTo({ protocol: "openai_chat", events: stream })).toMatchObject({ text: "Hi", ending: "done" });
  });

  it("is ignored in a complete answer", async () => {
    const message = { role: "assistant", content: "Hi", reasoning: {}, tool_calls: [{ id: 1 }] };
    const body = { id: 4, created: "now", choices: [{ index: 0, message, finish_reason: 0 }], usage: [], error: null };
    expect(await answerTo({ protocol: "openai_chat", body })).toMatchObject({ text: "Hi", ending: "done" });
  });

  it("is read when its meaning is clear: the number of a call, counts as text", async () => {
    const call = { index: 0, id: 7, function: { name: "roll", arguments: "{}" } };
    const usage = { prompt_tokens: "12", completion_tokens: 3 };
    const events = [
      { data: { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] } },
      { data: { choices: [], usage } },
      { data: "[DONE]" },
    ];
    expect(await answerTo({ protocol: "openai_chat", events })).toMatchObject({
      toolCalls: [{ id: "7", name: "roll", input: "{}" }],
      usage: { input_tokens: 12, output_tokens: 3 },
    });
  });
});

it("Gemini's counts are read from text", async () => {
  const candidate = { content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" };
  const events = [{ data: { candidates: [candidate], usageMetadata: { promptTokenCount: "5" } } }];
  expect(await answerTo({ protocol: "gemini_generate", events })).toMatchObject({
    text: "Hi",
    usage: { input_tokens: 5 },
  });
});
