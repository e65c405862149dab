import {
  answered,
  batchData,
  deletedData,
  envelopeOf,
  extended,
  listData,
  messageShape,
  sessionItemShape,
  sessionShape,
  shape,
  toldFailureShape,
  turnUsageShape,
  usageShape,
  without,
} from "@parley/core";
import type { Stored } from "./adding.ts";
import type { AskedModels } from "./ask-models.ts";
import type { Answer, Fork } from "./branches.ts";
import type { Folder } from "./folders.ts";
import type { Favorite, PlacedFavorite } from "./kept-messages.ts";
import type { Found } from "./message-search.ts";

const { id, text, time, flag, count, number, texts, record, anything, word, orNull, listOf, either } = answered;
const error = orNull(toldFailureShape);

export const sessionList = listData(sessionItemShape, { next_cursor: orNull(text) });
export const folderList = listData(shape<Folder>({ name: text, count }, "SessionFolder"));
export const changedFolder = shape({ changed: count });
export const messageList = listData(messageShape);

const stored = shape<Stored>(
  { message: orNull(messageShape), filtered: flag, blocked: flag, rule_ids: texts },
  "Stored",
);
const delivery = orNull(shape({ id, status: word("pending", "delivered", "dead", "expired") }));
/** With `deliver` it says how far it came. */
export const storedData = extended(stored, { delivery: delivery.optional() }, "StoredMessage");

export const changedMessage = shape({
  message: messageShape,
  filtered: flag,
  blocked: flag,
  removed_count: count,
  removed_ids: texts,
});
export const removedMessage = extended(deletedData, { message_count: count });
export const clearedMessages = shape({ deleted: count });

const favorite = shape<Favorite>(
  {
    id,
    title: text,
    created_at: time,
    updated_at: time,
    message_ids: texts,
    messages: listOf(messageShape),
  },
  "MessageFavorite",
);
export const favoriteList = listData(favorite);
export const allFavorites = listData(
  extended<PlacedFavorite>(favorite, { session_id: id, session_name: text }, "PlacedFavorite"),
);
export const changedFavorite = either(favorite, deletedData);

const found = shape<Found>(
  { session_id: id, session_name: text, message_id: id, role: text, sender: text, timestamp: time, excerpt: text },
  "FoundMessage",
);
export const foundMessages = listData(found);

const fork = shape<Fork>(
  { after_id: orNull(id), variants: listOf(shape({ branch_id: orNull(id), message_id: id })) },
  "Fork",
);
export const forkList = shape({ items: listOf(fork) });
export const answerList = shape({
  items: listOf(shape<Answer>({ branch_id: orNull(id), message: messageShape }, "Answer")),
});
export const shownBranch = shape({ shown_ids: texts, removed_ids: texts });

const turnFields = {
  trace_id: id,
  user_message: orNull(messageShape),
  replies: listOf(messageShape),
  filtered: flag,
  blocked: flag,
  stopped: flag,
  usage: turnUsageShape,
};
export const turnResult = shape(turnFields, "TurnResult");
export const startedTurn = shape({ trace_id: id, user_message: orNull(messageShape), blocked: flag }, "StartedTurn");
export const answeredAgain = shape({ ...turnFields, removed_ids: texts });
export const startedAgain = shape({ trace_id: id, removed_ids: texts });
export const askedModels = shape<AskedModels>({ trace_ids: texts, message_id: id, blocked: flag }, "AskedModels");
export const continuing = shape({ trace_id: id });
export const stoppedTurns = shape({ stopped: flag, trace_ids: texts });

export const debugData = shape({
  session_id: id,
  key: id,
  in_memory: flag,
  stored: flag,
  channel: orNull(shape({ id, type: id, state: id })),
  counts: shape({ messages: count, archived: count, hidden: count }),
  running: listOf(shape({ trace_id: id, started_at: time, stage: text })),
  queued_turns: count,
  last_turn: orNull(
    shape({
      trace_id: id,
      model_id: orNull(text),
      duration_ms: orNull(number),
      usage: orNull(usageShape),
      error,
    }),
  ),
  prompt_layers: listOf(shape({ key: text, priority: number, chars: count, source: text, text })),
  state_scope: id,
  subscribers: count,
});

export const compressed = shape({
  compressed_count: count,
  summary: text,
  summary_message_id: id,
  archived_message_count: count,
});
export const summarized = shape({ summary: text, saved_memories: listOf(anything) });
export const restored = shape({
  turns_requested: count,
  turns_restored: count,
  messages_restored: count,
  archive_messages_remaining: count,
  insert_index: count,
});
export const promptData = shape({ content: text, exists: flag, updated_at: orNull(time) });
export const removedPrompt = shape({ exists: flag });

export const timelineEntry = shape(
  {
    id,
    session_id: id,
    character_id: id,
    message_id: orNull(id),
    message_index: count,
    timestamp: time,
    source: word("auto", "manual"),
    state: record,
    relationship: record,
    user_message: text,
    assistant_message: text,
  },
  "TimelineEntry",
);
export const timelineList = listData(timelineEntry);

const exportedSession = extended(
  without(sessionShape, ["running", "from_channel"]),
  {
    messages: listOf(messageShape),
    archived_messages: listOf(messageShape),
    custom_prompt: text,
    favorites: listOf(anything),
    timeline: listOf(anything),
    state: orNull(record),
    relationship: orNull(record),
    plugins: record,
  },
  "ExportedSession",
);
const packaged = shape(
  {
    version: count,
    type: text,
    exported_at: time,
    sessions: listOf(exportedSession),
    total: count,
    missing: texts.optional(),
  },
  "SessionPackage",
);
/** In the envelope, or as a file. */
export const exportedJson = { "application/json": either(envelopeOf(packaged), packaged) };
export const exportedOne = { ...exportedJson, "text/markdown": text };

const importedItem = shape({
  index: count,
  id,
  name: text,
  source_id: orNull(text),
  // Parts of plugins that are not here.
  left_out: texts.optional(),
});
export const importedData = batchData(["imported"], { items: listOf(importedItem), filtered_messages: count });
export const greetingsData = shape({ items: texts });
