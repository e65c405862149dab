import {
  localizedErrorShape,
  messageShape,
  sessionItemShape,
  sessionShape,
  turnUsageShape,
  usageShape,
} from "@parley/core";
import { answerFields, batchData, deletedData, envelopeOf, extend, listData, shape, without } from "@parley/core/http";
import type { Folder } from "../conversations/folders.ts";
import type { StoreResult } from "../messages/add-message.ts";
import type { Answer, BranchPoint } from "../messages/branches.ts";
import type { Favorite, FavoriteWithSession } from "../messages/message-feedback.ts";
import type { MessageHit } from "../messages/message-search.ts";
import type { AskModelsResult } from "../turns/ask-models.ts";

const { id, text, time, flag, count, number, texts, record, anything, word, orNull, listOf, either } = answerFields;
const error = orNull(localizedErrorShape);

export const sessionList = listData(sessionItemShape, { next_cursor: orNull(text) });
export const folderList = listData(shape<Folder>({ name: text, count }, "SessionFolder"));
export const folderChangeData = shape({ changed: count });
export const messageList = listData(messageShape);

const storeResult = shape<StoreResult>(
  { message: orNull(messageShape), filtered: flag, blocked: flag, rule_ids: texts },
  "Stored",
);
const delivery = orNull(shape({ id, status: word("pending", "delivered", "dead", "expired") }));
/** A stored message; a request with `deliver` also returns the state of its delivery. */
export const storedMessageData = extend(storeResult, { delivery: delivery.optional() }, "StoredMessage");

export const messageChangeData = shape({
  message: messageShape,
  filtered: flag,
  blocked: flag,
  removed_count: count,
  removed_ids: texts,
});
export const messageDeletedData = extend(deletedData, { message_count: count });
export const messagesClearedData = shape({ deleted: count });

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
export const allFavoritesData = listData(
  extend<FavoriteWithSession>(favorite, { session_id: id, session_name: text }, "PlacedFavorite"),
);
export const favoriteChangeData = either(favorite, deletedData);

const messageHit = shape<MessageHit>(
  { session_id: id, session_name: text, message_id: id, role: text, sender: text, timestamp: time, excerpt: text },
  "FoundMessage",
);
export const messageSearchData = listData(messageHit);

const fork = shape<BranchPoint>(
  { after_id: orNull(id), variants: listOf(shape({ branch_id: orNull(id), message_id: id })) },
  "Fork",
);
export const forkList = shape({ items: listOf(fork) });
export const answerList = shape({
  items: listOf(shape<Answer>({ branch_id: orNull(id), message: messageShape }, "Answer")),
});
export const branchSwitchData = shape({ shown_ids: texts, removed_ids: texts });

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
export const turnStartedData = shape(
  { trace_id: id, user_message: orNull(messageShape), blocked: flag },
  "StartedTurn",
);
export const regenerateData = shape({ ...turnFields, removed_ids: texts });
export const regenerateStartedData = shape({ trace_id: id, removed_ids: texts });
export const askModelsData = shape<AskModelsResult>({ trace_ids: texts, message_id: id, blocked: flag }, "AskedModels");
export const continueStartedData = shape({ trace_id: id });
export const stopData = shape({ stopped: flag, trace_ids: texts });

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

export const compressData = shape({
  compressed_count: count,
  summary: text,
  summary_message_id: id,
  archived_message_count: count,
});
export const summaryData = shape({ summary: text, saved_memories: listOf(anything) });
export const restoreData = shape({
  turns_requested: count,
  turns_restored: count,
  messages_restored: count,
  archive_messages_remaining: count,
  insert_index: count,
});
export const promptData = shape({ content: text, exists: flag, updated_at: orNull(time) });
export const promptRemovedData = shape({ exists: flag });

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

const exportedSession = extend(
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
const sessionPackage = shape(
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
/** An export as JSON, in the response envelope or as a file. */
export const exportJsonData = { "application/json": either(envelopeOf(sessionPackage), sessionPackage) };
export const exportData = { ...exportJsonData, "text/markdown": text };

const importItem = shape({
  index: count,
  id,
  name: text,
  source_id: orNull(text),
  // Sections of the file that were skipped because their plugins are missing.
  left_out: texts.optional(),
});
export const importData = batchData(["imported"], { items: listOf(importItem), filtered_messages: count });
export const greetingsData = shape({ items: texts });
