import { failuresOf } from "@parley/core";

/** Creates localized errors about jobs and schedules. */
export const jobFailure = failuresOf("jobs", {
  canceled: { en: "the job was cancelled", zh: "作业已取消" },
  changed: { en: "job '{id}' has changed", zh: "作业“{id}”已有变化" },
  crash_loop: { en: "the process crashed repeatedly while running it", zh: "运行此作业时进程反复退出" },
  cron_day: { en: "no such date exists", zh: "没有这样的日期" },
  cron_fields: {
    en: "must be five fields, 'minute hour day month weekday'",
    zh: "必须是五个字段：分 时 日 月 星期",
  },
  cron_never: { en: "no such time exists", zh: "没有这样的时间" },
  cron_wrong: { en: "{reason}", zh: "不是有效的 cron 表达式（{reason}）" },
  failed: { en: "the job failed: see the log for the reason", zh: "执行失败，原因见日志" },
  interrupted: {
    en: "interrupted: it is unknown whether the step '{name}' completed",
    zh: "运行中断，无法确定步骤“{name}”是否已完成",
  },
  is_done: { en: "job '{id}' is done", zh: "作业“{id}”已完成" },
  is_over: { en: "job '{id}' has ended", zh: "作业“{id}”已结束" },
  late: { en: "the job took too long", zh: "作业运行时间过长" },
  many_wait: { en: "too many jobs of the kind '{kind}' are waiting", zh: "等待中的“{kind}”作业过多" },
  no_job: { en: "there is no job with this key", zh: "没有使用此键的作业" },
  no_kind: { en: "no enabled plugin supports '{kind}'", zh: "没有已启用的插件支持“{kind}”" },
  no_zone: { en: "there is no time zone of this name", zh: "没有此名称的时区" },
  not_stored: {
    en: "the job's result does not match what is stored",
    zh: "作业的结果与已存储的内容不符",
  },
  payload_large: { en: "is larger than 64 KiB", zh: "超过 64 KiB" },
  payload_wrong: { en: "{reason}", zh: "作业的内容不符合要求（{reason}）" },
  runs_already: { en: "job '{id}' is already running", zh: "作业“{id}”正在运行" },
  schedule_busy: {
    en: "a run of schedule '{id}' is already waiting or running",
    zh: "计划“{id}”已有作业在等待或运行",
  },
  secrets_gone: {
    en: "job '{id}' cannot run again: the secrets it needs were deleted when it ended",
    zh: "作业“{id}”不能再次运行：所需的密钥已在结束时删除",
  },
  steps_unknown: {
    en: "it is unknown whether {steps} completed: with confirm it is done again",
    zh: "无法确定 {steps} 是否已完成，确认后将再次执行",
  },
  time_over: { en: "the schedule's time has passed", zh: "计划的时间已过" },
});
