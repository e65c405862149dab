import type { MessageElement } from "../../elements/elements.ts";
import type { LocalizedError } from "../../errors.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { List, Page } from "../../http/list.ts";
import type { AnswerParameters, Attachment, InboundMessage, Sender } from "../../message.ts";
import type { Write } from "../storage/database.ts";
import type { ConversationSetting, OwnConversationSettings } from "./conversation-settings.ts";
import type { SpeakOrder } from "./speaking.ts";

/** Token usage and cost of an answer. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  /** Input tokens that the provider read from its cache, included in `input_tokens`. Absent in older messages. */
  readonly cache_read_tokens?: number;
  /** Input tokens that the provider wrote to its cache, included in `input_tokens`. Absent in older messages. */
  readonly cache_write_tokens?: number;
  /** null when the model has no prices. */
  readonly cost: number | null;
}

/** A tool call as stored with its message. */
export interface ToolCallRecord {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly status: "ok" | "error" | "denied";
  /** Result text of at most 10,000 characters. */
  readonly result: string;
  readonly duration_ms: number;
}

/** Kind of place where a conversation happens. */
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

/** Setting of a conversation in which the AI may speak first. */
export interface ProactiveChat {
  readonly enabled: boolean;
  /** Minutes without a message after which it speaks. */
  readonly idle_minutes: number;
  /** Instruction for what it says; empty: the built-in one. */
  readonly prompt: string;
  /** Maximum count a day, by the channel's time zone. Absent: 3. */
  readonly daily_limit?: number;
}

/** Rule for which of several characters answers a message: the named one, the next one, or the one a model picks. */
export type SpeakerOrder = "mention" | "round" | "judge";

/** Part of a conversation during which the same characters are present. */
export interface Scene {
  /** Begins with the messages from this time on (ISO 8601 UTC). */
  readonly at: string;
  /** Ids of the present characters. */
  readonly present: readonly string[];
}

/** A conversation. Field names as on the wire. */
export interface Session extends OwnConversationSettings {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly type: SessionType;
  readonly channel_id: string;
  readonly conversation_id: string | null;
  readonly user_id: string | null;
  readonly session_mode: "character" | "plain";
  readonly system_prompt: string;
  /** The first of `character_ids`; in a turn the one that answers. */
  readonly character_id: string | null;
  /** Characters that share the conversation, in their order; absent: `character_id` alone. */
  readonly character_ids?: readonly string[];
  /** Absent: `mention`. */
  readonly speaker_order?: SpeakerOrder;
  /** Changes of who is present, oldest first; absent or empty: all characters from the beginning. */
  readonly scenes?: readonly Scene[];
  /** Persona of the person in this conversation; null or absent: that of the linked person or account. */
  readonly persona_id?: string | null;
  readonly sender_name: string;
  readonly sender_avatar: string;
  readonly sender_portrait: string;
  readonly scenario: string;
  readonly first_message: string;
  readonly tags: readonly string[];
  /** Folder that people put it into; empty or absent for none. */
  readonly folder?: string;
  readonly favorite: boolean;
  readonly pinned: boolean;
  readonly model_id: string | null;
  /** Overrides of the model's parameters; null: the model's own value. */
  readonly parameters?: { readonly temperature: number | null; readonly max_tokens: number | null };
  /** Fields inherited from the channel because the session sets none; absent: none. */
  readonly from_channel?: readonly ("model_id" | "character_id" | ConversationSetting)[];
  readonly disabled_prompt_keys: readonly string[];
  readonly auto_state_interval: number | null;
  readonly proactive_chat: ProactiveChat;
  readonly tts_config: { readonly enabled: boolean; readonly voice: string; readonly speed: number };
  /** Operator who answers the channel's people instead of the AI; null: the AI answers. */
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
   * True for a temporary session: no list, search, export, link or notification shows it; it adds no memories and moves no character. It
   * is deleted on request or an hour after its last message, with its messages, private files, records and logs. Until then its rows are
   * stored like any other's, so a backup contains them until the restored service deletes them. Counts (messages, tokens, cost) and
   * files uploaded to the service stay. Setting false keeps it permanently; absent: false.
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

/** Returns true when a session is a platform group. The adapter reports it with the first message; only a private session has a user. */
export function isGroupSession({
  channel_id,
  conversation_id,
  user_id,
}: Pick<Session, "channel_id" | "conversation_id" | "user_id">): boolean {
  return channel_id !== "web" && conversation_id !== null && user_id === null;
}

/** Role of a stored message as models see it. */
export type MessageRole = "user" | "assistant" | "system";
/** Kind of a stored message. */
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
  /** Absent when there are none. The message that a press became names it in `metadata.pressed`. */
  readonly elements?: readonly MessageElement[];
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
  readonly error: LocalizedError | null;
  readonly stopped: boolean;
  readonly stop_reason: "user" | "timeout" | "length" | null;
  readonly model: string | null;
  readonly model_id: string | null;
  readonly usage: Usage | null;
  readonly thinking: string | null;
  readonly tool_calls: readonly ToolCallRecord[];
  readonly audio_url: string | null;
  readonly hidden: boolean;
  /** A person's rating of an AI answer. */
  readonly rating?: "good" | "bad" | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly revision: number;
}

/** A person's message to a session, from the console or through the API. */
export interface ChatRequest {
  readonly content: string;
  readonly attachments: readonly Attachment[];
  /** The id and name to store; `isAdmin` decides about administrator commands. */
  readonly sender: Sender;
  readonly replyTo?: string;
  /** The client's id of the message; a repeat within 24 h in the same session is a copy. */
  readonly tempId?: string;
  /** Entry point of the message: `web` or `api`. */
  readonly source: string;
  /** True also sends the answer to the people of a channel's conversation. Default: it stays here, and later answers to them do not see question and answer. */
  readonly deliver?: boolean;
  /** Order under which it is sent to people; default: the service itself. Without the right, `permission_denied`. */
  readonly order?: SpeakOrder;
  /** True for an instruction of the service itself: stored, but not shown in the conversation. */
  readonly isHidden?: boolean;
  /** Characters that answer, one after the other. Default: the rule of the conversation decides. */
  readonly speakerIds?: readonly string[];
  /** Instructions of the client for the answer to this message, after those of the character. */
  readonly instructions?: string;
  /** Parameters of the answer to this message, in place of the conversation's. */
  readonly parameters?: AnswerParameters;
}

/** A person's press of an element of a stored message, from the console or through the API. */
export interface PressRequest {
  readonly messageId: string;
  readonly elementId: string;
  readonly itemId: string;
  readonly sender: Sender;
  /** Entry point of the press: `web` or `api`. */
  readonly source: string;
}

/** The turn that a chat request, a press or a regeneration started. */
export interface TurnStarted {
  readonly traceId: string;
  /** The id the user message has or will have; null when there is none to store. */
  readonly messageId: string | null;
  readonly duplicated: boolean;
  /** True when the filter will block the message: nothing is stored and no answer follows. */
  readonly blocked: boolean;
  /** Ids of the messages removed for the new answer. */
  readonly removedIds: readonly string[];
}

/** Message count of one hour. */
export interface MessageCount {
  /** `2026-01-06T10`, UTC. */
  readonly hour: string;
  readonly channel_id: string;
  readonly role: MessageRole;
  readonly count: number;
}

/** Filter for sessions of a channel; newest first. */
export interface ChannelSessionsQuery extends Page {
  readonly channelId: string;
  readonly type?: SessionType;
  readonly archived?: "true" | "false" | "all";
  readonly q?: string;
}

/** Filter for messages of a session. */
export interface MessagesQuery extends Page {
  readonly order: "asc" | "desc";
  readonly before?: string;
  readonly after?: string;
}

/** A message from another source to insert into a history. */
export interface HistoryEntry {
  readonly role: MessageRole;
  readonly content: string;
  readonly attachments: readonly Attachment[];
  readonly sender: string;
  readonly senderId: string | null;
  readonly source: string;
  readonly platformMessageId?: string;
  readonly replyTo?: string;
  /** Key of a notice from the service; people see it in their language, the model never. */
  readonly notice?: string;
  /** ISO 8601 UTC time at whose place it is inserted. Absent: at the end, now. */
  readonly timestamp?: string;
}

/** The parts of an answer that were not sent, in order; `from` is the offset in its text at which a part begins. */
export interface UnsaidParts {
  readonly sessionId: string;
  readonly messageId: string;
  readonly parts: readonly {
    readonly from: number;
    readonly text: string;
    readonly attachments: readonly Attachment[];
  }[];
}

/** Outcome of recording a message. */
export interface EntryRecorded {
  /** null when the filter blocked it. */
  readonly message: Message | null;
  readonly filtered: boolean;
  readonly blocked: boolean;
  /** True when a message with this platform id already existed; nothing was stored. */
  readonly isKnown: boolean;
}

/** A session of the service itself, or of a program's client; its id derives from its purpose (`derivedId`). */
export interface OwnSession
  extends Partial<Pick<Session, "character_id" | "model_id" | "session_mode" | "tags" | "metadata">> {
  readonly id: string;
  readonly type: "workflow" | "task" | "heartbeat" | "web";
  readonly name: string;
}

/** Reads rows of a database that need not be open in this process. */
export type ReadRows = <Row>(text: string, ...parameters: readonly (string | number)[]) => readonly Row[];

/** Conversations and their history, for the plugins that take part in a turn. */
export interface Sessions {
  list(query: ChannelSessionsQuery): Promise<List<Session>>;
  /** Returns the messages with these ids, in that order; missing ones are left out. */
  messagesById(ids: readonly string[]): Promise<readonly Message[]>;
  /** Reads stored messages beside a running service, or without one; works before the start. */
  storedMessages(ids: readonly string[], read: ReadRows): readonly Message[];
  /** Returns a page of a conversation's messages. */
  messages(idOrKey: string, query: MessagesQuery): Promise<List<Message>>;
  /** Deletes the messages of a session, with `withSession` the session too. Rejects with `conflict` while a turn runs. */
  clear(idOrKey: string, options: { readonly withSession: boolean }): Promise<{ readonly deleted: number }>;
  /** Adds an attachment to a stored message once, even when called again. Resolves to undefined when the message is gone. */
  attach(sessionId: string, messageId: string, attachment: Attachment): Promise<Message | undefined>;
  /** Stores the audio address of a message (`audio_url`). Resolves to undefined when the message is gone. */
  giveVoice(sessionId: string, messageId: string, audioUrl: string): Promise<Message | undefined>;
  /**
   * Prepares the writes that record a delivery's error on the operator's message of a trace, `null` while it is sent
   * again. The writes belong into the transaction that stores the delivery; `publish` is called once they are stored.
   */
  prepareDeliveryError(
    sessionId: string,
    traceId: string,
    error: LocalizedError | null,
  ): Promise<{ readonly writes: readonly Write[]; publish(): void }>;
  /**
   * Removes from a stored answer what was not sent because the person wrote again, and keeps its text as
   * `metadata.unsaid`. Stores `together` in the same transaction, also when the message is gone.
   */
  recordUnsaid(unsaid: UnsaidParts, together: readonly Write[]): Promise<void>;
  /** Adds a message to a history, through the filter. Runs no turn. */
  record(idOrKey: string, entry: HistoryEntry): Promise<EntryRecorded>;
  /**
   * Turns a web session's history and name into the beginning of a platform conversation, and removes the web
   * session. Rejects with `conflict` when it is no web session, or the conversation already has messages.
   */
  adopt(webSessionId: string, conversation: InboundMessage): Promise<Session>;
  /** Returns the ids of the sessions that a character is bound to. */
  boundTo(characterId: string): Promise<readonly string[]>;
  /** Counts messages per hour, channel and role since an hour (`2026-01-06T10`, UTC; "" for all), from counters without a scan. */
  counts(since: string): Promise<readonly MessageCount[]>;
  /** Counts the sessions with a message since an instant (ISO 8601 UTC). */
  activeSince(since: string): Promise<number>;
  /**
   * Starts a turn in a web session, for REST and the socket alike; resolves once it is committed. Rejects with
   * `not_found`, `bad_request` (empty message), `conflict` (archived), `rate_limited` (8 turns wait).
   */
  chat(idOrKey: string, request: ChatRequest): Promise<TurnStarted>;
  /**
   * Presses an element of a message of a web session, or of one that an operator requested privately in another. Rejects
   * with `not_found` for an unknown message or element, and with `conflict` or `permission_denied` for a press without effect.
   */
  press(idOrKey: string, request: PressRequest): Promise<TurnStarted>;
  /** Archives all messages, so that the conversation begins anew with its settings, memories and relationships; returns their count. */
  archiveMessages(idOrKey: string): Promise<number>;
  /** Generates a new answer: removes the reply (default: the last one) and everything after it. Errors as for the REST route. */
  regenerate(idOrKey: string, messageId: string | undefined, sender: Sender): Promise<TurnStarted>;
  /** Finds a session by id, session key or raw form; undefined when there is none. */
  find(idOrKey: string): Promise<Session | undefined>;
  /** Finds a session; rejects with `not_found`. */
  get(idOrKey: string): Promise<Session>;
  /**
   * Returns the session of a platform message: created with the first one, restored when archived. A web session is never created here:
   * `not_found`. With `speakerId` it is as this character of it speaks.
   */
  openFor(message: InboundMessage, speakerId?: string): Promise<Session>;
  /**
   * Returns the newest messages the model may see, oldest first, at most `limit`; a summary message always comes first. With
   * `characterId` those that it knows of.
   */
  history(sessionId: string, limit: number, characterId?: string): Promise<readonly Message[]>;
  /** Returns the session's own addition to the prompt, as it was when the session was read; "" when none is set. */
  customPrompt(session: Session): Promise<string>;
  /** Sets an automatic title; a name given by a person is never replaced. */
  nameAutomatically(sessionId: string, name: string): Promise<void>;
  /** Creates a web session with default values. */
  create(draft: { readonly name?: string; readonly character_id?: string | null }): Promise<Session>;
  /**
   * Sets the public link's end (milliseconds since 1970; null: not public) in one transaction with `writes`, and
   * emits the change. Rejects with `not_found`.
   */
  published(idOrKey: string, untilMs: number | null, writes: readonly Write[]): Promise<Session>;
  /** Returns a session with a derived id, such as that of a workflow, a task or the heartbeat; created when missing, without a greeting, and restored when archived. */
  openOwn(own: OwnSession): Promise<Session>;
  /** Overrides the model of a session; null returns to the active one. */
  useModel(sessionId: string, modelId: string | null): Promise<Session>;
  /** Sets the persona of the person in a session; null returns to the person's own default. Rejects with `bad_request` for an unknown one. */
  usePersona(sessionId: string, personaId: string | null): Promise<Session>;
}
export const Sessions: ServiceKey<Sessions> = serviceKey("sessions");
