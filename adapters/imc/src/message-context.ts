import type { Attachment, InboundMessage, Logger } from "@parley/core";
import { createKeyedQueue, resolveWithin } from "@parley/core/async";
import { formatQuote } from "@parley/core/channels";
import { toText } from "./content.ts";
import { type Mention, replaceMentions, toAttachments } from "./decode.ts";
import type { OpenApi } from "./open-api.ts";

/** Timeout within the 1.5 s of a webhook; the rest is for storing the message. */
const FETCH_TIMEOUT_MS = 800;
const NAMES_TTL_MS = 600_000;
const MAX_CHATS = 1_000;
/** Message type of forwarded messages, which the event does not contain. */
const FORWARD_KIND = "merge_forward";
const MAX_FORWARDED = 50;
const MAX_FORWARD_CHARS = 8_000;

/** Adds data the platform returns only on request: names of group members, quoted and forwarded messages. */
export interface MessageContext {
  /** Completes a message, with quoted and forwarded messages only if it is for the bot; the order within a conversation is preserved. */
  complete(message: InboundMessage, isForBot: boolean): Promise<InboundMessage>;
}

export interface MessageContextDeps {
  readonly api: Pick<OpenApi, "call">;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

type NameById = ReadonlyMap<string, string>;

interface FetchedMessage {
  readonly message_id?: string;
  readonly msg_type?: string;
  readonly body?: { readonly content?: string };
  readonly sender?: { readonly id?: string; readonly sender_type?: string };
  readonly mentions?: readonly Mention[];
}

export function createMessageContext(deps: MessageContextDeps): MessageContext {
  const names = createNameLookup(deps);
  const queue = createKeyedQueue();
  return {
    complete(message, isForBot) {
      const completed = completeMessage(deps, names, message, isForBot);
      // A failure is reported when its message is next.
      completed.catch(() => {});
      return queue(message.conversation.id, () => completed);
    },
  };
}

async function completeMessage(
  deps: MessageContextDeps,
  names: (chat: string) => Promise<NameById>,
  message: InboundMessage,
  isForBot: boolean,
): Promise<InboundMessage> {
  if (message.kind !== "message") return message;
  const { conversation, replyTo, sender, platformMessageId: id } = message;
  const isForward = message.unreadable === FORWARD_KIND && id !== undefined && isForBot;
  const [known = new Map(), quote, forward] = await Promise.all([
    conversation.isGroup ? withTimeout(deps, names(conversation.id)) : undefined,
    replyTo !== undefined && isForBot ? withTimeout(deps, fetchMessages(deps, replyTo)) : undefined,
    isForward ? withTimeout(deps, fetchMessages(deps, id)) : undefined,
  ]);
  const { quoted, pictures } = toQuote(quote, known);
  const completed: InboundMessage = {
    ...message,
    sender: { ...sender, name: sender.name || (known.get(sender.id) ?? "") },
    attachments: [...message.attachments, ...pictures],
    ...(quoted !== "" && { quoted }),
  };
  const text = forwardToText(forward, known);
  if (text === "") return completed;
  const { unreadable: _unreadable, ...readable } = completed;
  return { ...readable, text };
}

/** Fetches a message, followed by the forwarded messages that it contains. */
async function fetchMessages({ api, signal }: MessageContextDeps, id: string): Promise<readonly FetchedMessage[]> {
  const { data } = await api.call("GET", `/im/v1/messages/${encodeURIComponent(id)}`, undefined, signal);
  return Array.isArray(data?.items) ? data.items : [];
}

function toQuote(messages: readonly FetchedMessage[] | undefined, names: NameById) {
  const [message] = messages ?? [];
  if (!message) return { quoted: "", pictures: [] };
  const pictures: readonly Attachment[] = listAttachments(message).filter(({ type }) => type === "image");
  const content = forwardToText(messages, names) || toContentText(message);
  return { quoted: formatQuote(names.get(message.sender?.id ?? "") ?? "", content), pictures };
}

/** Formats forwarded messages, one per line, with their authors if known; empty when nothing is forwarded. */
function forwardToText(messages: readonly FetchedMessage[] | undefined, names: NameById): string {
  const [whole, ...forwarded] = messages ?? [];
  if (whole?.msg_type !== FORWARD_KIND) return "";
  const lines = forwarded.slice(0, MAX_FORWARDED).map((message) => {
    const name = names.get(message.sender?.id ?? "") ?? "";
    const content = toContentText(message);
    return name === "" || content === "" ? content : `${name}: ${content}`;
  });
  const text = lines.filter((line) => line !== "").join("\n");
  return text.slice(0, MAX_FORWARD_CHARS).toWellFormed();
}

function toContentText(message: FetchedMessage): string {
  const { msg_type = "", body, mentions = [] } = message;
  const { text } = replaceMentions(toText(msg_type, body?.content ?? "") ?? `[${msg_type}]`, mentions, undefined);
  const notes = listAttachments(message).map(({ type, name }) =>
    name === undefined ? `[${type}]` : `[${type} ${name}]`,
  );
  return [text, ...notes].filter((part) => part !== "").join(" ");
}

function listAttachments({ message_id = "", msg_type = "", body }: FetchedMessage): readonly Attachment[] {
  return toAttachments(message_id, msg_type, body?.content ?? "");
}

/** Creates a lookup of the names of a group's first 100 members by id; fetches at most every ten minutes, also after a failure. */
function createNameLookup({ api, signal, log }: MessageContextDeps): (chat: string) => Promise<NameById> {
  const chats = new Map<string, { readonly names: Promise<NameById>; readonly untilMs: number }>();
  const ask = async (chat: string): Promise<NameById> => {
    const query = "member_id_type=open_id&page_size=100";
    const { data } = await api.call(
      "GET",
      `/im/v1/chats/${encodeURIComponent(chat)}/members?${query}`,
      undefined,
      signal,
    );
    const items: readonly unknown[] = Array.isArray(data?.items) ? data.items : [];
    return new Map(items.flatMap(toNameEntry));
  };
  return (chat) => {
    const known = chats.get(chat);
    if (known && known.untilMs > performance.now()) return known.names;
    const names = ask(chat).catch((error: unknown) => {
      log.debug("the names in a group could not be read", { error });
      return new Map<string, string>();
    });
    const [oldest] = chats.keys();
    if (chats.size >= MAX_CHATS && oldest !== undefined) chats.delete(oldest);
    chats.set(chat, { names, untilMs: performance.now() + NAMES_TTL_MS });
    return names;
  };
}

function toNameEntry(item: unknown): readonly (readonly [id: string, name: string])[] {
  const { member_id: id, name } = (item ?? {}) as { readonly member_id?: unknown; readonly name?: unknown };
  return typeof id === "string" && typeof name === "string" ? [[id, name.slice(0, 64)]] : [];
}

/** Resolves to undefined when the work fails or takes longer than 800 ms, so that a message is not delayed by its context. */
async function withTimeout<Found>({ log }: MessageContextDeps, work: Promise<Found>): Promise<Found | undefined> {
  try {
    return await resolveWithin(work, FETCH_TIMEOUT_MS);
  } catch (error) {
    log.debug("the context of a message could not be read", { error });
    return undefined;
  }
}
