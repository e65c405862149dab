import Joi from "@hapi/joi";
import { type Finding, MODEL_PURPOSES, SETTING_GROUPS, type UsageRow, type UsageSum, withPattern } from "@parley/core";
import { answerFields, envelopeOf, failureDetailShape, itemFailureFields, listData, shape } from "@parley/core/http";
import { LEVELS, type StoredLog } from "./logs/log-store.ts";

const { id, text, time, flag, count, number, texts, record, anything, word, orNull, listOf, mapOf, either } =
  answerFields;
const day = withPattern(Joi.string(), /^\d{4}-\d{2}-\d{2}$/, { en: "must be a day", zh: "须为日期，例如 2026-01-06" });

const localized = answerFields.localized;
const definition = shape(
  {
    key: text,
    group: word(...SETTING_GROUPS),
    title: localized,
    help: orNull(localized),
    schema: record,
    default: anything,
    restart_required: flag,
  },
  "SettingDefinition",
);
/** The effective settings, nested by the parts of their keys; includes unknown ones. */
export const settingsData = Joi.object({
  revision: count.required(),
  _meta: shape({
    sources: mapOf(word("file", "env", "default")),
    restart_required: texts,
    definitions: listOf(definition),
    revision: count,
  }).required(),
}).unknown();

export const logData = shape<StoredLog>(
  {
    id,
    time,
    level: word(...LEVELS),
    source: text,
    message: text,
    message_detail: orNull(failureDetailShape),
    important: flag,
    trace_id: orNull(text),
    context: record,
  },
  "LogLine",
);
export const logList = listData(logData);
export const logLines = { "application/x-ndjson": text };
export const clearedLogs = shape({ deleted: count });
export const removedFilesData = shape({ removed_files: count, freed_bytes: count, files: texts });

const cached = { cache_read_tokens: count, cache_write_tokens: count };
const sums = {
  input_tokens: count,
  output_tokens: count,
  total_tokens: count,
  ...cached,
  requests: count,
  cost: number,
};
const usageSum = shape<UsageSum>(sums, "UsageSum");
const named = listOf(shape({ ...sums, id: text, name: text, average_ms: number }, "NamedUsage"));
const usageRow = shape<UsageRow>(
  {
    id,
    time,
    model_id: text,
    model: text,
    purpose: word(...MODEL_PURPOSES),
    session_id: orNull(text),
    user: orNull(text),
    trace_id: orNull(text),
    input_tokens: count,
    output_tokens: count,
    total_tokens: count,
    ...cached,
    cost: orNull(number),
    duration_ms: number,
    ok: flag,
  },
  "UsageRow",
);
export const usageData = shape({
  range: shape({ start_date: day, end_date: day, timezone: text }),
  today: usageSum,
  month: usageSum,
  total: usageSum,
  message_count: count,
  avg_tokens_per_message: number,
  estimated_cost: number,
  currency: text,
  active_sessions: count,
  avg_response_time_ms: number,
  history: listOf(shape({ ...sums, date: day }, "UsageDay")),
  models: named,
  purposes: named,
  sessions: named,
  recent_records: listOf(usageRow),
});
const ranking = listOf(shape({ id: text, name: text, value: number }, "Ranked"));
export const rankingsData = shape({ sessions: ranking, models: ranking, users: ranking, purposes: ranking });
export const exportedUsage = {
  "text/csv": text,
  "application/json": envelopeOf(shape({ records: listOf(usageRow), total: count })),
};

export const statisticsData = shape({
  today_messages: count,
  total_messages: count,
  active_sessions: count,
  token_usage: usageSum,
  imA_connected: flag,
  ai_service_status: word("normal", "degraded", "not_configured"),
  platform_count: count,
  uptime_s: count,
  today_active_users: count,
  ai_calls: count,
  file_transfers: count,
  avg_response_time_ms: number,
  characters: count,
  world_books: count,
  documents: count,
  memories: count,
});
const values = listOf(count);
export const messageSeries = shape(
  {
    period: word("day", "week", "month"),
    labels: texts,
    values,
    user_values: values,
    assistant_values: values,
  },
  "MessageSeries",
);
export const platformList = listData(shape({ name: text, channel_id: id, value: count }));

const component = shape({ name: text, state: word("ok", "degraded", "down"), error: orNull(text) });
const state = word("running", "disabled", "failed");
const startedPackage = shape({
  name: text,
  version: text,
  state,
  error: orNull(text),
  error_detail: orNull(failureDetailShape).optional(),
});
/** Without a credential only the first two fields are returned. */
export const startStatusData = shape(
  {
    ready: flag,
    phase: word("starting", "ready", "degraded", "failed", "draining"),
    error: orNull(text).optional(),
    version: text.optional(),
    started_at: time.optional(),
    uptime_s: count.optional(),
    bot_connected: flag.optional(),
    components: listOf(component).optional(),
    packages: listOf(startedPackage).optional(),
  },
  "StartStatus",
);
export const findingList = listData(
  shape<Finding>(
    {
      key: text,
      level: word("warning", "problem"),
      said: localized,
      advice: localized,
      parameters: mapOf(either(text, number)).optional(),
      page: text.optional(),
    },
    "Finding",
  ),
);
/** A later start time means that the restart is complete. */
export const restartData = shape({ asked_at: time });
export const reloadData = shape({
  reloaded: texts,
  failed: listOf(shape({ name: text, ...itemFailureFields })),
  duration_ms: number,
  reloaded_count: count,
  failed_count: count,
});
export const configReloadData = shape({
  changed: texts,
  restart_required: texts,
  warnings: texts,
  warning_texts: listOf(answerFields.localized).optional(),
});

export const commandList = listData(
  shape(
    {
      name: text,
      aliases: texts,
      usage: text,
      usage_texts: localized,
      help_text: text,
      help: localized,
      category: text,
      category_name: text,
      admin_only: flag,
      package: text,
      channels: texts,
    },
    "Command",
  ),
);
