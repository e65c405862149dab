import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, it, test } from "vitest";
import { toWellFormed } from "./well-formed.ts";

type Message = LanguageModelV4Prompt[number];
const PROTOCOLS = ["openai_chat", "openai_responses", "anthropic_messages", "gemini_generate"];
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const says = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });
const calls = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "t", input: {} })),
});
const result = (toolCallId: string, value = "ok"): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "t", output: { type: "text", value } }],
});
const picture = (toolCallId: string): Message => ({
  role: "tool",
  content: [
    {
      type: "tool-result",
      toolCallId,
      toolName: "shot",
      output: {
        type: "content",
        value: [
          { type: "text", text: "a page" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([1]) } },
        ],
      },
    },
  ],
});

/** Creates a deterministic generator of createNumbers below 1. */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

function createRandomPrompt(seed: number): LanguageModelV4Prompt {
  const next = createNumbers(seed);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(next() * values.length)] as Value;
  const id = () => `c${Math.floor(next() * 4)}`;
  const text = () => pick(["hello", "", "  ", "half \ud83d of", "two\nlines"]);
  const kinds: readonly (() => Message)[] = [
    () => user(text()),
    () => says(text()),
    () => calls(id()),
    () => calls(id(), id()),
    () => result(id(), text()),
    () => picture(id()),
    () => ({ role: "system", content: text() }),
    () => ({ role: "assistant", content: [] }),
  ];
  return Array.from({ length: Math.floor(next() * 10) }, () => pick(kinds)());
}

const contentOf = ({ content }: Message) =>
  typeof content === "string" ? [] : (content as readonly { type: string }[]);

describe("any prompt", () => {
  test.each(PROTOCOLS)("is well-formed for %s", (protocol) => {
    for (let seed = 1; seed <= 2_000; seed += 1)
      checkForm(toWellFormed(createRandomPrompt(seed), protocol), `seed ${seed}`);
  });

  test.each(PROTOCOLS)("stays as it is once it is well-formed for %s", (protocol) => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const once = toWellFormed(createRandomPrompt(seed), protocol);
      expect(toWellFormed(once, protocol), `seed ${seed}`).toEqual(once);
    }
  });

  test("contains all that people wrote, in order", () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const words = Array.from({ length: 8 }, (_, index) => `word${index}`);
      const next = createNumbers(seed);
      const prompt = words.map((word) => (next() < 0.5 ? user(word) : says(word)));
      const all = JSON.stringify(toWellFormed(prompt, "openai_chat"));
      expect(
        [...all.matchAll(/word\d/g)].map(([word]) => word),
        `seed ${seed}`,
      ).toEqual(words);
    }
  });
});

function checkForm(prompt: LanguageModelV4Prompt, seed: string): void {
  const [first, ...others] = prompt;
  const talk = first?.role === "system" ? others : prompt;
  expect(
    talk.some(({ role }) => role === "system"),
    seed,
  ).toBe(false);
  if (talk.length === 0) return;
  expect(talk[0]?.role, seed).toBe("user");
  expect(talk.at(-1)?.role, seed).not.toBe("assistant");
  expect(JSON.stringify(prompt).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(prompt)), seed).toBe(true);
  for (const [index, message] of talk.entries()) {
    expect(contentOf(message).length, seed).toBeGreaterThan(0);
    if (message.role === "user" || message.role === "assistant")
      expect(talk[index - 1]?.role, seed).not.toBe(message.role);
    const asked = message.role === "assistant" ? idsIn(message, "tool-call") : [];
    const answers = talk[index + 1];
    if (asked.length > 0) expect(answers && idsIn(answers, "tool-result"), seed).toEqual(asked);
    if (message.role === "tool") expect(idsIn(talk[index - 1] as Message, "tool-call"), seed).not.toEqual([]);
  }
}

const idsIn = (message: Message, type: string) =>
  contentOf(message).flatMap((part) =>
    part.type === type ? [(part as unknown as { toolCallId: string }).toolCallId] : [],
  );

describe("a prompt", () => {
  it("after a turn that failed has one message of the user in a row", () => {
    expect(toWellFormed([user("first"), user("again")], "openai_chat")).toEqual([user("first\n\nagain")]);
  });

  it("has an answer for an unanswered call, and no result without a call", () => {
    const [, , answered] = toWellFormed([user("go"), calls("a"), result("b")], "openai_chat");
    expect(answered).toMatchObject({ role: "tool", content: [{ toolCallId: "a", output: { type: "error-text" } }] });
  });

  it("preserves signed parts of a provider", () => {
    const signed: Message = {
      role: "assistant",
      content: [{ type: "text", text: "", providerOptions: { google: { thoughtSignature: "s" } } }],
    };
    expect(toWellFormed([user("go"), signed, says("on"), user("so")], "gemini_generate")[1]).toEqual({
      role: "assistant",
      content: [...contentOf(signed), { type: "text", text: "on" }],
    });
  });

  it("moves the pictures of a tool into a user message when results are text", () => {
    const prompt = [user("go"), calls("a"), picture("a")];
    expect(toWellFormed(prompt, "openai_chat").slice(2)).toEqual([
      { role: "tool", content: [expect.objectContaining({ output: { type: "text", value: "a page" } })] },
      {
        role: "user",
        content: [
          { type: "text", text: "What the tool t returned:" },
          { type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([1]) } },
        ],
      },
    ]);
    expect(toWellFormed(prompt, "anthropic_messages")).toHaveLength(3);
  });
});
