import type { ToldFailure } from "../../errors.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { List, Page } from "../../http/list.ts";
import type { Attachment, InboundMessage, Sender } from "../../message.ts";
import type { Write } from "../storage/database.ts";
import type { SpeakOrder } from "./speaking.ts";

/** What an answer cost. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  /** null when the model has no prices. */
  readonly cost: number | null;
}

/** A call of a tool, as it is kept with its message. */
export interface ToolCallRecord {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly status: "ok" | "error" | "denied";
  /** At most 10,000 characters. */
  readonly result: string;
  readonly duration_ms: number;
}

/** Where a conversation is held. */
export type SessionType =
  | "web"
  | "imA_group"
  | "imA_private"
  | "imAbot_group"
  | "imAbot_private"
  | "channel"
  | "workflow"
  | "task"
  | "heartbeat";

/** A conversation. Field names as on the wire. */
export interface Session {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly type: SessionType;
  readonly channel_id: string;
  readonly conversation_id: string | null;
  readonly user_id: string | null;
  readonly session_mode: "character" | "plain";
  readonly system_prompt: string;
  readonly character_id: string | null;
  readonly sender_name: string;
  readonly sender_avatar: string;
  readonly sender_portrait: string;
  readonly scenario: string;
  readonly first_message: string;
  readonly tags: readonly string[];
  /** The folder that people put it into; empty or absent: none. */
  readonly folder?: string;
  readonly favorite: boolean;
  readonly pinned: boolean;
  readonly model_id: string | null;
  /** What it asks its model with instead of what the model is set up with; null: that. */
  readonly parameters?: { readonly temperature: number | null; readonly max_tokens: number | null };
  /** Which of these it has not chosen itself and takes from its channel; absent: none. */
  readonly from_channel?: readonly ("model_id" | "character_id")[];
  readonly disabled_prompt_keys: readonly string[];
  readonly auto_state_interval: number | null;
  readonly proactive_chat: { readonly enabled: boolean; readonly idle_minutes: number; readonly prompt: string };
  readonly tts_config: { readonly enabled: boolean; readonly voice: string; readonly speed: number };
  /** The operator who answers the people of a channel in the place of the AI; null: the AI answers. */
  readonly taken_over: { readonly by: string; readonly at: string } | null;
  readonly archived: boolean;
  readonly archived_at: string | null;
  readonly archived_message_count: number;
  readonly summary: string;
  readonly forked_from: {
    readonly session_id: string;
    readonly message_id: string | null;
    readonly created_at: string;
  } | null;
  readonly imported_from: string | null;
  readonly imported_at: string | null;
  readonly is_public: boolean;
  /**
   * It leaves nothing: no list, search, export, link or notification shows it, nothing of it is remembered, no character is moved
   * by it. When it is deleted, or an hour after the last word, it goes with its messages, its private files and everything that
   * was recorded and logged of its turns. While it is there its rows are stored like any other's, so that no answer is lost: a
   * backup made then has them until the restored service sweeps. What stays are counts (messages, tokens, cost), and what was
   * uploaded to the files of the service. False keeps it as any other; absent: false.
   */
  readonly is_temporary?: boolean;
  readonly message_count: number;
  readonly last_message: {
    readonly id: string;
    readonly role: MessageRole;
    readonly sender: string;
    readonly preview: string;
    readonly timestamp: string;
  } | null;
  readonly last_message_at: string | null;
  readonly running: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly updated_at: string;
  readonly revision: number;
}

/** Whether a session is a platform's group. Its adapter says so with the first message; only a private one has a user. */
export function isGroupSession({
  channel_id,
  conversation_id,
  user_id,
}: Pick<Session, "channel_id" | "conversation_id" | "user_id">): boolean {
  return channel_id !== "web" && conversation_id !== null && user_id === null;
}

/** Who a stored message is from, as models are told. */
export type MessageRole = "user" | "assistant" | "system";
/** What a stored message is. */
export type MessageKind = "normal" | "summary" | "archive_divider" | "notice" | "command" | "tool";

/** One entry of a conversation's history. Field names as on the wire. */
export interface Message {
  readonly id: string;
  readonly session_id: string;
  readonly seq: number;
  readonly role: MessageRole;
  readonly kind: MessageKind;
  readonly content: string;
  readonly attachments: readonly Attachment[];
  readonly sender: string;
  readonly sender_id: string | null;
  readonly source: string;
  readonly character_id: string | null;
  readonly timestamp: string;
  readonly edited_at: string | null;
  readonly reply_to: string | null;
  readonly temp_id: string | null;
  readonly trace_id: string | null;
  readonly filtered: boolean;
  readonly filter_blocked: boolean;
  readonly filter_rule_count: number;
  readonly error: ToldFailure | null;
  readonly stopped: boolean;
  readonly stop_reason: "user" | "timeout" | "length" | null;
  readonly model: string | null;
  readonly model_id: string | null;
  readonly usage: Usage | null;
  readonly thinking: string | null;
  readonly tool_calls: readonly ToolCallRecord[];
  readonly audio_url: string | null;
  readonly hidden: boolean;
  /** What a person thinks of an answer of the AI. */
  readonly rating?: "good" | "bad" | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly revision: number;
}

/** What a person says in a session, from the console or through the API. */
export interface ChatRequest {
  readonly content: string;
  readonly attachments: readonly Attachment[];
  /** The id and name to store; `isAdmin` decides about administrator commands. */
  readonly sender: Sender;
  readonly replyTo?: string;
  /** The client's own id: a repeat within 24 h in the same session is a copy. */
  readonly tempId?: string;
  /** Where it came in: `web` or `api`. */
  readonly source: string;
  /**
   * In a conversation of a channel: the answer goes to its people too. Default: it stays here, and neither the question
   * nor the answer is shown to the model when it answers them.
   */
  readonly deliver?: boolean;
  /** Who orders that it goes to them; default: the service itself. `permission_denied` when they may not. */
  readonly order?: SpeakOrder;
  /** The words are an instruction of the service itself: kept, but not shown with the conversation. */
  readonly isHidden?: boolean;
}

/** The turn that a chat request or a regeneration started. */
export interface TurnStarted {
  readonly traceId: string;
  /** The id the user message has or will have; null when there is none to store. */
  readonly messageId: string | null;
  readonly duplicated: boolean;
  /** The filter will block it: nothing is stored and nobody answers. */
  readonly blocked: boolean;
  /** Messages taken out to be answered again. */
  readonly removedIds: readonly string[];
}

/** How many messages came in one hour. */
export interface MessageCount {
  /** `2026-01-06T10`, UTC. */
  readonly hour: string;
  readonly channel_id: string;
  readonly role: MessageRole;
  readonly count: number;
}

/** Which sessions of a channel; newest first. */
export interface ChannelSessionsQuery extends Page {
  readonly channelId: string;
  readonly type?: SessionType;
  readonly archived?: "true" | "false" | "all";
  readonly q?: string;
}

/** Which messages of a session are asked for. */
export interface MessagesQuery extends Page {
  readonly order: "asc" | "desc";
  readonly before?: string;
  readonly after?: string;
}

/** Something that was said elsewhere and is put into a history. */
export interface HistoryEntry {
  readonly role: MessageRole;
  readonly content: string;
  readonly attachments: readonly Attachment[];
  readonly sender: string;
  readonly senderId: string | null;
  readonly source: string;
  readonly platformMessageId?: string;
  readonly replyTo?: string;
  /** What the service itself says of the conversation, by its key: people see it in their language, the model never. */
  readonly notice?: string;
  /** ISO 8601 UTC: it is put in where its time belongs. Absent: at the end, now. */
  readonly timestamp?: string;
}

/** What became of a message that was to be kept. */
export interface EntryRecorded {
  /** null when the filter blocked it. */
  readonly message: Message | null;
  readonly filtered: boolean;
  readonly blocked: boolean;
  /** A message with this platform id was there already; nothing was stored. */
  readonly isKnown: boolean;
}

/** A session of the service itself, under an id that belongs to what it is for (`derivedId`). */
export interface OwnSession {
  readonly id: string;
  readonly type: "workflow" | "task" | "heartbeat";
  readonly name: string;
}

/** Reads rows of a database that need not be open in this process. */
export type ReadRows = <Row>(text: string, ...parameters: readonly (string | number)[]) => readonly Row[];

/** Conversations and their history, for the plugins that take part in a turn. */
export interface Sessions {
  list(query: ChannelSessionsQuery): Promise<List<Session>>;
  /** The messages with these ids, in that order; those that are not there any more are left out. */
  messagesById(ids: readonly string[]): Promise<readonly Message[]>;
  /** The same beside a running service, or without one; works before the start. */
  storedMessages(ids: readonly string[], read: ReadRows): readonly Message[];
  /** A page of a conversation. */
  messages(idOrKey: string, query: MessagesQuery): Promise<List<Message>>;
  /** Deletes the messages of a session, and the session with them if asked. `conflict` while a turn runs. */
  clear(idOrKey: string, options: { readonly withSession: boolean }): Promise<{ readonly deleted: number }>;
  /** Hangs something on a stored message; once, however often. Undefined: the message is gone. */
  attach(sessionId: string, messageId: string, attachment: Attachment): Promise<Message | undefined>;
  /** Says where a stored message can be heard (`audio_url`). Undefined: the message is gone. */
  giveVoice(sessionId: string, messageId: string, audioUrl: string): Promise<Message | undefined>;
  /**
   * Prepares what the operator's message of a trace says of its delivery: `null` while it is sent again. The writes belong
   * into the transaction that stores it; `publish` is called once they are stored.
   */
  prepareDeliveryError(
    sessionId: string,
    traceId: string,
    error: ToldFailure | null,
  ): Promise<{ readonly writes: readonly Write[]; publish(): void }>;
  /** Puts something into a history; it passes the filter like everything else. Runs no turn. */
  record(idOrKey: string, entry: HistoryEntry): Promise<EntryRecorded>;
  /**
   * Makes a web session's history and name the beginning of a platform conversation, and removes the web session.
   * `conflict` when it is no web session, or the conversation has messages already.
   */
  adopt(webSessionId: string, conversation: InboundMessage): Promise<Session>;
  /** Ids of the sessions that a character is bound to. */
  boundTo(characterId: string): Promise<readonly string[]>;
  /** Messages per hour, channel and role since an hour (`2026-01-06T10`, UTC; "" for all); counters, not a scan. */
  counts(since: string): Promise<readonly MessageCount[]>;
  /** Sessions with a message since an instant (ISO 8601 UTC). */
  activeSince(since: string): Promise<number>;
  /**
   * Starts a turn for a web session, the same way for REST and the socket; resolves once it is stored for good.
   * `not_found`, `bad_request` (nothing said), `conflict` (archived), `rate_limited` (8 turns wait).
   */
  chat(idOrKey: string, request: ChatRequest): Promise<TurnStarted>;
  /** Answers again: removes the reply (default: the last one) and what follows. Errors as the REST row's. */
  regenerate(idOrKey: string, messageId: string | undefined, sender: Sender): Promise<TurnStarted>;
  /** By id, session key or raw form; undefined when there is none. */
  find(idOrKey: string): Promise<Session | undefined>;
  /** The same; `not_found` when there is none. */
  get(idOrKey: string): Promise<Session>;
  /**
   * The session of a platform message: made on the first one, restored when archived.
   * A web session is never made here: `not_found`.
   */
  openFor(message: InboundMessage): Promise<Session>;
  /** The newest messages the model may see, oldest first, at most `limit`; a summary message always comes first. */
  history(sessionId: string, limit: number): Promise<readonly Message[]>;
  /** The session's own addition to the prompt, as of when it was read; "" when none is set. */
  customPrompt(session: Session): Promise<string>;
  /** Changes the name given by nobody: automatic titles never replace a name a person gave. */
  nameAutomatically(sessionId: string, name: string): Promise<void>;
  /** A new web session with everything default. */
  create(draft: { readonly name?: string; readonly character_id?: string | null }): Promise<Session>;
  /**
   * Says until when the session is public (milliseconds since 1970; null: no more), in one transaction with `writes`, and
   * tells of it. `not_found`.
   */
  published(idOrKey: string, untilMs: number | null, writes: readonly Write[]): Promise<Session>;
  /** The session that the service itself talks in for a workflow, a task or the heartbeat: made when it is not there. */
  openOwn(own: OwnSession): Promise<Session>;
  /** Overrides the model of a session; null returns to the active one. */
  useModel(sessionId: string, modelId: string | null): Promise<Session>;
}
export const Sessions: ServiceKey<Sessions> = serviceKey("sessions");
