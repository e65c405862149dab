import Joi from "@hapi/joi";
import { type Resource, resource, textOf, timestamp, withLabel } from "@parley/core";
import { answerFields } from "@parley/core/http";
import { enabledField, listOptions, nameField, runRecordFields, title, toIdentity } from "../record-fields.ts";
import { timing } from "../workflows/workflow-schema.ts";

export interface TaskConfig {
  readonly cron?: string;
  readonly interval_minutes?: number;
  readonly timezone?: string;
  readonly run_at?: string;
}

export interface TaskFields {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly trigger: "interval" | "cron" | "date";
  readonly config: TaskConfig;
  readonly prompt: string;
  readonly target_session_id: string | null;
}

/** Prompts that the AI gets at set times. */
export const tasks: Resource<TaskFields> = resource<TaskFields>({
  ...toIdentity("task", "/api/task-center", "task"),
  title: { one: { en: "task", zh: "任务" }, many: { en: "tasks", zh: "任务" } },
  about: {
    en: "A prompt the AI gets at a set time: every morning, every hour, or once.",
    zh: "在设定的时间发给 AI 的提示词：每天早上、每小时，或仅一次。",
  },
  fields: {
    name: nameField,
    description: withLabel(textOf(4_000).default(""), title("Description", "说明")),
    enabled: enabledField,
    trigger: withLabel(Joi.string().valid("interval", "cron", "date").default("interval"), {
      ...title("When", "时间"),
      options: {
        interval: { en: "at an interval", zh: "按间隔" },
        cron: { en: "on a schedule", zh: "按计划" },
        date: { en: "once", zh: "一次" },
      },
    }),
    config: withLabel(Joi.object({ ...timing, run_at: timestamp() }).default({}), title("Settings", "设置")),
    prompt: withLabel(textOf(20_000).min(1).disallow("").required(), {
      ...title("Prompt", "提示词"),
      widget: "textarea",
    }),
    target_session_id: withLabel(textOf(200).trim().min(1).allow(null).default(null), {
      ...title("Conversation", "会话"),
      help: { en: "Empty: a conversation of its own", zh: "留空：使用单独的会话" },
    }),
  },
  derived: {
    kind: withLabel(Joi.string().valid("custom", "heartbeat", "workflow").required(), title("Kind", "类型")),
    trigger_label: answerFields.text.required(),
    editable: answerFields.flag.required(),
    deletable: answerFields.flag.required(),
    session_id: withLabel(Joi.string().allow(null).required(), title("Conversation of its runs", "运行会话")),
    ...runRecordFields,
  },
  ...listOptions,
  verbs: ["create", "update", "remove"],
});
