import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelAnswer, ModelCalls } from "@parley/core";
import { type RecordedAnswer, type ReplayServer, startReplayServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelView } from "./records/schema.ts";
import { type StartedModels, startModels } from "./test-setup.ts";

// Sends recorded provider responses, which follow the published protocols, over real HTTP and checks how they are read.

interface Sample {
  readonly about: string;
  /** True to request the answer without streaming. */
  readonly whole?: true;
  readonly answer: RecordedAnswer;
  readonly gives: {
    readonly text?: string;
    readonly thinking?: string;
    readonly ending: ModelAnswer["ending"];
    readonly tools?: readonly (readonly [name: string, input: string])[];
    readonly tokens?: readonly [input: number, output: number];
    readonly category?: string;
    readonly status?: number;
  };
}

const PROTOCOLS = ["openai_chat", "openai_responses", "anthropic_messages", "gemini_generate"] as const;

const samplesOf = (protocol: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../samples", `${protocol}.json`), "utf8")) as Sample[];

describe.each(PROTOCOLS)("%s", (protocol) => {
  let server: ReplayServer;
  let app: StartedModels;

  beforeAll(async () => {
    [server, app] = await Promise.all([startReplayServer(), startModels()]);
    const body = { name: "Recorded", model: "m", protocol, base_url: server.address, api_key: "sk-recorded" };
    await app.call<ModelView>("POST /api/ai-models", { body });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test.each(samplesOf(protocol).map((sample) => [sample.about, sample] as const))("%s", async (_, sample) => {
    server.answers.splice(0, server.answers.length, sample.answer);
    await app.call("POST /api/ai-models/failover-reset");
    const call = app.get(ModelCalls).ask({
      purpose: "chat",
      messages: [{ role: "user", content: [{ type: "text", text: "Say something." }] }],
      tools: [{ type: "function", name: "look_up", inputSchema: { type: "object", properties: {} } }],
      isStreamed: !sample.whole,
      isOnce: true,
      signal: AbortSignal.timeout(5000),
    });
    let streamed = "";
    for await (const part of call.parts) if (part.type === "text") streamed += part.text;
    const { text, thinking, ending, toolCalls, usage, failure } = await call.answer;
    const { gives } = sample;
    const seen = {
      text,
      ending,
      ...(gives.thinking !== undefined && { thinking }),
      ...(gives.tools && { tools: toolCalls.map(({ name, input }) => [name, input]) }),
      ...(gives.tokens && { tokens: [usage.input_tokens, usage.output_tokens] }),
      ...(failure && { category: failure.category }),
      ...(gives.status !== undefined && { status: failure?.statusCode }),
    };
    expect(seen).toEqual({ text: "", ...gives });
    expect(streamed).toBe(text);
  });
});
