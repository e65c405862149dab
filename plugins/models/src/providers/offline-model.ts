import { setTimeout as wait } from "node:timers/promises";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { inLanguage, type Language, type Localized, type ModelProtocol } from "@parley/core";
import { truncateWithEllipsis } from "@parley/core/channels";
import { parseJsonObject } from "@parley/core/json";
import { localEmbedding } from "./local-embedding.ts";

const TOOL_PROMPT = /^\/tool\s+([\w-]{1,64})\s*([\s\S]*)$/;
const CHINESE = /\p{Script=Han}/u;
/** Instructions that the service adds to the user's text. */
const NOTE = /<instructions>\n.*?\n<\/instructions>/gs;
const LETTER = /\p{L}/u;
const MAX_QUOTE = 500;
const DENIED: Localized = { en: "it was not approved", zh: "未获批准" };

type Answer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool"; readonly name: string; readonly input: string; readonly id: string };

/** Creates the protocol of the model without key and network. `wordMs` slows its words down for demonstrations. */
export function createOfflineProtocol(wordMs: number): ModelProtocol {
  return {
    id: "offline",
    name: "Offline companion",
    purposes: ["chat", "embedding"],
    defaultBaseUrl: "",
    keyVariable: "",
    supports: { stream: true, tools: true, reasoning: false, vision: false },
    open: () => ({ language: createOfflineModel(wordMs), embedding: localEmbedding }),
  };
}

/** Creates a model that answers deterministically without a provider; it calls a tool for `/tool name {…}`. */
export function createOfflineModel(wordMs = 0): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "offline",
    modelId: "offline",
    supportedUrls: {},
    async doGenerate(options) {
      const answer = createAnswer(options);
      return {
        content: [toContent(answer)],
        finishReason: toFinishReason(answer),
        usage: toUsage(options.prompt, answer),
        warnings: [],
      };
    },
    async doStream(options) {
      return { stream: ReadableStream.from(streamAnswer(options, wordMs)) };
    },
  };
}

async function* streamAnswer(
  options: LanguageModelV4CallOptions,
  wordMs: number,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const answer = createAnswer(options);
  yield { type: "stream-start", warnings: [] };
  if (answer.kind === "tool") {
    yield { type: "tool-call", toolCallId: answer.id, toolName: answer.name, input: answer.input };
  } else {
    yield { type: "text-start", id: "text" };
    for (const delta of wordMs > 0 ? splitWords(answer.text) : splitSentences(answer.text)) {
      options.abortSignal?.throwIfAborted();
      if (wordMs > 0) await wait(wordMs, undefined, options.abortSignal ? { signal: options.abortSignal } : {});
      yield { type: "text-delta", id: "text", delta };
    }
    yield { type: "text-end", id: "text" };
  }
  yield { type: "finish", finishReason: toFinishReason(answer), usage: toUsage(options.prompt, answer) };
}

function createAnswer({ prompt, tools = [] }: LanguageModelV4CallOptions): Answer {
  const last = prompt.at(-1);
  const question = prompt.findLast(({ role }) => role === "user") as UserMessage | undefined;
  const userText = joinText(question?.content ?? [])
    .replaceAll(NOTE, "")
    .trim();
  const [, tool, args = ""] = TOOL_PROMPT.exec(userText) ?? [];
  const isChinese =
    CHINESE.test(userText) || ((tool !== undefined || !LETTER.test(userText)) && prefersChinese(prompt));
  const toTextAnswer = (texts: Localized): Answer => ({
    kind: "text",
    text: inLanguage(texts, isChinese ? "zh" : "en"),
  });
  if (last?.role === "tool") return toTextAnswer(toResultText(last.content));
  if (tool === undefined) return toTextAnswer(toEchoText(findCharacterName(prompt), userText));
  const names = tools.map((one) => one.name);
  if (!names.includes(tool)) return toTextAnswer(toUnknownToolText(tool, names));
  if (!parseJsonObject(args || "{}")) {
    return toTextAnswer({
      en: `The arguments of /tool ${tool} are not a JSON object.`,
      zh: `/tool ${tool} 的参数不是 JSON 对象。`,
    });
  }
  return { kind: "tool", name: tool, input: args || "{}", id: `call_offline_${prompt.length}` };
}

function toEchoText(name: string, userText: string): Localized {
  const quote = truncateWithEllipsis(userText, MAX_QUOTE);
  const en = `I am ${name}, speaking as the offline companion: no model is set up yet, so I can only repeat what you say.`;
  const zh = `我是${name}，离线伙伴：目前还没有配置任何 AI 模型，所以我只能复述你的话。`;
  return quote === "" ? { en, zh } : { en: `${en} You said: "${quote}"`, zh: `${zh}你说的是：“${quote}”` };
}

function toUnknownToolText(tool: string, names: readonly string[]): Localized {
  const all = names.join(", ");
  return {
    en: `I have no tool named ${tool}. ${names.length === 0 ? "There are no tools here." : `There are: ${all}.`}`,
    zh: `没有名为 ${tool} 的工具。${names.length === 0 ? "这里没有工具。" : `可用的工具：${all}。`}`,
  };
}

type UserMessage = Extract<LanguageModelV4Prompt[number], { role: "user" }>;
type ToolContent = Extract<LanguageModelV4Prompt[number], { role: "tool" }>["content"];

function toResultText(content: ToolContent): Localized {
  const lines = content.flatMap((part): readonly Localized[] => {
    if (part.type !== "tool-result") return [];
    const { toolName, output } = part;
    const value = "value" in output ? output.value : (output.reason ?? DENIED);
    const formatValue = (language: Language) =>
      value === DENIED ? inLanguage(DENIED, language) : typeof value === "string" ? value : JSON.stringify(value);
    const isError = output.type.startsWith("error") || output.type === "execution-denied";
    return [
      {
        en: `The tool ${toolName} ${isError ? "failed" : "answered"}: ${formatValue("en")}`,
        zh: `工具 ${toolName} ${isError ? "失败" : "的结果"}：${formatValue("zh")}`,
      },
    ];
  });
  return { en: lines.map(({ en }) => en).join("\n"), zh: lines.map(({ zh }) => zh).join("\n") };
}

// The prompt names the reader's language in this form; see the layers of plugin-chat.
function prefersChinese(prompt: LanguageModelV4Prompt): boolean {
  return prompt.some(
    ({ role, content }) => role === "system" && content.includes("where it does not tell, in Chinese."),
  );
}

function findCharacterName(prompt: LanguageModelV4Prompt): string {
  for (const message of prompt) {
    const name = message.role === "system" ? /You speak as "([^"\n]{1,100})"/.exec(message.content)?.[1] : undefined;
    if (name) return name;
  }
  return "Parley";
}

function joinText(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((part) => part.text ?? "").join("\n");
}

function toContent(answer: Answer): LanguageModelV4Content {
  if (answer.kind === "text") return { type: "text", text: answer.text };
  return { type: "tool-call", toolCallId: answer.id, toolName: answer.name, input: answer.input };
}

function toFinishReason({ kind }: Answer): LanguageModelV4FinishReason {
  return { unified: kind === "tool" ? "tool-calls" : "stop", raw: undefined };
}

function toUsage(prompt: LanguageModelV4Prompt, answer: Answer): LanguageModelV4Usage {
  const input = prompt.reduce((sum, { content }) => {
    const text =
      typeof content === "string" ? content : joinText(content as readonly { type: string; text?: string }[]);
    return sum + countWords(text);
  }, 0);
  const output = answer.kind === "text" ? countWords(answer.text) : 1;
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}

const WORD = /\p{Script=Han}|[\p{L}\p{N}]+/gu;

/** Counts words; each Chinese character counts as one. */
function countWords(text: string): number {
  let count = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) count += 1;
  return count;
}

/** Splits a text into sentences, which is cheaper than words and enough for streaming. */
function splitSentences(text: string): readonly string[] {
  return text.match(/[^.!?。！？]+[.!?。！？]*\s*|[.!?。！？]+\s*/gu) ?? [];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Splits a text into words; punctuation and spaces stay with the word before. */
function splitWords(text: string): readonly string[] {
  const pieces: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike || pieces.length === 0) pieces.push(segment);
    else pieces.push(`${pieces.pop()}${segment}`);
  }
  return pieces;
}
