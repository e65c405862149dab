import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider";
import {
  type Attachment,
  type ChosenModel,
  estimateTokens,
  isShared,
  type Message,
  type Picture,
  type PromptPart,
  type PromptPlace,
  type Turn,
  toDataBlock,
  turnData,
} from "@parley/core";
import { truncateWithEllipsis } from "@parley/core/channels";
import { TURN_PERSONA } from "@parley/core/characters";
import { type FileText, toFileBlock } from "../answer/file-texts.ts";

/** Maximum characters of a quoted message above its reply. */
const MAX_QUOTE_CHARS = 600;
// Tokens of a message besides its text: role and delimiters.
const MESSAGE_OVERHEAD = 4;
// Providers count a picture by its size; this is a large one.
const PICTURE_TOKENS = 1_500;
/** Number of steps in which a history that does not fit loses its oldest messages. */
const HISTORY_STEPS = 8;

export interface AssembleOptions {
  readonly model: Pick<ChosenModel, "parameters">;
  readonly tools: readonly LanguageModelV4FunctionTool[];
  /** Share of the context used for history: 1, or less after a provider found the prompt too long. */
  readonly share: number;
  /** Pictures shown to the model, by URL; others are only named. */
  readonly pictures?: ReadonlyMap<string, Picture>;
  /** Texts of files for the model, by URL. */
  readonly texts?: ReadonlyMap<string, FileText>;
}

/** Contents of a message's files. */
interface AttachmentContent {
  readonly pictures: ReadonlyMap<string, Picture>;
  readonly texts: ReadonlyMap<string, FileText>;
  /** Token limit for the texts of one message's files. */
  readonly maxTokens: number;
}

interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly pictures?: readonly Picture[];
}

/** Estimated tokens of a prompt before old messages were left out of it. */
export interface PromptSize {
  /** Tokens that the model takes beside its answer. */
  readonly room: number;
  /** Tokens of everything but the messages. */
  readonly fixed: number;
  readonly talk: number;
}
/** Size of a turn's prompt; other plugins read it. */
export const PROMPT_SIZE = turnData<PromptSize>("chat.prompt");

/** A prompt and the counts of included and omitted messages. */
export interface AssembledPrompt {
  readonly messages: LanguageModelV4Prompt;
  /** Count of included messages, with the last one; `omittedCount` did not fit. */
  readonly includedCount: number;
  readonly omittedCount: number;
  readonly size: PromptSize;
}

/**
 * Assembles the prompt: one system message, then as much of the newest history as fits the context, with the notes at
 * the user's message. The summary and the last message are always included.
 */
export function assemblePrompt(
  turn: Turn,
  { model, tools, share, pictures = new Map(), texts = new Map() }: AssembleOptions,
): AssembledPrompt {
  const { maxContextLength, maxTokens, systemPrompt } = model.parameters;
  const summary = turn.history.findLast(({ kind }) => kind === "summary")?.content ?? "";
  const deepParts = turn.prompt.filter(isDeep);
  const otherParts = turn.prompt.filter((part) => !deepParts.includes(part));
  const [before, after] = [toNote(otherParts, "before-user"), toNote(otherParts, "after-history")];
  const system = toSystemText(systemPrompt, otherParts, summary);
  const answerTokens = Math.min(maxTokens, maxContextLength / 2);
  const steadyTokens = countTokens([system, JSON.stringify(tools)]) + MESSAGE_OVERHEAD;
  const noteTokens = countTokens([before, after, ...deepParts.map(({ text }) => text)]);
  const talkTokens = (maxContextLength - answerTokens - steadyTokens) * share;
  const all = toPromptMessages(turn, { pictures, texts, maxTokens: talkTokens / 2 });
  const fitting = selectNewest(all, talkTokens - noteTokens * share, talkTokens / HISTORY_STEPS);
  const entries = appendNotes(insertDeepNotes(escapeAll(fitting), deepParts), before, after);
  const messages: LanguageModelV4Prompt = entries.map((one) => ({ role: one.role, content: toContent(one) }));
  const [first] = fitting;
  // The first message may be synthetic.
  const shownCount = first === undefined || all.includes(first) ? fitting.length : fitting.length - 1;
  return {
    messages: system === "" ? messages : [{ role: "system", content: system }, ...messages],
    includedCount: shownCount,
    omittedCount: all.length - shownCount,
    size: {
      room: steadyTokens + talkTokens,
      fixed: steadyTokens + noteTokens,
      talk: all.reduce((sum, message) => sum + countMessageTokens(message), 0),
    },
  };
}

function toContent({ text, pictures = [] }: PromptMessage): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  const seen = pictures.map(
    ({ mimeType: mediaType, bytes: data }) => ({ type: "file", mediaType, data: { type: "data", data } }) as const,
  );
  return [{ type: "text", text }, ...seen];
}

const countTokens = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + estimateTokens(text), 0);

function toSystemText(modelPrompt: string, promptParts: readonly PromptPart[], summary: string): string {
  const layers = listTexts(promptParts, "system");
  const earlier = summary === "" ? "" : `What was said before, in short:\n${toDataBlock("summary", summary)}`;
  return [modelPrompt, ...layers, earlier].filter((text) => text.trim() !== "").join("\n\n");
}

function listTexts(promptParts: readonly PromptPart[], wantedPlace: PromptPlace): readonly string[] {
  return promptParts
    .filter(({ place = "system" }) => place === wantedPlace)
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ key, text, isData }) => (isData ? toDataBlock(key, text) : text));
}

/** Joins prompt parts of a place to a note in the user's message, because not every provider accepts later system messages. */
function toNote(promptParts: readonly PromptPart[], place: PromptPlace): string {
  const texts = listTexts(promptParts, place);
  return texts.length === 0 ? "" : `<instructions>\n${texts.map(escapeInstructions).join("\n\n")}\n</instructions>`;
}

/** Inserts notes with a depth into the nearest message of their role, so that no role speaks twice in a row. */
function insertDeepNotes(
  messages: readonly PromptMessage[],
  deepParts: readonly PromptPart[],
): readonly PromptMessage[] {
  const talk = [...messages];
  // Inserted from the back, so that earlier positions stay valid.
  for (const part of deepParts.toSorted((a, b) => getDepth(a) - getDepth(b) || b.priority - a.priority)) {
    const { saidBy: role = "user", text } = part;
    const at = Math.max(0, messages.length - getDepth(part));
    const note = role === "user" ? toNote([part], "before-user") : text;
    const [here, before] = [talk[at], talk[at - 1]];
    if (here?.role === role) talk[at] = { ...here, text: `${note}\n\n${here.text}` };
    else if (before?.role === role) talk[at - 1] = { ...before, text: `${before.text}\n\n${note}` };
    else talk.splice(at, 0, { role, text: note });
  }
  return talk;
}

const getDepth = ({ depth = 1 }: PromptPart): number => depth;
const isDeep = ({ place, depth = 1, saidBy }: PromptPart): boolean =>
  place === "before-user" && (depth > 1 || saidBy !== undefined);

function appendNotes(messages: readonly PromptMessage[], before: string, after: string): readonly PromptMessage[] {
  if (before === "" && after === "") return messages;
  const last = messages.at(-1);
  const isFromUser = last?.role === "user";
  const text = [before, isFromUser ? last.text : "", after].filter((one) => one !== "").join("\n\n");
  return isFromUser ? [...messages.slice(0, -1), { ...last, text }] : [...messages, { role: "user", text }];
}

function escapeAll(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  return messages.map((one) => (one.role === "user" ? { ...one, text: escapeInstructions(one.text) } : one));
}

// Escapes other texts, so that they cannot be taken for the service's instructions.
function escapeInstructions(text: string): string {
  return text.replaceAll(/<(\/?)instructions\b/gi, "&lt;$1instructions");
}

function countMessageTokens({ text, pictures = [] }: PromptMessage): number {
  return estimateTokens(text) + pictures.length * PICTURE_TOKENS + MESSAGE_OVERHEAD;
}

function toPromptMessages(turn: Turn, shown: AttachmentContent): readonly PromptMessage[] {
  const messages = turn.history.filter(isVisible).map((message) => toPromptMessage(message, turn, shown));
  if (messages.at(-1)?.role === "user") return messages;
  const text = appendAttachments(turn.text, turn.attachments, shown);
  if (text === "") return messages;
  const seen = findPictures(turn.attachments, shown);
  return [...messages, { role: "user", text: prefixSender(text, turn.inbound.sender.name, turn), pictures: seen }];
}

function findPictures(attachments: readonly Attachment[], { pictures }: AttachmentContent): readonly Picture[] {
  return attachments.map(({ url }) => pictures.get(url)).filter((one) => one !== undefined);
}

// Commands and notices are between people and the service.
function isVisible({ kind, role, content, attachments }: Message): boolean {
  return kind === "normal" && role !== "system" && (content.trim() !== "" || attachments.length > 0);
}

function toPromptMessage(
  { role, content, attachments, sender, reply_to, character_id }: Message,
  turn: Turn,
  shown: AttachmentContent,
): PromptMessage {
  const own = appendAttachments(content, attachments, shown);
  if (isOfOther(character_id, turn)) return { role: "user", text: `${sender}: ${own}` };
  if (role === "assistant") return { role, text: own };
  const text = prependQuote(own, reply_to, turn);
  return { role: "user", text: prefixSender(text, sender, turn), pictures: findPictures(attachments, shown) };
}

/** True for a line of another character, which must not look like the model's own words. */
function isOfOther(characterId: string | null, { session }: Turn): boolean {
  return characterId !== null && characterId !== session.character_id && isShared(session);
}

/** Quotes the beginning of the message that this one answers, as in an e-mail. */
function prependQuote(text: string, replyTo: string | null, { history }: Turn): string {
  const quotedMessage = replyTo ? history.find(({ id }) => id === replyTo)?.content.trim() : "";
  if (!quotedMessage) return text;
  const beginning = truncateWithEllipsis(quotedMessage, MAX_QUOTE_CHARS);
  return `${beginning.replaceAll(/^/gm, "> ")}\n\n${text}`;
}

function prefixSender(text: string, sender: string, turn: Turn): string {
  const { isGroup } = turn.inbound.conversation;
  if (!isGroup && !isShared(turn.session)) return text;
  const name = isGroup ? sender : (TURN_PERSONA.of(turn)?.name ?? sender);
  return name === "" ? text : `${name}: ${text}`;
}

function appendAttachments(
  text: string,
  attachments: readonly Attachment[],
  { texts, maxTokens }: AttachmentContent,
): string {
  let remainingTokens = Math.max(0, maxTokens);
  const notes = attachments.map((attachment) => {
    const { type, name, url } = attachment;
    const found = texts.get(url);
    if (!found)
      return (
        toAudioNote(attachment) ??
        `[${type}${name ? `: ${name}` : ""}${type === "file" ? ", of which you see only the name" : ""}]`
      );
    const note = toFileBlock(attachment, found, remainingTokens);
    remainingTokens = Math.max(0, remainingTokens - estimateTokens(note));
    return note;
  });
  return [text, ...notes].filter((line) => line !== "").join("\n");
}

/** Describes an audio attachment with a transcript state (plugin-voice); undefined for others. */
function toAudioNote({ type, meta }: Attachment): string | undefined {
  if (type !== "audio" || meta?.transcript === undefined) return undefined;
  if (meta.transcript === null) return "[voice message, not transcribed]";
  return meta.transcript === ""
    ? "[voice message in which nothing is said]"
    : "[voice message; its transcript is above]";
}

/**
 * Drops the oldest messages until the others fit, in steps of `step` tokens: while a step is filled the history begins
 * with the same message, so that providers find the beginning of the prompt in their cache.
 */
function selectNewest(messages: readonly PromptMessage[], budget: number, step: number): readonly PromptMessage[] {
  const sizes = messages.map(countMessageTokens);
  const excess = sizes.reduce((sum, size) => sum + size, 0) - budget;
  const dropped = excess <= 0 ? 0 : step > 0 ? Math.ceil(excess / step) * step : excess;
  let first = 0;
  for (let sum = 0; first < messages.length - 1 && sum < dropped; first += 1) sum += sizes[first] ?? 0;
  const fitting = messages.slice(first);
  // History is truncated by whole turns, and some providers reject a conversation that begins with an answer.
  if (fitting[0]?.role !== "assistant") return fitting;
  return first > 0 ? fitting.slice(1) : [{ role: "user", text: "(The conversation begins.)" }, ...fitting];
}
