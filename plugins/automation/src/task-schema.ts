import Joi from "@hapi/joi";
import { answered, displayName, labelled, type Resource, resource, textOf, timestamp } from "@parley/core";
import { runFields } from "./run-views.ts";
import { timing } from "./workflow-schema.ts";

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

const title = (en: string, zh: string) => ({ title: { en, zh } });

/** What is said to the AI at its time (contract automation §5). */
export const tasks: Resource<TaskFields> = resource<TaskFields>({
  kind: "task",
  path: "/api/task-center",
  param: "task_id",
  idPrefix: "task",
  chosenId: Joi.string().pattern(/^task_[0-9a-z]{20}$/),
  title: { one: { en: "task", zh: "任务" }, many: { en: "tasks", zh: "任务" } },
  about: {
    en: "Something the AI is asked at its time: each morning, every hour, or once.",
    zh: "到时间向 AI 提出的请求：每天早上、每小时，或只一次。",
  },
  fields: {
    name: labelled(displayName(100).required(), title("Name", "名称")),
    description: labelled(textOf(4_000).default(""), title("Description", "说明")),
    enabled: labelled(Joi.boolean().default(true), title("Runs by itself", "自动运行")),
    trigger: labelled(Joi.string().valid("interval", "cron", "date").default("interval"), {
      ...title("When", "时间"),
      options: {
        interval: { en: "every so often", zh: "按间隔" },
        cron: { en: "at times of the calendar", zh: "按日历时间" },
        date: { en: "once", zh: "一次" },
      },
    }),
    config: labelled(Joi.object({ ...timing, run_at: timestamp() }).default({}), title("Settings", "设置")),
    prompt: labelled(textOf(20_000).min(1).disallow("").required(), {
      ...title("What the AI is asked", "向 AI 提出的请求"),
      widget: "textarea",
    }),
    target_session_id: labelled(textOf(200).trim().min(1).allow(null).default(null), {
      ...title("Conversation", "会话"),
      help: { en: "Empty: one of its own", zh: "留空：使用自己的会话" },
    }),
  },
  derived: {
    kind: labelled(Joi.string().valid("custom", "heartbeat", "workflow").required(), title("Kind", "类型")),
    trigger_label: answered.text,
    editable: answered.flag,
    deletable: answered.flag,
    session_id: labelled(Joi.string().allow(null).required(), title("Conversation of its runs", "运行会话")),
    status: labelled(runFields.status, title("Last run", "上次运行")),
    started_at: runFields.started_at,
    finished_at: runFields.finished_at,
    next_run: labelled(runFields.next_run, title("Next run", "下次运行")),
    last_error: runFields.last_error,
    run_count: labelled(answered.count, title("Runs", "次数")),
    skipped_count: answered.count,
    last_run: runFields.last_run,
    recent_runs: runFields.recent_runs,
  },
  filters: ["enabled", "trigger"],
  sort: ["name", "-updated_at"],
  most: 1_000,
  verbs: ["create", "update", "remove"],
  columns: ["name", "trigger", "enabled", "status", "next_run", "run_count"],
});
