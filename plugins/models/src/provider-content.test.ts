import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { type ModelAnswer, ModelCalls } from "@parley/core";
import { type RecordedEvent, startReplayServer } from "@parley/simulators";
import { describe, expect, it } from "vitest";
import { startModels } from "./test-setup.ts";

const named = (data: { readonly type: string; readonly [key: string]: unknown }): RecordedEvent => ({
  event: data.type,
  data,
});
const chunk = (delta: object, finish_reason?: string) => ({
  data: { choices: [{ index: 0, delta, ...(finish_reason && { finish_reason }) }] },
});
const usage = { input_tokens: 1, output_tokens: 1 };
const toolCall = (more: object = {}) => ({
  index: 0,
  id: "c1",
  type: "function",
  function: { name: "get_date_time", arguments: "{}" },
  ...more,
});

/** First answers with thinking and a tool call, and the thinking expected in the next request. */
const CASES: readonly (readonly [string, string, readonly RecordedEvent[], unknown])[] = [
  [
    "openai_chat",
    "reasoning content",
    [
      chunk({ reasoning_content: "I need the time" }),
      chunk({ tool_calls: [toolCall()] }),
      chunk({}, "tool_calls"),
      { data: "[DONE]" },
    ],
    {
      messages: expect.arrayContaining([
        expect.objectContaining({ role: "assistant", reasoning_content: "I need the time" }),
      ]),
    },
  ],
  [
    "openai_chat",
    "extra content of a call",
    [
      chunk({ tool_calls: [toolCall({ extra_content: { google: { thought_signature: "sig" } } })] }),
      chunk({}, "tool_calls"),
      { data: "[DONE]" },
    ],
    {
      messages: expect.arrayContaining([
        expect.objectContaining({
          tool_calls: [expect.objectContaining({ extra_content: { google: { thought_signature: "sig" } } })],
        }),
      ]),
    },
  ],
  [
    "openai_chat",
    "reasoning under its short name alone",
    [
      chunk({ reasoning: "I need " }),
      chunk({ reasoning: "the time" }),
      chunk({ tool_calls: [toolCall()] }),
      chunk({}, "tool_calls"),
      { data: "[DONE]" },
    ],
    {
      messages: expect.arrayContaining([
        {
          role: "assistant",
          content: null,
          reasoning: "I need the time",
          tool_calls: [expect.objectContaining({ id: "c1" })],
        },
      ]),
    },
  ],
  [
    "openai_chat",
    "details of the reasoning, in pieces and behind the call",
    [
      chunk({ reasoning_details: [{ type: "reasoning.text", text: "I need ", index: 0, format: "f" }] }),
      chunk({ reasoning_details: [{ type: "reasoning.text", text: "the time", index: 0 }] }),
      chunk({ reasoning_details: [{ type: "reasoning.text", signature: "sig", index: 0, text: null }] }),
      chunk({ tool_calls: [toolCall()] }),
      chunk({ reasoning_details: [{ type: "reasoning.encrypted", data: "enc", id: "c1", index: 1 }] }, "tool_calls"),
      { data: "[DONE]" },
    ],
    {
      messages: expect.arrayContaining([
        expect.objectContaining({
          role: "assistant",
          reasoning_details: [
            { type: "reasoning.text", text: "I need the time", signature: "sig", index: 0, format: "f" },
            { type: "reasoning.encrypted", data: "enc", id: "c1", index: 1 },
          ],
        }),
      ]),
    },
  ],
  [
    "anthropic_messages",
    "thinking blocks with their signatures, also redacted ones",
    [
      named({ type: "message_start", message: { id: "m", model: "m", role: "assistant", content: [], usage } }),
      named({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } }),
      named({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "I need the time" } }),
      named({ type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "sig" } }),
      named({ type: "content_block_stop", index: 0 }),
      named({ type: "content_block_start", index: 1, content_block: { type: "redacted_thinking", data: "xyz" } }),
      named({ type: "content_block_stop", index: 1 }),
      named({
        type: "content_block_start",
        index: 2,
        content_block: { type: "tool_use", id: "c1", name: "get_date_time", input: {} },
      }),
      named({ type: "content_block_stop", index: 2 }),
      named({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } }),
      named({ type: "message_stop" }),
    ],
    {
      messages: expect.arrayContaining([
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "I need the time", signature: "sig" },
            { type: "redacted_thinking", data: "xyz" },
            expect.objectContaining({ type: "tool_use", id: "c1" }),
          ],
        },
      ]),
    },
  ],
  [
    "openai_responses",
    "reasoning items with what is encrypted",
    [
      named({ type: "response.created", response: { id: "r", created_at: 1, model: "m" } }),
      named({
        type: "response.output_item.added",
        output_index: 0,
        item: { type: "reasoning", id: "rs_1", encrypted_content: "enc" },
      }),
      named({
        type: "response.output_item.done",
        output_index: 0,
        item: { type: "reasoning", id: "rs_1", encrypted_content: "enc" },
      }),
      named({
        type: "response.output_item.added",
        output_index: 1,
        item: { type: "function_call", id: "fc_1", call_id: "c1", name: "get_date_time", arguments: "" },
      }),
      named({
        type: "response.output_item.done",
        output_index: 1,
        item: {
          type: "function_call",
          id: "fc_1",
          call_id: "c1",
          name: "get_date_time",
          arguments: "{}",
          status: "completed",
        },
      }),
      named({ type: "response.completed", response: { usage } }),
    ],
    {
      store: false,
      input: expect.arrayContaining([
        expect.objectContaining({ type: "reasoning", encrypted_content: "enc" }),
        expect.objectContaining({ type: "function_call", call_id: "c1", name: "get_date_time" }),
      ]),
    },
  ],
  [
    "gemini_generate",
    "signatures of calls",
    [
      {
        data: {
          candidates: [
            {
              content: {
                role: "model",
                parts: [{ functionCall: { name: "get_date_time", args: {} }, thoughtSignature: "sig" }],
              },
              finishReason: "STOP",
            },
          ],
        },
      },
    ],
    {
      contents: expect.arrayContaining([
        expect.objectContaining({
          role: "model",
          parts: [
            expect.objectContaining({
              functionCall: expect.objectContaining({ name: "get_date_time" }),
              thoughtSignature: "sig",
            }),
          ],
        }),
      ]),
    },
  ],
];

const reasoningItem = (id: string) => ({ type: "reasoning", id, encrypted_content: `enc ${id}`, summary: [] });
/** Answers that arrive as a whole: protocol, name, first answer, and what the next request must contain of it. */
const WHOLE_CASES: readonly (readonly [string, string, object, unknown])[] = [
  [
    "openai_chat",
    "reasoning, details and extra content",
    {
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: null,
            reasoning: "I need the time",
            reasoning_details: [{ type: "reasoning.encrypted", data: "enc" }],
            tool_calls: [toolCall({ extra_content: { google: { thought_signature: "sig" } } })],
          },
        },
      ],
    },
    {
      messages: expect.arrayContaining([
        expect.objectContaining({
          reasoning: "I need the time",
          reasoning_details: [{ type: "reasoning.encrypted", data: "enc" }],
          tool_calls: [expect.objectContaining({ extra_content: { google: { thought_signature: "sig" } } })],
        }),
      ]),
    },
  ],
  [
    "anthropic_messages",
    "thinking between two calls",
    {
      type: "message",
      id: "m",
      model: "m",
      role: "assistant",
      stop_reason: "tool_use",
      usage,
      content: [
        { type: "thinking", thinking: "first", signature: "sig 1" },
        { type: "text", text: "Let me look." },
        { type: "redacted_thinking", data: "xyz" },
        { type: "tool_use", id: "c1", name: "get_date_time", input: {} },
      ],
    },
    {
      messages: expect.arrayContaining([
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "first", signature: "sig 1" },
            { type: "text", text: "Let me look." },
            { type: "redacted_thinking", data: "xyz" },
            expect.objectContaining({ type: "tool_use", id: "c1" }),
          ],
        },
      ]),
    },
  ],
  [
    "openai_responses",
    "two items of reasoning",
    {
      id: "r",
      created_at: 1,
      model: "m",
      usage,
      output: [
        reasoningItem("rs_1"),
        reasoningItem("rs_2"),
        {
          type: "function_call",
          id: "fc_1",
          call_id: "c1",
          name: "get_date_time",
          arguments: "{}",
          status: "completed",
        },
      ],
    },
    {
      input: expect.arrayContaining([
        expect.objectContaining({ type: "reasoning", encrypted_content: "enc rs_1" }),
        expect.objectContaining({ type: "reasoning", encrypted_content: "enc rs_2" }),
        expect.objectContaining({ type: "function_call", call_id: "c1" }),
      ]),
    },
  ],
  [
    "gemini_generate",
    "signatures of a thought, a text and a call",
    {
      candidates: [
        {
          finishReason: "STOP",
          content: {
            role: "model",
            parts: [
              { text: "thinking", thought: true, thoughtSignature: "sig 1" },
              { text: "Let me look.", thoughtSignature: "sig 2" },
              { functionCall: { name: "get_date_time", args: {} }, thoughtSignature: "sig 3" },
            ],
          },
        },
      ],
    },
    {
      contents: expect.arrayContaining([
        expect.objectContaining({
          role: "model",
          parts: [
            expect.objectContaining({ thought: true, thoughtSignature: "sig 1" }),
            expect.objectContaining({ text: "Let me look.", thoughtSignature: "sig 2" }),
            expect.objectContaining({ thoughtSignature: "sig 3" }),
          ],
        }),
      ]),
    },
  ],
];

describe("provider data for the result of a tool", () => {
  it.each([
    ...CASES.map(([protocol, what, events, expected]) => [protocol, what, { events }, true, expected] as const),
    ...WHOLE_CASES.map(([protocol, what, body, expected]) => [protocol, what, { body }, false, expected] as const),
  ])("%s: %s", async (protocol, _what, given, isStreamed, expected) => {
    await using server = await startReplayServer([given, { status: 401, body: { error: { message: "enough" } } }]);
    await using app = await startModels();
    const model = { name: "M", model: "m", protocol, base_url: server.address, api_key: "sk-1234567890" };
    await app.call("POST /api/ai-models", { body: model });
    const asked: LanguageModelV4Prompt = [{ role: "user", content: [{ type: "text", text: "What time is it?" }] }];
    const ask = (messages: LanguageModelV4Prompt): Promise<ModelAnswer> =>
      app.get(ModelCalls).ask({
        purpose: "chat",
        messages,
        tools: [{ type: "function", name: "get_date_time", inputSchema: { type: "object", properties: {} } }],
        isStreamed,
        signal: new AbortController().signal,
      }).answer;
    const first = await ask(asked);
    const [call] = first.toolCalls;
    expect(call).toMatchObject({ name: "get_date_time" });
    const result = {
      type: "tool-result",
      toolCallId: call?.id ?? "",
      toolName: "get_date_time",
      output: { type: "text", value: "noon" },
    } as const;
    await ask([
      ...asked,
      { role: "assistant", content: [...(first.content ?? [])] },
      { role: "tool", content: [result] },
    ]);
    expect(JSON.parse(server.calls[1]?.raw.toString() ?? "{}")).toMatchObject(expected as object);
  });

  it("is not sent to another model", async () => {
    const enough = { status: 401, body: { error: { message: "enough" } } };
    await using server = await startReplayServer([{ events: CASES[0]?.[2] ?? [] }, enough]);
    await using app = await startModels();
    const ids: string[] = [];
    for (const model of ["first", "second"]) {
      const body = { name: model, model, base_url: server.address };
      ids.push((await app.call<{ id: string }>("POST /api/ai-models", { body })).id);
    }
    const ask = (onlyModelId: string, messages: LanguageModelV4Prompt): Promise<ModelAnswer> =>
      app
        .get(ModelCalls)
        .ask({ purpose: "chat", messages, onlyModelId, isStreamed: true, signal: new AbortController().signal }).answer;
    const asked: LanguageModelV4Prompt = [{ role: "user", content: [{ type: "text", text: "What time is it?" }] }];
    const { content = [] } = await ask(ids[0] ?? "", asked);
    await ask(ids[1] ?? "", [...asked, { role: "assistant", content: [...content] }]);
    const { messages } = JSON.parse(server.calls[1]?.raw.toString() ?? "{}");
    expect(messages[1]).toMatchObject({ role: "assistant", tool_calls: [{ id: "c1" }] });
    expect(messages[1]).not.toHaveProperty("reasoning_content");
  });

  it("is not contained in a turn recording", async () => {
    const events = CASES[0]?.[2] ?? [];
    await using server = await startReplayServer([{ events }]);
    await using app = await startModels();
    await app.call("POST /api/ai-models", { body: { name: "M", model: "m", base_url: server.address } });
    const stored: unknown[] = [];
    const { answer } = app.get(ModelCalls).ask({
      purpose: "chat",
      messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
      tools: [{ type: "function", name: "get_date_time", inputSchema: { type: "object", properties: {} } }],
      isStreamed: true,
      turn: {
        trace() {},
        record() {},
        async external(call) {
          const given = await call.ask();
          stored.push(given);
          return given;
        },
      },
      signal: new AbortController().signal,
    });
    expect((await answer).content).toContainEqual({ type: "reasoning", text: "I need the time" });
    expect(stored).toHaveLength(1);
    expect(stored[0]).not.toHaveProperty("content");
  });
});
