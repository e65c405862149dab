import { elementShape } from "../../elements/element-schemas.ts";
import type { LocalizedError } from "../../errors.ts";
import { answerFields, commonFields, extend, failureDetailShape, shape, without } from "../../http/response-schemas.ts";
import type { Attachment } from "../../message.ts";
import { CONVERSATION_SETTING_KEYS, OWN_CONVERSATION_SETTINGS } from "./conversation-settings.ts";
import type { Message, Scene, Session, ToolCallRecord, Usage } from "./sessions.ts";

const { id, text, time, flag, count, number, texts, anything, record, word, orNull, listOf } = answerFields;
const role = word("user", "assistant", "system");

/** Schema of the token usage and cost of model calls. */
export const usageShape = shape<Usage>(
  {
    input_tokens: count,
    output_tokens: count,
    total_tokens: count,
    cache_read_tokens: count.optional(),
    cache_write_tokens: count.optional(),
    cost: orNull(number),
  },
  "Usage",
);

/** Schema of an attachment in answers. */
export const attachmentShape = shape<Attachment>(
  {
    type: word("image", "audio", "video", "file", "sticker"),
    url: text,
    name: text.optional(),
    mime_type: text.optional(),
    size: count.optional(),
    source: text.optional(),
    meta: record.optional(),
  },
  "Attachment",
);

const toolCall = shape<ToolCallRecord>(
  {
    id: text,
    name: text,
    arguments: anything,
    status: word("ok", "error", "denied"),
    result: text,
    duration_ms: number,
  },
  "ToolCall",
);

/** Schema of a stored error. */
export const localizedErrorShape = shape<LocalizedError>(
  { code: text, error: text, detail: failureDetailShape.optional() },
  "ToldFailure",
);

/** Schema of one message of a conversation's history. */
export const messageShape = shape<Message>(
  {
    id,
    session_id: id,
    seq: number,
    role,
    kind: word("normal", "summary", "archive_divider", "notice", "command", "tool"),
    content: text,
    attachments: listOf(attachmentShape),
    elements: listOf(elementShape).optional(),
    sender: text,
    sender_id: orNull(text),
    source: text,
    character_id: orNull(id),
    timestamp: time,
    edited_at: orNull(time),
    reply_to: orNull(id),
    temp_id: orNull(id),
    trace_id: orNull(id),
    filtered: flag,
    filter_blocked: flag,
    filter_rule_count: count,
    error: orNull(localizedErrorShape),
    stopped: flag,
    stop_reason: orNull(word("user", "timeout", "length")),
    model: orNull(text),
    model_id: orNull(text),
    usage: orNull(usageShape),
    thinking: orNull(text),
    tool_calls: listOf(toolCall),
    audio_url: orNull(text),
    hidden: flag,
    rating: orNull(word("good", "bad")).optional(),
    metadata: record,
    revision: count,
  },
  "Message",
);

const scene = shape<Scene>({ at: time, present: texts }, "Scene");

/** Schema of a conversation. */
export const sessionShape = shape<Session>(
  {
    id,
    key: id,
    name: text,
    type: word(
      "web",
      "imA_group",
      "imA_private",
      "imAbot_group",
      "imAbot_private",
      "channel",
      "workflow",
      "task",
      "heartbeat",
    ),
    channel_id: id,
    conversation_id: orNull(text),
    user_id: orNull(text),
    session_mode: word("character", "plain"),
    system_prompt: text,
    character_id: orNull(id),
    character_ids: texts.optional(),
    speaker_order: word("mention", "round", "judge").optional(),
    scenes: listOf(scene).optional(),
    sender_name: text,
    sender_avatar: text,
    sender_portrait: text,
    scenario: text,
    first_message: text,
    tags: texts,
    folder: text.optional(),
    favorite: flag,
    pinned: flag,
    model_id: orNull(id),
    persona_id: orNull(id).optional(),
    parameters: shape({ temperature: orNull(number), max_tokens: orNull(count) }).optional(),
    from_channel: listOf(word("model_id", "character_id", ...CONVERSATION_SETTING_KEYS)).optional(),
    ...OWN_CONVERSATION_SETTINGS,
    disabled_prompt_keys: texts,
    auto_state_interval: orNull(count),
    proactive_chat: shape({ enabled: flag, idle_minutes: number, prompt: text, daily_limit: number.optional() }),
    tts_config: shape({ enabled: flag, voice: text, speed: number }),
    taken_over: orNull(shape({ by: text, at: time })),
    archived: flag,
    archived_at: orNull(time),
    archived_message_count: count,
    summary: text,
    forked_from: orNull(shape({ session_id: id, message_id: orNull(id), created_at: time })),
    imported_from: orNull(text),
    imported_at: orNull(time),
    is_public: flag,
    is_temporary: flag.optional(),
    message_count: count,
    last_message: orNull(shape({ id, role, sender: text, preview: text, timestamp: time })),
    last_message_at: orNull(time),
    running: flag,
    metadata: record,
    ...commonFields,
  },
  "Session",
);

/** Schema of a conversation in a list, without its longer texts. */
export const sessionItemShape = without(
  sessionShape,
  ["system_prompt", "scenario", "first_message", "metadata"],
  "SessionItem",
);

/** Schema of a turn's usage and its model. */
export const turnUsageShape = extend(usageShape, { model: orNull(text), model_id: orNull(text) }, "TurnUsage");
