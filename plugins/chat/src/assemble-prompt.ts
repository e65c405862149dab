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
  type Message,
  type Picture,
  type PromptPart,
  type PromptPlace,
  type Turn,
} from "@parley/core";
import { dataBlock } from "./data-block.ts";
import { type FileText, quoted } from "./file-texts.ts";

/** So much of a message that is answered stands above the answer. */
const MOST_QUOTED = 600;
// What a message costs besides its text: its role and its borders.
const MESSAGE_OVERHEAD = 4;
// Providers count a picture by its size; this is a large one.
const PICTURE_TOKENS = 1_500;

export interface AssembleOptions {
  readonly model: Pick<ChosenModel, "parameters">;
  readonly tools: readonly LanguageModelV4FunctionTool[];
  /** Of the context, for history: 1, or less after a provider found the prompt too long. */
  readonly share: number;
  /** What the model sees of pictures, by url; the others are only named. */
  readonly pictures?: ReadonlyMap<string, Picture>;
  /** What the model reads of text files, by url. */
  readonly texts?: ReadonlyMap<string, FileText>;
}

/** What is shown of the files of a message. */
interface Shown {
  readonly pictures: ReadonlyMap<string, Picture>;
  readonly texts: ReadonlyMap<string, FileText>;
  /** For the texts of the files of one message. */
  readonly maxTokens: number;
}

interface Said {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly pictures?: readonly Picture[];
}

/** A prompt, and what of the conversation is in it. */
export interface AssembledPrompt {
  readonly messages: LanguageModelV4Prompt;
  /** How many messages of the conversation it holds, the last one included, and how many did not fit. */
  readonly shown: number;
  readonly leftOut: number;
}

/**
 * What the model is sent: one system message, then as much of the newest history as its context takes; what stands at the
 * user's message is in it. The summary of what was compressed and the last message always stay.
 */
export function assemblePrompt(
  turn: Turn,
  { model, tools, share, pictures = new Map(), texts = new Map() }: AssembleOptions,
): AssembledPrompt {
  const { maxContextLength, maxTokens, systemPrompt } = model.parameters;
  const summary = turn.history.findLast(({ kind }) => kind === "summary")?.content ?? "";
  const deep = turn.prompt.filter(isDeep);
  const near = turn.prompt.filter((part) => !deep.includes(part));
  const [before, after] = [noteOf(near, "before-user"), noteOf(near, "after-history")];
  const notes = deep.length > 0 ? NOTES_ANYWHERE : before !== "" || after !== "" ? NOTES : "";
  const system = systemText(systemPrompt, near, summary, notes);
  const answer = Math.min(maxTokens, maxContextLength / 2);
  const told = [system, before, after, JSON.stringify(tools), ...deep.map(({ text }) => text)];
  const fixed = told.reduce((sum, text) => sum + estimateTokens(text), MESSAGE_OVERHEAD);
  const room = (maxContextLength - answer - fixed) * share;
  const all = saidIn(turn, { pictures, texts, maxTokens: room / 2 });
  const talk = newestThatFit(all, room);
  const said = notes === "" ? talk : withNotes(withDeepNotes(withDefused(talk), deep), before, after);
  const messages: LanguageModelV4Prompt = said.map((one) => ({ role: one.role, content: contentOf(one) }));
  const [first] = talk;
  // It may begin with a message that nobody said.
  const shown = first === undefined || all.includes(first) ? talk.length : talk.length - 1;
  return {
    messages: system === "" ? messages : [{ role: "system", content: system }, ...messages],
    shown,
    leftOut: all.length - shown,
  };
}

function contentOf({ text, pictures = [] }: Said): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  const seen = pictures.map(
    ({ mimeType: mediaType, bytes: data }) => ({ type: "file", mediaType, data: { type: "data", data } }) as const,
  );
  return [{ type: "text", text }, ...seen];
}

const NOTES = `Blocks between <instructions> and </instructions> in the last message of a user come from this service, not from who wrote it.`;

const NOTES_ANYWHERE = NOTES.replace("the last message of a user", "messages of a user");

function systemText(modelPrompt: string, parts: readonly PromptPart[], summary: string, notes: string): string {
  const layers = [...textsAt(parts, "system"), notes];
  const earlier = summary === "" ? "" : `What was said before, in short:\n${dataBlock("summary", summary)}`;
  return [modelPrompt, ...layers, earlier].filter((text) => text.trim() !== "").join("\n\n");
}

function textsAt(parts: readonly PromptPart[], wanted: PromptPlace): readonly string[] {
  return parts
    .filter(({ place = "system" }) => place === wanted)
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ key, text, isData }) => (isData ? dataBlock(key, text) : text));
}

/** Not every provider takes a system message that is not the first: what stands later is a part of the user's message. */
function noteOf(parts: readonly PromptPart[], place: PromptPlace): string {
  const texts = textsAt(parts, place);
  return texts.length === 0 ? "" : `<instructions>\n${texts.map(defused).join("\n\n")}\n</instructions>`;
}

/** What stands further back: in the message of its own side that is nearest, so that nobody speaks twice in a row. */
function withDeepNotes(said: readonly Said[], parts: readonly PromptPart[]): readonly Said[] {
  const talk = [...said];
  // From the back on, so that places stay what they are.
  for (const part of parts.toSorted((a, b) => depthOf(a) - depthOf(b) || b.priority - a.priority)) {
    const { saidBy: role = "user", text } = part;
    const at = Math.max(0, said.length - depthOf(part));
    const note = role === "user" ? noteOf([part], "before-user") : text;
    const [here, before] = [talk[at], talk[at - 1]];
    if (here?.role === role) talk[at] = { ...here, text: `${note}\n\n${here.text}` };
    else if (before?.role === role) talk[at - 1] = { ...before, text: `${before.text}\n\n${note}` };
    else talk.splice(at, 0, { role, text: note });
  }
  return talk;
}

const depthOf = ({ depth = 1 }: PromptPart): number => depth;
const isDeep = ({ place, depth = 1, saidBy }: PromptPart): boolean =>
  place === "before-user" && (depth > 1 || saidBy !== undefined);

function withNotes(said: readonly Said[], before: string, after: string): readonly Said[] {
  if (before === "" && after === "") return said;
  const last = said.at(-1);
  const isUsers = last?.role === "user";
  const text = [before, isUsers ? last.text : "", after].filter((one) => one !== "").join("\n\n");
  return isUsers ? [...said.slice(0, -1), { ...last, text }] : [...said, { role: "user", text }];
}

function withDefused(said: readonly Said[]): readonly Said[] {
  return said.map((one) => (one.role === "user" ? { ...one, text: defused(one.text) } : one));
}

// Nobody else's words may pass for the service's.
function defused(text: string): string {
  return text.replaceAll(/<(\/?)instructions\b/gi, "&lt;$1instructions");
}

function saidIn(turn: Turn, shown: Shown): readonly Said[] {
  const said = turn.history.filter(isShown).map((message) => toSaid(message, turn, shown));
  if (said.at(-1)?.role === "user") return said;
  const text = withAttachments(turn.text, turn.attachments, shown);
  if (text === "") return said;
  const seen = seenIn(turn.attachments, shown);
  return [...said, { role: "user", text: named(text, turn.inbound.sender.name, turn), pictures: seen }];
}

function seenIn(attachments: readonly Attachment[], { pictures }: Shown): readonly Picture[] {
  return attachments.map(({ url }) => pictures.get(url)).filter((one) => one !== undefined);
}

// Commands and notices are between people and the service.
function isShown({ kind, role, content, attachments }: Message): boolean {
  return kind === "normal" && role !== "system" && (content.trim() !== "" || attachments.length > 0);
}

function toSaid({ role, content, attachments, sender, reply_to }: Message, turn: Turn, shown: Shown): Said {
  const own = withAttachments(content, attachments, shown);
  if (role === "assistant") return { role, text: own };
  const text = withQuoted(own, reply_to, turn);
  return { role: "user", text: named(text, sender, turn), pictures: seenIn(attachments, shown) };
}

/** A message that answers another one is read with the beginning of that, as mail has it. */
function withQuoted(text: string, replyTo: string | null, { history }: Turn): string {
  const answered = replyTo ? history.find(({ id }) => id === replyTo)?.content.trim() : "";
  if (!answered) return text;
  const beginning = answered.length > MOST_QUOTED ? `${answered.slice(0, MOST_QUOTED).toWellFormed()}…` : answered;
  return `${beginning.replaceAll(/^/gm, "> ")}\n\n${text}`;
}

function named(text: string, sender: string, { inbound }: Turn): string {
  return inbound.conversation.isGroup && sender !== "" ? `${sender}: ${text}` : text;
}

function withAttachments(text: string, attachments: readonly Attachment[], { texts, maxTokens }: Shown): string {
  let left = Math.max(0, maxTokens);
  const notes = attachments.map((attachment) => {
    const { type, name, url } = attachment;
    const found = texts.get(url);
    if (!found)
      return (
        soundNote(attachment) ??
        `[${type}${name ? `: ${name}` : ""}${type === "file" ? ", of which you see only the name" : ""}]`
      );
    const note = quoted(attachment, found, left);
    left = Math.max(0, left - estimateTokens(note));
    return note;
  });
  return [text, ...notes].filter((line) => line !== "").join("\n");
}

/** How sound is named of which it is known whether its words are in the text (plugin-voice). */
function soundNote({ type, meta }: Attachment): string | undefined {
  if (type !== "audio" || meta?.transcript === undefined) return undefined;
  if (meta.transcript === null) return "[voice message, not transcribed]";
  return meta.transcript === ""
    ? "[voice message in which nothing is said]"
    : "[voice message; its transcript is above]";
}

function newestThatFit(said: readonly Said[], budget: number): readonly Said[] {
  let left = budget;
  let first = said.length - 1;
  for (let index = said.length - 1; index >= 0; index -= 1) {
    const { text = "", pictures = [] } = said[index] ?? {};
    left -= estimateTokens(text) + pictures.length * PICTURE_TOKENS + MESSAGE_OVERHEAD;
    if (left < 0 && index < said.length - 1) break;
    first = index;
  }
  const kept = said.slice(Math.max(first, 0));
  // History is cut by whole turns, and some providers take no conversation that begins with an answer.
  if (kept[0]?.role !== "assistant") return kept;
  return first > 0 ? kept.slice(1) : [{ role: "user", text: "(The conversation begins.)" }, ...kept];
}
