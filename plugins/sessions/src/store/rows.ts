import { CONVERSATION_SETTING_KEYS, type Message, type Session } from "@parley/core";
import { sessionKey } from "@parley/core/channels";
import type { MessageTable, Place, SessionTable } from "./tables.ts";

/** Fields of a session that are stored together as JSON. */
type SessionJsonFields = Omit<
  Session,
  | "id"
  | "key"
  | "name"
  | "type"
  | "channel_id"
  | "character_id"
  | "character_ids"
  | "favorite"
  | "folder"
  | "is_temporary"
  | "pinned"
  | "archived"
  | "message_count"
  | "archived_message_count"
  | "last_message"
  | "last_message_at"
  | "running"
  | "created_at"
  | "updated_at"
  | "revision"
>;

/** Messages a day that the AI may write first, where the conversation sets no limit. */
export const DEFAULT_DAILY_LIMIT = 3;

const SESSION_DEFAULTS: SessionJsonFields = {
  conversation_id: null,
  user_id: null,
  session_mode: "character",
  speaker_order: "mention",
  scenes: [],
  system_prompt: "",
  persona_id: null,
  sender_name: "",
  sender_avatar: "",
  sender_portrait: "",
  scenario: "",
  first_message: "",
  tags: [],
  model_id: null,
  parameters: { temperature: null, max_tokens: null },
  disabled_prompt_keys: [],
  auto_state_interval: null,
  proactive_chat: { enabled: false, idle_minutes: 120, prompt: "", daily_limit: DEFAULT_DAILY_LIMIT },
  tts_config: { enabled: false, voice: "", speed: 1 },
  taken_over: null,
  archived_at: null,
  summary: "",
  forked_from: null,
  imported_from: null,
  imported_at: null,
  is_public: false,
  metadata: {},
  ...Object.fromEntries(CONVERSATION_SETTING_KEYS.map((key) => [key, null])),
};

/** Creates a session with default values for omitted fields. */
export function newSession(id: string, at: string, fields: Partial<Session>): Session {
  return {
    ...SESSION_DEFAULTS,
    key: sessionKey(id),
    name: "New session",
    type: "web",
    channel_id: "web",
    character_id: null,
    favorite: false,
    folder: "",
    is_temporary: false,
    pinned: false,
    archived: false,
    message_count: 0,
    archived_message_count: 0,
    last_message: null,
    last_message_at: null,
    running: false,
    created_at: at,
    updated_at: at,
    revision: 1,
    ...fields,
    proactive_chat: { ...SESSION_DEFAULTS.proactive_chat, ...fields.proactive_chat },
    id,
  };
}

export function toSessionRow(
  session: Session,
): Omit<
  SessionTable,
  | "message_count"
  | "visible_count"
  | "archived_count"
  | "last_id"
  | "last_role"
  | "last_sender"
  | "last_preview"
  | "last_message_at"
  | "is_named"
  | "custom_prompt"
  | "custom_prompt_at"
  | "public_until"
> {
  const { id, name, type, channel_id, character_id, favorite, pinned, archived, created_at, updated_at, revision } =
    session;
  const { character_ids = [] } = session;
  const fields = Object.fromEntries(
    Object.keys(SESSION_DEFAULTS).map((key) => [
      key,
      session[key as keyof SessionJsonFields] ?? SESSION_DEFAULTS[key as keyof SessionJsonFields],
    ]),
  );
  return {
    id,
    name,
    type,
    channel_id,
    character_id,
    character_ids: character_ids.length > 1 ? JSON.stringify(character_ids) : "",
    favorite: Number(favorite),
    pinned: Number(pinned),
    archived: Number(archived),
    folder: session.folder ?? "",
    is_temporary: Number(session.is_temporary ?? false),
    fields: JSON.stringify(fields),
    created_at,
    updated_at,
    revision,
  };
}

export function fromSessionRow(row: SessionTable, running: boolean, nowMs: number): Session {
  const fields: Partial<SessionJsonFields> = JSON.parse(row.fields);
  return {
    ...SESSION_DEFAULTS,
    ...fields,
    proactive_chat: { ...SESSION_DEFAULTS.proactive_chat, ...fields.proactive_chat },
    id: row.id,
    key: sessionKey(row.id),
    name: row.name,
    type: row.type as Session["type"],
    channel_id: row.channel_id,
    character_id: row.character_id,
    character_ids: row.character_ids === "" ? toList(row.character_id) : JSON.parse(row.character_ids),
    favorite: row.favorite === 1,
    pinned: row.pinned === 1,
    archived: row.archived === 1,
    folder: row.folder,
    is_temporary: row.is_temporary === 1,
    archived_message_count: row.archived_count,
    message_count: row.message_count,
    last_message: toLastMessage(row),
    last_message_at: row.last_message_at,
    running,
    is_public: row.public_until !== null && Number(row.public_until) > nowMs,
    created_at: row.created_at,
    updated_at: row.updated_at,
    revision: row.revision,
  };
}

function toList(characterId: string | null): readonly string[] {
  return characterId === null ? [] : [characterId];
}

function toLastMessage(row: SessionTable): Session["last_message"] {
  if (row.last_id === null) return null;
  return {
    id: row.last_id,
    role: row.last_role as Message["role"],
    sender: row.last_sender ?? "",
    preview: row.last_preview ?? "",
    timestamp: row.last_message_at ?? "",
  };
}

/** Fields of a message that are stored together as JSON. */
type MessageJsonFields = Omit<
  Message,
  | "id"
  | "session_id"
  | "seq"
  | "role"
  | "kind"
  | "hidden"
  | "sender"
  | "content"
  | "timestamp"
  | "trace_id"
  | "rating"
  | "revision"
>;

const MESSAGE_DEFAULTS: MessageJsonFields = {
  attachments: [],
  sender_id: null,
  source: "web",
  character_id: null,
  edited_at: null,
  reply_to: null,
  temp_id: null,
  filtered: false,
  filter_blocked: false,
  filter_rule_count: 0,
  error: null,
  stopped: false,
  stop_reason: null,
  model: null,
  model_id: null,
  usage: null,
  thinking: null,
  tool_calls: [],
  audio_url: null,
  metadata: {},
};
const MESSAGE_FIELD_NAMES = [...Object.keys(MESSAGE_DEFAULTS), "elements"] as readonly (keyof MessageJsonFields)[];

/** Creates a message with defaults for omitted fields. Its `seq` is assigned when it is stored. */
export function newMessage(fields: Partial<Message> & Pick<Message, "id" | "session_id" | "timestamp">): Message {
  return {
    ...MESSAGE_DEFAULTS,
    seq: 0,
    role: "user",
    kind: "normal",
    content: "",
    sender: "",
    trace_id: null,
    hidden: false,
    rating: null,
    revision: 1,
    ...fields,
  };
}

export function toMessageRow(
  message: Message,
  place: Place = "live",
): Omit<MessageTable, "platform_message_id" | "rating"> {
  const { id, session_id, seq, role, kind, hidden, sender, content, timestamp, trace_id, revision } = message;
  return {
    id,
    session_id,
    seq,
    place,
    role,
    kind,
    hidden: Number(hidden),
    sender,
    content,
    timestamp,
    trace_id,
    fields: serializeFields(message),
    revision,
  };
}

/** Serializes the fields that differ from their defaults. */
function serializeFields(message: Message): string {
  const changed: Record<string, unknown> = {};
  for (const key of MESSAGE_FIELD_NAMES)
    if (!isDefault(message[key], MESSAGE_DEFAULTS[key])) changed[key] = message[key];
  return JSON.stringify(changed);
}

function isDefault(value: unknown, fallback: unknown): boolean {
  if (typeof fallback !== "object" || fallback === null || typeof value !== "object" || value === null)
    return value === fallback;
  for (const _key in value) return false;
  return true;
}

export function fromMessageRow(row: MessageTable): Message {
  return {
    ...MESSAGE_DEFAULTS,
    sender: row.sender,
    // Older rows have the sender among the JSON fields.
    ...JSON.parse(row.fields),
    id: row.id,
    session_id: row.session_id,
    seq: row.seq,
    role: row.role as Message["role"],
    kind: row.kind as Message["kind"],
    hidden: row.hidden === 1,
    content: row.content,
    timestamp: row.timestamp,
    trace_id: row.trace_id,
    rating: row.rating as Message["rating"],
    revision: row.revision,
  };
}
