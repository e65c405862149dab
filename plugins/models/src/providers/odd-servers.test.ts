import { type ModelAnswer, ModelCalls } from "@parley/core";
import { type RecordedEvent, startReplayServer } from "@parley/simulators";
import { describe, expect, it } from "vitest";
import { startModels } from "../test-setup.ts";

type Protocol = "openai_chat" | "anthropic_messages" | "openai_responses" | "gemini_generate";
type Json = Readonly<Record<string, unknown>>;
const DONE = "[DONE]";
type Answer = { readonly events: readonly (Json | typeof DONE)[] } | { readonly body: Json } | { readonly raw: string };

/** Asks a server that answers with these events, or with one body. */
async function ask(protocol: Protocol, answer: Answer, isStreamed = !("body" in answer)): Promise<ModelAnswer> {
  const recorded: { readonly events: readonly RecordedEvent[] } | { readonly body: object } =
    "body" in answer
      ? answer
      : { events: "raw" in answer ? [answer.raw] : answer.events.map((data) => toEvent(protocol, data)) };
  await using server = await startReplayServer([recorded]);
  await using app = await startModels();
  const model = { name: "M", model: "m", protocol, base_url: server.address, api_key: "sk-1234567890", retry_count: 0 };
  await app.call("POST /api/ai-models", { body: model });
  const { answer: promise } = app.get(ModelCalls).ask({
    purpose: "chat",
    messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
    tools: [{ type: "function", name: "roll", inputSchema: { type: "object", properties: {} } }],
    isStreamed,
    isOnce: true,
    signal: new AbortController().signal,
  });
  return await promise;
}

function toEvent(protocol: Protocol, data: Json | typeof DONE): RecordedEvent {
  if (data === DONE) return { data };
  const hasName = protocol !== "openai_chat" && typeof data.type === "string";
  return { ...(hasName && { event: data.type as string }), data };
}

const chat = (choice: Json, more: Json = {}): Json => ({ choices: [{ index: 0, ...choice }], ...more });
const HI = { delta: { content: "Hi" } };
const STOP = chat({ delta: {}, finish_reason: "stop" });
const start = (message: Json): Json => ({ type: "message_start", message });
const STARTED = start({
  id: "m",
  model: "m",
  role: "assistant",
  content: [],
  usage: { input_tokens: 1, output_tokens: 1 },
});
const BLOCK = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
const TEXT = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } };
const BLOCK_END = { type: "content_block_stop", index: 0 };
const ended = (more: Json): Json => ({ type: "message_delta", delta: { stop_reason: "end_turn" }, ...more });
const ENDED = ended({ usage: { output_tokens: 1 } });
const MESSAGE_END = { type: "message_stop" };
const anthropic = (changed: Json = {}): Answer => ({
  events: Object.values({ STARTED, BLOCK, TEXT, BLOCK_END, ENDED, MESSAGE_END, ...changed }) as Json[],
});
const CREATED = { type: "response.created", response: { id: "r", created_at: 1, model: "m" } };
const ADDED = { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "i" } };
const DELTA = { type: "response.output_text.delta", item_id: "i", output_index: 0, delta: "Hi" };
const ITEM_END = { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "i" } };
const completed = (response: unknown): Json => ({ type: "response.completed", response });
const COMPLETED = completed({ usage: { input_tokens: 1, output_tokens: 1 } });
const responses = (changed: Json = {}): Answer => ({
  events: Object.values({ CREATED, ADDED, DELTA, ITEM_END, COMPLETED, ...changed }) as Json[],
});
const gemini = (candidate: Json, more: Json = {}): Answer => ({
  events: [
    {
      candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP", ...candidate }],
      ...more,
    },
  ],
});
const whole = (more: Json): Answer => ({ body: more });
const chatBody = (message: Json, more: Json = {}) =>
  whole({ choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }], ...more });
const anthropicBody = (more: Json) =>
  whole({
    ...{ id: "m", type: "message", role: "assistant", model: "m", content: [{ type: "text", text: "Hi" }] },
    ...{ stop_reason: "end_turn", usage: { input_tokens: 1, output_tokens: 1 } },
    ...more,
  });
const outputText = { type: "output_text", text: "Hi", annotations: [] };
const responsesBody = (more: Json, message: Json = {}) =>
  whole({
    ...{ id: "r", created_at: 1, model: "m", usage: { input_tokens: 1, output_tokens: 1 } },
    output: [{ type: "message", role: "assistant", id: "i", content: [outputText], ...message }],
    ...more,
  });

/** The answer "Hi" as sent by servers other than those after which the protocols are named. */
const ANSWERS: Readonly<Record<Protocol, Readonly<Record<string, Answer>>>> = {
  openai_chat: {
    "without usage": { events: [chat(HI), STOP] },
    "with null as usage": { events: [chat(HI, { usage: null }), { ...STOP, usage: null }] },
    "with counts as text": { events: [chat(HI), { ...STOP, usage: { prompt_tokens: "5", completion_tokens: "7" } }] },
    "with counts as decimals": {
      events: [chat(HI), { ...STOP, usage: { prompt_tokens: "5.0", completion_tokens: 7.5 } }],
    },
    "with null as counts": { events: [chat(HI), { ...STOP, usage: { prompt_tokens: null, total_tokens: null } }] },
    "with a number as the reason to finish": { events: [chat(HI), chat({ delta: {}, finish_reason: 3 })] },
    "with an empty reason to finish in each event": { events: [chat({ ...HI, finish_reason: "" }), STOP] },
    "with an empty reason to finish alone": {
      events: [chat({ ...HI, finish_reason: "" }), chat({ finish_reason: "" }), DONE],
    },
    "with a reason of its own": { events: [chat(HI), chat({ delta: {}, finish_reason: "eos_token" })] },
    "without created": { events: [chat(HI, { id: "x", model: "m" }), STOP] },
    "with a date as created": { events: [chat(HI, { created: "2026-01-01T00:00:00Z" }), STOP] },
    "with content as parts": { events: [chat({ delta: { content: [{ type: "text", text: "Hi" }] } }), STOP] },
    "with content as parts without a type": {
      events: [chat({ delta: { content: [{ text: "H" }, { text: "i" }] } }), STOP],
    },
    "with content as a list of texts": { events: [chat({ delta: { content: ["H", "i"] } }), STOP] },
    "with content as one part": { events: [chat({ delta: { content: { type: "text", text: "Hi" } } }), STOP] },
    "with parts whose text is an object": {
      events: [chat({ delta: { content: [{ type: "text", text: { value: "Hi" } }] } }), STOP],
    },
    "with a message in place of a delta": { events: [chat({ message: { role: "assistant", content: "Hi" } }), STOP] },
    "with a text in place of a delta": { events: [chat({ text: "Hi" }), STOP] },
    "with null as calls": { events: [chat({ delta: { content: "Hi", tool_calls: null, function_call: null } }), STOP] },
    "with an empty list of calls": { events: [chat({ delta: { content: "Hi", tool_calls: [] } }), STOP] },
    "with a role of its own": { events: [chat({ delta: { role: "model", content: "Hi" } }), STOP] },
    "with false as the error": { events: [chat(HI, { error: false }), STOP] },
    "with an empty text as the error": { events: [chat(HI, { error: "" }), STOP] },
    "with an empty list as the error": { events: [chat(HI, { error: [] }), STOP] },
    "whole, without usage": chatBody({ content: "Hi" }),
    "whole, with null as usage and created": chatBody({ content: "Hi" }, { usage: null, created: null, id: null }),
    "whole, with content as parts": chatBody({ content: [{ type: "text", text: "Hi" }] }),
    "whole, with content as a list of texts": chatBody({ content: ["Hi"] }),
  },
  anthropic_messages: {
    "without usage at its start": anthropic({
      STARTED: start({ id: "m", model: "m", role: "assistant", content: [] }),
    }),
    "with null as usage at its start": anthropic({ STARTED: start({ id: "m", usage: null }) }),
    "with counts as text": anthropic({
      STARTED: start({ id: "m", usage: { input_tokens: "5", cache_read_input_tokens: "1", output_tokens: "0" } }),
      ENDED: ended({ usage: { output_tokens: "7" } }),
    }),
    "with a list as usage": anthropic({ STARTED: start({ id: "m", usage: [] }), ENDED: ended({ usage: [] }) }),
    "without usage at its end": anthropic({ ENDED: ended({}) }),
    "with null as usage at its end": anthropic({ ENDED: ended({ usage: null }) }),
    "with a number as the reason to stop": anthropic({ ENDED: ended({ delta: { stop_reason: 3 }, usage: {} }) }),
    "with an empty reason to stop": anthropic({ ENDED: ended({ delta: { stop_reason: "" } }) }),
    "without a delta at its end": anthropic({ ENDED: { type: "message_delta" } }),
    "with a bare start": anthropic({ STARTED: { type: "message_start" } }),
    "with numbers as ids": anthropic({ STARTED: start({ id: 5, model: 7, role: 1, usage: { input_tokens: 1 } }) }),
    "with a block without its text": anthropic({ BLOCK: { ...BLOCK, content_block: { type: "text" } } }),
    "with null as the text of a block": anthropic({ BLOCK: { ...BLOCK, content_block: { type: "text", text: null } } }),
    "with places as text": anthropic({
      BLOCK: { ...BLOCK, index: "0" },
      TEXT: { ...TEXT, index: "0" },
      BLOCK_END: { ...BLOCK_END, index: "0" },
    }),
    "without places": anthropic({
      BLOCK: { ...BLOCK, index: undefined },
      TEXT: { ...TEXT, index: undefined },
      BLOCK_END: { type: "content_block_stop" },
    }),
    "whole, without usage": anthropicBody({ usage: undefined }),
    "whole, with null as usage": anthropicBody({ usage: null }),
    "whole, with counts as text": anthropicBody({ usage: { input_tokens: "5", output_tokens: "7" } }),
    "whole, with a number as the reason to stop": anthropicBody({ stop_reason: 3 }),
    "whole, with a text as content": anthropicBody({ content: "Hi" }),
    "whole, without a type": anthropicBody({ type: undefined }),
  },
  openai_responses: {
    "without created_at": responses({ CREATED: { type: "response.created", response: { id: "r", model: "m" } } }),
    "with a text as created_at": responses({
      CREATED: { type: "response.created", response: { id: "r", created_at: "1", model: "m" } },
    }),
    "without usage": responses({ COMPLETED: completed({}) }),
    "with null as usage": responses({ COMPLETED: completed({ usage: null }) }),
    "with counts as text": responses({ COMPLETED: completed({ usage: { input_tokens: "5", output_tokens: "7" } }) }),
    "with half of the counts": responses({ COMPLETED: completed({ usage: { total_tokens: 5 } }) }),
    "with null as details of the counts": responses({
      COMPLETED: completed({
        usage: { input_tokens: 5, output_tokens: 7, input_tokens_details: null, output_tokens_details: null },
      }),
    }),
    "without a response at its end": responses({ COMPLETED: { type: "response.completed" } }),
    "without the ids of items": responses({
      ADDED: { ...ADDED, item: { type: "message" } },
      DELTA: { type: "response.output_text.delta", delta: "Hi" },
      ITEM_END: { ...ITEM_END, item: { type: "message" } },
    }),
    "without places": responses({
      ADDED: { ...ADDED, output_index: undefined },
      ITEM_END: { ...ITEM_END, output_index: undefined },
    }),
    "with the error null": responses({ COMPLETED: completed({ error: null, incomplete_details: null, usage: null }) }),
    "whole, without created_at": responsesBody({ created_at: undefined }),
    "whole, with null as created_at": responsesBody({ created_at: null, id: null, model: null }),
    "whole, without usage": responsesBody({ usage: undefined }),
    "whole, with counts as text": responsesBody({ usage: { input_tokens: "5", output_tokens: "7" } }),
    "whole, without annotations": responsesBody({}, { content: [{ type: "output_text", text: "Hi" }] }),
    "whole, without an id of the message": responsesBody({}, { id: undefined }),
    "whole, with a text as content": responsesBody({}, { content: "Hi" }),
  },
  gemini_generate: {
    "without usage": gemini({}),
    "with null as usage": gemini({}, { usageMetadata: null }),
    "with counts as text": gemini({}, { usageMetadata: { promptTokenCount: "5", candidatesTokenCount: "7" } }),
    "with a list as usage": gemini({}, { usageMetadata: [] }),
    "with a number as the reason to finish": gemini({ finishReason: 3 }),
    "with an empty reason to finish": gemini({ finishReason: "" }),
    "with null as ratings": gemini({ safetyRatings: null, groundingMetadata: null }, { promptFeedback: null }),
    "with an odd part beside": gemini({ content: { parts: [null, {}, { text: "Hi" }, { text: null }] } }),
    "with content as a text": gemini({ content: { parts: "Hi" } }),
    "whole, without usage": { body: (gemini({}) as { events: readonly Json[] }).events[0] as Json },
    "whole, with a number as the reason to finish": {
      body: (gemini({ finishReason: 3 }) as { events: readonly Json[] }).events[0] as Json,
    },
  },
};

describe.each(Object.entries(ANSWERS) as [Protocol, Readonly<Record<string, Answer>>][])(
  "an answer over %s",
  (protocol, answers) => {
    it.each(Object.entries(answers))("is read %s", async (_form, answer) => {
      const read = await ask(protocol, answer);
      expect(read).toMatchObject({ text: "Hi", ending: "done" });
    });
  },
);

describe("counts that arrive as text", () => {
  it.each(Object.keys(ANSWERS) as Protocol[])("are counted over %s", async (protocol) => {
    const answer = ANSWERS[protocol]["with counts as text"] as Answer;
    expect(await ask(protocol, answer)).toMatchObject({
      usage: { input_tokens: protocol === "anthropic_messages" ? 6 : 5, output_tokens: 7 },
    });
  });
});

const TOO_LARGE = "the request is too large for this model";
const REPORTED = { ending: "failed", failure: { detail: TOO_LARGE } };
/** Errors in an answer of status 200. */
const ERRORS: Readonly<Record<string, Json>> = {
  "a text": { error: TOO_LARGE },
  "an object": { error: { message: TOO_LARGE, type: "invalid_request_error", code: 400 } },
  "an object with its code as text": { error: { message: TOO_LARGE, code: "400" } },
  "an object with msg": { error: { msg: TOO_LARGE } },
  "an object in an object": { error: { error: { message: TOO_LARGE } } },
  "a list": { error: [{ message: TOO_LARGE }] },
  "an event of type error": { type: "error", error: { type: "api_error", message: TOO_LARGE } },
  "an event of type error with a text": { type: "error", error: TOO_LARGE },
  "an event of type error with a message": { type: "error", code: null, message: TOO_LARGE },
  "an object of kind error": { object: "error", message: TOO_LARGE, type: "BadRequestError", code: 400 },
  "a detail": { detail: TOO_LARGE },
  "a code and a message": { code: "InvalidParameter", message: TOO_LARGE, request_id: "x" },
  "an error_msg": { error_code: 336003, error_msg: TOO_LARGE },
  "a base_resp": { base_resp: { status_code: 1004, status_msg: TOO_LARGE }, choices: null },
};

describe.each(Object.keys(ANSWERS) as Protocol[])("an error over %s", (protocol) => {
  it.each(Object.entries(ERRORS))("in a stream is reported: %s", async (_form, error) => {
    expect(await ask(protocol, { events: [error] })).toMatchObject(REPORTED);
  });

  it.each(Object.entries(ERRORS))("as a whole answer is reported: %s", async (_form, error) => {
    expect(await ask(protocol, { body: error })).toMatchObject(REPORTED);
  });

  it("as a whole answer where a stream was asked for is reported", async () => {
    expect(await ask(protocol, { body: { error: TOO_LARGE } }, true)).toMatchObject(REPORTED);
  });

  it("as a text of an event that is named error is reported", async () => {
    expect(await ask(protocol, { raw: `event: error\ndata: ${TOO_LARGE}\n\n` })).toMatchObject(REPORTED);
  });

  it("behind a part of the answer keeps that part", async () => {
    const good = ANSWERS[protocol]["without usage"] ?? ANSWERS[protocol]["without usage at its end"];
    const { events } = good as { readonly events: readonly Json[] };
    const answer = await ask(protocol, {
      events: [
        ...events.slice(0, 3 - (protocol === "openai_chat" || protocol === "gemini_generate" ? 2 : 0)),
        { error: TOO_LARGE },
      ],
    });
    expect(answer).toMatchObject({ text: "Hi" });
  });
});

describe("a call in the older form", () => {
  const ROLL = [{ name: "roll", input: '{"dice":2}' }];

  it("is read from a stream", async () => {
    const events = [
      chat({ delta: { role: "assistant", content: null, function_call: { name: "roll", arguments: "" } } }),
      chat({ delta: { function_call: { arguments: '{"dice"' } } }),
      chat({ delta: { function_call: { arguments: ":2}" } } }),
      chat({ delta: {}, finish_reason: "function_call" }),
    ];
    expect(await ask("openai_chat", { events })).toMatchObject({ toolCalls: ROLL });
  });

  it("is read from a whole answer", async () => {
    const answer = chatBody({ content: null, function_call: { name: "roll", arguments: { dice: 2 } } });
    expect(await ask("openai_chat", answer)).toMatchObject({ toolCalls: ROLL });
  });

  it("has an id of its own each time", async () => {
    const answer = chatBody({ content: null, function_call: { name: "roll", arguments: "{}" } });
    const ids = [await ask("openai_chat", answer), await ask("openai_chat", answer)].map(
      ({ toolCalls }) => toolCalls[0]?.id,
    );
    expect(new Set(ids).size).toBe(2);
  });
});

describe("a tool call with fields of unexpected types", () => {
  const CALL = [{ name: "roll", input: '{"dice":2}' }];

  it.each([
    [
      "one call in place of a list",
      { tool_calls: { index: 0, id: "c", function: { name: "roll", arguments: '{"dice":2}' } } },
    ],
    [
      "its place as text",
      { tool_calls: [{ index: "0", id: "c", function: { name: "roll", arguments: '{"dice":2}' } }] },
    ],
    ["no place and no id", { tool_calls: [{ function: { name: "roll", arguments: '{"dice":2}' } }] }],
  ])("is read over openai_chat: %s", async (_form, delta) => {
    expect(
      await ask("openai_chat", { events: [chat({ delta }), chat({ delta: {}, finish_reason: "tool_calls" })] }),
    ).toMatchObject({ toolCalls: CALL });
  });

  it("is read over anthropic_messages: input as an object in its pieces", async () => {
    const answer = anthropic({
      BLOCK: { ...BLOCK, content_block: { type: "tool_use", id: "c", name: "roll" } },
      TEXT: { ...TEXT, delta: { type: "input_json_delta", partial_json: { dice: 2 } } },
      ENDED: ended({ delta: { stop_reason: "tool_use" } }),
    });
    expect(await ask("anthropic_messages", answer)).toMatchObject({ toolCalls: CALL });
  });

  it("is read over openai_responses: arguments as an object, without ids and status", async () => {
    const item = { type: "function_call", call_id: "c", name: "roll" };
    const answer = responses({
      ADDED: { ...ADDED, item },
      DELTA: { type: "response.function_call_arguments.done", arguments: '{"dice":2}' },
      ITEM_END: { ...ITEM_END, item: { ...item, arguments: { dice: 2 } } },
    });
    expect(await ask("openai_responses", answer)).toMatchObject({ toolCalls: CALL });
  });
});
