import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { createOfflineModel } from "./offline-model.ts";

const model = createOfflineModel();
const tools: LanguageModelV4FunctionTool[] = [{ type: "function", name: "roll_dice", inputSchema: { type: "object" } }];
const system: LanguageModelV4Message = { role: "system", content: 'You speak as "Mia".' };
const says = (text: string): LanguageModelV4Prompt => [system, { role: "user", content: [{ type: "text", text }] }];

const answer = async (prompt: LanguageModelV4Prompt) => (await model.doGenerate({ prompt, tools })).content[0];

describe("the offline model", () => {
  it("introduces itself, in the character's name", async () => {
    expect(await answer(says("hello"))).toEqual({
      type: "text",
      text: expect.stringMatching(/^I am Mia, speaking as the offline companion.*"hello"$/),
    });
  });

  it("answers Chinese in Chinese", async () => {
    expect(await answer(says("你好"))).toMatchObject({ text: expect.stringMatching(/^我是Mia，离线伙伴/) });
  });

  it.each([
    ["word", createOfflineModel(1), 10],
    ["sentence", model, 1],
  ])("streams pieces of a %s that make the same text", async (_, streaming, atLeast) => {
    const { stream } = await streaming.doStream({ prompt: says("one two, three") });
    const deltas = (await Array.fromAsync(stream)).flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));
    expect(deltas.length).toBeGreaterThan(atLeast);
    expect({ type: "text", text: deltas.join("") }).toEqual(await answer(says("one two, three")));
  });

  it("calls the tool it is asked to call", async () => {
    expect(await answer(says('/tool roll_dice {"dice": 2}'))).toMatchObject({
      type: "tool-call",
      toolName: "roll_dice",
      input: '{"dice": 2}',
    });
  });

  it.each([
    ["there is no such tool", "/tool fly {}", /no tool named fly.*roll_dice/],
    ["the arguments are not JSON", "/tool roll_dice two", /not a JSON object/],
  ])("explains when %s", async (_, text, expected) => {
    expect(await answer(says(text))).toMatchObject({ type: "text", text: expect.stringMatching(expected) });
  });

  it("reports the result of the tool", async () => {
    const output = { type: "text", value: '{"sum":7}' } as const;
    const result = { type: "tool-result", toolCallId: "c", toolName: "roll_dice", output } as const;
    expect(await answer([...says("/tool roll_dice"), { role: "tool", content: [result] }])).toMatchObject({
      text: 'The tool roll_dice answered: {"sum":7}',
    });
  });

  it.each([
    ["a tool that there is not", "/tool fly {}", /^没有名为 fly 的工具。可用的工具：roll_dice。$/],
    ["arguments that are none", "/tool roll_dice two", /^\/tool roll_dice 的参数不是 JSON 对象。$/],
    ["a message without a word", "🙂", /^我是Mia/],
    ["words of another language", "hello", /^I am Mia/],
  ])("explains %s to a reader of Chinese", async (_, text, expected) => {
    const reader: LanguageModelV4Message = { role: "system", content: "Answer …; where it does not tell, in Chinese." };
    expect(await answer([reader, ...says(text)])).toMatchObject({ text: expect.stringMatching(expected) });
    const output = { type: "error-text", value: "no" } as const;
    const result = { type: "tool-result", toolCallId: "c", toolName: "roll_dice", output } as const;
    const failed = await answer([reader, ...says("/tool roll_dice"), { role: "tool", content: [result] }]);
    expect(failed).toMatchObject({ text: "工具 roll_dice 失败：no" });
  });

  it("stops when it is aborted", async () => {
    const { stream } = await model.doStream({ prompt: says("hello"), abortSignal: AbortSignal.abort() });
    await expect(Array.fromAsync(stream)).rejects.toThrow();
  });
});
