import { type Attachment, type InboundMessage, type Logger, quoteInWords } from "@parley/core";
import { toText } from "./content.ts";
import { type Mention, replaceMentions, toAttachments } from "./decode.ts";
import type { OpenApi } from "./open-api.ts";

/** A webhook may wait 1.5 s; the rest is for storing the message. */
const FETCH_TIMEOUT_MS = 800;
const NAMES_TTL_MS = 600_000;
const MAX_CHATS = 1_000;

/** Adds data the platform returns only on request: names of group members, and the quoted message. */
export interface MessageContext {
  /** Completes a message; the order within a conversation is preserved. */
  complete(message: InboundMessage, isMeant: boolean): Promise<InboundMessage>;
}

export interface MessageContextDeps {
  readonly api: Pick<OpenApi, "call">;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

type NameById = ReadonlyMap<string, string>;

interface QuotedMessage {
  readonly message_id?: string;
  readonly msg_type?: string;
  readonly body?: { readonly content?: string };
  readonly sender?: { readonly id?: string; readonly sender_type?: string };
  readonly mentions?: readonly Mention[];
}

export function createMessageContext(deps: MessageContextDeps): MessageContext {
  const names = createNameLookup(deps);
  const last = new Map<string, Promise<unknown>>();
  return {
    async complete(message, isMeant) {
      const chat = message.conversation.id;
      const completed = completeMessage(deps, names, message, isMeant);
      const inOrder = (last.get(chat) ?? Promise.resolve()).then(() => completed);
      last.set(chat, inOrder);
      try {
        return await inOrder;
      } finally {
        if (last.get(chat) === inOrder) last.delete(chat);
      }
    },
  };
}

async function completeMessage(
  deps: MessageContextDeps,
  names: (chat: string) => Promise<NameById>,
  message: InboundMessage,
  isMeant: boolean,
): Promise<InboundMessage> {
  if (message.kind !== "message") return message;
  const { conversation, replyTo, sender } = message;
  const [known, quote] = await Promise.all([
    conversation.isGroup ? withTimeout(deps, names(conversation.id)) : undefined,
    replyTo !== undefined && isMeant ? withTimeout(deps, fetchQuoted(deps, replyTo)) : undefined,
  ]);
  const { quoted, pictures } = toQuote(quote, known ?? new Map());
  return {
    ...message,
    sender: { ...sender, name: sender.name || (known?.get(sender.id) ?? "") },
    attachments: [...message.attachments, ...pictures],
    ...(quoted !== "" && { quoted }),
  };
}

async function fetchQuoted({ api, signal }: MessageContextDeps, id: string): Promise<QuotedMessage | undefined> {
  const { data } = await api.call("GET", `/im/v1/messages/${encodeURIComponent(id)}`, undefined, signal);
  const items = data?.items;
  return Array.isArray(items) ? items[0] : undefined;
}

function toQuote(message: QuotedMessage | undefined, names: NameById) {
  const { message_id = "", msg_type = "", body, sender, mentions = [] } = message ?? {};
  const content = body?.content ?? "";
  const { text } = replaceMentions(toText(msg_type, content) ?? `[${msg_type}]`, mentions, undefined);
  const files = message ? toAttachments(message_id, msg_type, content) : [];
  const notes = files.map(({ type, name }) => (name === undefined ? `[${type}]` : `[${type} ${name}]`));
  const words = message ? [text, ...notes].filter((part) => part !== "").join(" ") : "";
  const pictures: readonly Attachment[] = files.filter(({ type }) => type === "image");
  return { quoted: quoteInWords(names.get(sender?.id ?? "") ?? "", words), pictures };
}

/** Creates a lookup of a group's member names by id; fetches at most every ten minutes, also after a failure. */
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
      log.debug("the platform does not tell the names in a group", { error });
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

/** Waits a limited time, so that a message is not delayed by its context. */
async function withTimeout<Found>({ log }: MessageContextDeps, work: Promise<Found>): Promise<Found | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, FETCH_TIMEOUT_MS, undefined);
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    log.debug("the platform does not tell a message that is quoted", { error });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
