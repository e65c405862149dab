import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Attachment, ChosenModel, Message, PromptPart, Turn } from "@parley/core";
import { dataBlock } from "./data-block.ts";
import { estimateTokens } from "./token-estimate.ts";

// What a message costs besides its text: its role and its borders.
const MESSAGE_OVERHEAD = 4;

export interface AssembleOptions {
  readonly model: Pick<ChosenModel, "parameters">;
  readonly tools: readonly LanguageModelV4FunctionTool[];
  /** Of the context, for history: 1, or less after a provider found the prompt too long. */
  readonly share: number;
}

type Said = { readonly role: "user" | "assistant"; readonly text: string };

/**
 * What the model is sent: one system message with the layers, then as much of the newest history as its context takes.
 * The summary of what was compressed and the last message always stay.
 */
export function assemblePrompt(turn: Turn, { model, tools, share }: AssembleOptions): LanguageModelV4Prompt {
  const { maxContextLength, maxTokens, systemPrompt } = model.parameters;
  const summary = turn.history.findLast(({ kind }) => kind === "summary")?.content ?? "";
  const system = systemText(systemPrompt, turn.prompt, summary);
  const answer = Math.min(maxTokens, maxContextLength / 2);
  const fixed = estimateTokens(system) + estimateTokens(JSON.stringify(tools)) + MESSAGE_OVERHEAD;
  const said = newestThatFit(saidIn(turn), (maxContextLength - answer - fixed) * share);
  const messages: LanguageModelV4Prompt = said.map(({ role, text }) => ({ role, content: [{ type: "text", text }] }));
  return system === "" ? messages : [{ role: "system", content: system }, ...messages];
}

function systemText(modelPrompt: string, parts: readonly PromptPart[], summary: string): string {
  const layers = [...parts]
    .sort((a, b) => a.priority - b.priority)
    .map(({ key, text, isData }) => (isData ? dataBlock(key, text) : text));
  const earlier = summary === "" ? "" : `What was said before, in short:\n${dataBlock("summary", summary)}`;
  return [modelPrompt, ...layers, earlier].filter((text) => text.trim() !== "").join("\n\n");
}

function saidIn(turn: Turn): readonly Said[] {
  const said = turn.history.filter(isShown).map((message) => toSaid(message, turn));
  if (said.at(-1)?.role === "user") return said;
  const text = withAttachments(turn.text, turn.attachments);
  return text === "" ? said : [...said, { role: "user", text: named(text, turn.inbound.sender.name, turn) }];
}

// Commands and notices are between people and the service.
function isShown({ kind, role, content, attachments }: Message): boolean {
  return kind === "normal" && role !== "system" && (content !== "" || attachments.length > 0);
}

function toSaid({ role, content, attachments, sender }: Message, turn: Turn): Said {
  const text = withAttachments(content, attachments);
  return role === "assistant" ? { role, text } : { role: "user", text: named(text, sender, turn) };
}

function named(text: string, sender: string, { inbound }: Turn): string {
  return inbound.conversation.isGroup && sender !== "" ? `${sender}: ${text}` : text;
}

function withAttachments(text: string, attachments: readonly Attachment[]): string {
  const notes = attachments.map(({ type, name }) => `[${type}${name ? `: ${name}` : ""}]`);
  return [text, ...notes].filter((line) => line !== "").join("\n");
}

function newestThatFit(said: readonly Said[], budget: number): readonly Said[] {
  let left = budget;
  let first = said.length - 1;
  for (let index = said.length - 1; index >= 0; index -= 1) {
    left -= estimateTokens(said[index]?.text ?? "") + MESSAGE_OVERHEAD;
    if (left < 0 && index < said.length - 1) break;
    first = index;
  }
  const kept = said.slice(Math.max(first, 0));
  // History is cut by whole turns, and some providers take no conversation that begins with an answer.
  if (kept[0]?.role !== "assistant") return kept;
  return first > 0 ? kept.slice(1) : [{ role: "user", text: "(The conversation begins.)" }, ...kept];
}
