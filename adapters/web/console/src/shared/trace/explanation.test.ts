import { expect, test } from "vitest";
import { toExplanation } from "./explanation.ts";

type Row = Parameters<typeof toExplanation>[0]["events"][number];

const event = (status: string, atMs: number, metadata: object = {}) =>
  ({ status, metadata, created_at: new Date(Date.UTC(2026, 10, 22) + atMs).toISOString() }) as Row;

test("a reply is explained by the trace of the run that produced it", () => {
  const explanation = toExplanation({
    events: [
      event("received", 0),
      event("dispatched", 40),
      event("dispatched", 41, { what: "prompt", parts: [{ key: "old", source: "x", length: 1, tokens: 1 }] }),
      event("dispatched", 50, {
        what: "prompt",
        parts: [
          { key: "global.safety", source: "chat.safety", length: 400, tokens: 100 },
          { key: "world_book", source: "world-books.lore", length: 1200, tokens: 300 },
        ],
        left_out: [{ key: "app.behavior", why: "switched off in the session" }],
      }),
      event("dispatched", 51, { what: "memory", memories: [{ id: "mem_1", score: 0.81, text: "likes pears" }] }),
      event("dispatched", 52, {
        what: "knowledge",
        passages: [{ number: 1, doc_id: "d", title: "Pears", score: 0.4, text: "…" }],
      }),
      event("dispatched", 53, {
        what: "world_book",
        injected: [{ entry_id: "e", name: "Lighthouse", score: 1, sources: ["user"], keywords: ["user:0-5 light"] }],
      }),
      event("model_selected", 54, { model_name: "First", message: "First answers" }),
      event("model_failover", 60, { model_name: "First", category: "auth", message: "First gives no answer: 401" }),
      event("model_selected", 61, { model_name: "Second", message: "Second answers" }),
      event("dispatched", 70, {
        ...{ what: "model", call: 1, model: "m", ms: 9, input_tokens: 500, output_tokens: 20, cost: 0.01 },
        ...{ history: 7, history_left_out: 3, tools_offered: 2, tool_names: "roll_dice, look_up" },
      }),
      event("dispatched", 71, { what: "tool", name: "roll_dice", status: "ok", ms: 3 }),
      event("model_selected", 75, { model_name: "Namer", message: "Namer answers" }),
      event("filtered", 80, { what: "filter", side: "ai", actions: { rule_1: "strip" } }),
      event("built", 90, { what: "times", phases: { context: 8, answer: 22 } }),
    ],
    deliveries: [],
  });
  expect(explanation).toMatchObject({
    promptParts: [
      { key: "global.safety", tokens: 100, share: 0.25 },
      { key: "world_book", tokens: 300, share: 0.75 },
    ],
    omittedParts: [{ key: "app.behavior", why: "switched off in the session" }],
    history: { included: 7, omitted: 3 },
    tools: { offered: 2, names: "roll_dice, look_up" },
    toolCalls: [{ name: "roll_dice", status: "ok", ms: 3 }],
    memories: [{ id: "mem_1", score: 0.81, text: "likes pears" }],
    passages: [{ title: "[1] Pears", score: 0.4 }],
    lore: [{ title: "Lighthouse", score: 1, why: "user, user:0-5 light" }],
    models: [
      { kind: "asked", model: "First" },
      { kind: "failed", model: "First", why: "First gives no answer: 401" },
      { kind: "asked", model: "Second" },
      { kind: "answered", model: "m", ms: 9, input: 500, output: 20, cost: 0.01 },
    ],
    times: [
      { phase: "waited", ms: 40 },
      { phase: "context", ms: 8 },
      { phase: "answer", ms: 22 },
    ],
    filters: [{ side: "ai", rule: "rule_1", action: "strip" }],
  });
});

test("a failed call is not shown as an answer with zero tokens", () => {
  const failed = { what: "model", call: 1, model: "m", ms: 12, input_tokens: 0, output_tokens: 0, ending: "failed" };
  const { models } = toExplanation({
    events: [event("model_selected", 1, { model_name: "m" }), event("dispatched", 2, failed)],
    deliveries: [],
  });
  expect(models).toMatchObject([{ kind: "asked" }, { kind: "failed", model: "m", ms: 12, why: "" }]);
});

test("a reply without stored data has no explanation", () => {
  expect(toExplanation({ events: [], deliveries: [] })).toEqual({
    ...{
      promptParts: [],
      omittedParts: [],
      history: undefined,
      tools: { offered: 0, names: "" },
      toolCalls: [],
      memories: [],
    },
    ...{ passages: [], lore: [], models: [], times: [], filters: [], deliveries: [] },
  });
});
