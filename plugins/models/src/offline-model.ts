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
import type { ModelProtocol } from "@parley/core";
import { localEmbedding } from "./calls/local-embedding.ts";

const TOOL_PROMPT = /^\/tool\s+([\w-]{1,64})\s*([\s\S]*)$/;
const CHINESE = /\p{Script=Han}/u;
/** What the service says beside the user's words. */
const NOTE = /<instructions>\n.*?\n<\/instructions>/gs;
const MAX_QUOTE = 500;

type Answer =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tool"; readonly name: string; readonly input: string; readonly id: string };

/** The protocol of the model that needs no key and no network. `wordMs` slows its words down, for demonstrations. */
export function offlineProtocol(wordMs: number): ModelProtocol {
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

/** The same answer for the same prompt. Says what it is, and calls a tool when a message is `/tool name {…}`. */
export function createOfflineModel(wordMs = 0): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "offline",
    modelId: "offline",
    supportedUrls: {},
    async doGenerate(options) {
      const answer = answerTo(options);
      return {
        content: [contentOf(answer)],
        finishReason: reasonOf(answer),
        usage: usageOf(options.prompt, answer),
        warnings: [],
      };
    },
    async doStream(options) {
      return { stream: ReadableStream.from(partsOf(options, wordMs)) };
    },
  };
}

async function* partsOf(
  options: LanguageModelV4CallOptions,
  wordMs: number,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const answer = answerTo(options);
  yield { type: "stream-start", warnings: [] };
  if (answer.kind === "tool") {
    yield { type: "tool-call", toolCallId: answer.id, toolName: answer.name, input: answer.input };
  } else {
    yield { type: "text-start", id: "text" };
    for (const delta of wordMs > 0 ? words(answer.text) : lines(answer.text)) {
      options.abortSignal?.throwIfAborted();
      if (wordMs > 0) await wait(wordMs, undefined, options.abortSignal ? { signal: options.abortSignal } : {});
      yield { type: "text-delta", id: "text", delta };
    }
    yield { type: "text-end", id: "text" };
  }
  yield { type: "finish", finishReason: reasonOf(answer), usage: usageOf(options.prompt, answer) };
}

function answerTo({ prompt, tools = [] }: LanguageModelV4CallOptions): Answer {
  const last = prompt.at(-1);
  const name = nameIn(prompt);
  if (last?.role === "tool") return { kind: "text", text: resultText(last.content) };
  const said = last?.role === "user" ? textOf(last.content).replaceAll(NOTE, "").trim() : "";
  const [, tool, args = ""] = TOOL_PROMPT.exec(said) ?? [];
  if (tool === undefined) return { kind: "text", text: smallTalk(name, said) };
  const names = tools.map((one) => one.name);
  if (!names.includes(tool)) return { kind: "text", text: unknownTool(tool, names) };
  if (!isJsonObject(args || "{}"))
    return { kind: "text", text: `The arguments of /tool ${tool} are not a JSON object.` };
  return { kind: "tool", name: tool, input: args || "{}", id: `call_offline_${prompt.length}` };
}

function smallTalk(name: string, said: string): string {
  const quote = said.length > MAX_QUOTE ? `${said.slice(0, MAX_QUOTE)}…` : said;
  if (CHINESE.test(said)) {
    return `我是${name}，离线伴侣：目前还没有配置任何 AI 模型，所以我只能复述你的话。你说的是：“${quote}”`;
  }
  const intro = `I am ${name}, speaking as the offline companion: no AI model is set up yet, so I can only repeat what you say.`;
  return quote === "" ? intro : `${intro} You said: "${quote}"`;
}

function unknownTool(tool: string, names: readonly string[]): string {
  const offer = names.length === 0 ? "There are no tools here." : `There are: ${names.join(", ")}.`;
  return `I have no tool named ${tool}. ${offer}`;
}

type ToolContent = Extract<LanguageModelV4Prompt[number], { role: "tool" }>["content"];

function resultText(content: ToolContent): string {
  return content
    .flatMap((part) => {
      if (part.type !== "tool-result") return [];
      const { output } = part;
      const value = "value" in output ? output.value : (output.reason ?? "it was not allowed to run");
      const shown = typeof value === "string" ? value : JSON.stringify(value);
      const isError = output.type.startsWith("error") || output.type === "execution-denied";
      return [`The tool ${part.toolName} ${isError ? "failed" : "answered"}: ${shown}`];
    })
    .join("\n");
}

// The prompt names its character in this form; see plugin-chat's layers.
function nameIn(prompt: LanguageModelV4Prompt): string {
  for (const message of prompt) {
    const name = message.role === "system" ? /You speak as "([^"\n]{1,100})"/.exec(message.content)?.[1] : undefined;
    if (name) return name;
  }
  return "Parley";
}

function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((part) => part.text ?? "").join("\n");
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function contentOf(answer: Answer): LanguageModelV4Content {
  if (answer.kind === "text") return { type: "text", text: answer.text };
  return { type: "tool-call", toolCallId: answer.id, toolName: answer.name, input: answer.input };
}

function reasonOf({ kind }: Answer): LanguageModelV4FinishReason {
  return { unified: kind === "tool" ? "tool-calls" : "stop", raw: undefined };
}

function usageOf(prompt: LanguageModelV4Prompt, answer: Answer): LanguageModelV4Usage {
  const input = prompt.reduce((sum, { content }) => {
    const text = typeof content === "string" ? content : textOf(content as readonly { type: string; text?: string }[]);
    return sum + countWords(text);
  }, 0);
  const output = answer.kind === "text" ? countWords(answer.text) : 1;
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}

const WORD = /\p{Script=Han}|[\p{L}\p{N}]+/gu;

/** Chinese is counted by character. */
function countWords(text: string): number {
  let count = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) count += 1;
  return count;
}

/** Sentences that join to the text again: said at once, word by word would only make work. */
function lines(text: string): readonly string[] {
  return text.match(/[^.!?。！？]+[.!?。！？]*\s*|[.!?。！？]+\s*/gu) ?? [];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Word-size pieces that join to the text again; punctuation and spaces stay with the word before. */
function words(text: string): readonly string[] {
  const pieces: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike || pieces.length === 0) pieces.push(segment);
    else pieces.push(`${pieces.pop()}${segment}`);
  }
  return pieces;
}
