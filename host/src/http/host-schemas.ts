import type { PluginStatus } from "@parley/core";
import { answerFields, failureDetailShape, listData, shape } from "@parley/core/http";

const { id, text, flag, count, texts, record, word, orNull } = answerFields;

export const pluginShape = shape<PluginStatus>(
  {
    id,
    title: answerFields.localized,
    about: answerFields.localized,
    icon: orNull(text).optional(),
    package: text,
    version: text,
    path: text,
    state: word("running", "disabled", "failed"),
    enabled: flag,
    required: flag,
    required_reason: orNull(text),
    required_texts: orNull(answerFields.localized),
    failure: orNull(text),
    failure_detail: orNull(failureDetailShape).optional(),
    adds: texts,
    config_schema: orNull(record),
    config: record,
    needed_by: texts.optional(),
    add_again: orNull(text).optional(),
    revision: count,
  },
  "Plugin",
);
export const removedPluginSchema = shape({ id, deleted: flag, add_again: text });
export const pluginListSchema = listData(pluginShape);
