import Joi from "@hapi/joi";
import { withLabel } from "@parley/core";

export interface JobsConfig {
  readonly concurrency: number;
  readonly drain_s: number;
  readonly keep_done_days: number;
  readonly keep_dead_days: number;
  readonly keep_most: number;
}

export const jobsConfig = Joi.object<JobsConfig, true>({
  concurrency: withLabel(Joi.number().integer().min(1).max(1_000).default(32), {
    title: { en: "Concurrent jobs", zh: "同时运行的后台任务数" },
    help: { en: "Jobs that run at the same time", zh: "同时运行的后台任务数" },
  }),
  drain_s: withLabel(Joi.number().min(0).max(5).default(2), {
    title: { en: "Time to finish when the service stops (seconds)", zh: "停止服务时的等待时间（秒）" },
    help: {
      en: "Seconds for jobs to finish when the service stops. Unfinished jobs run again at the next start",
      zh: "服务停止时留给后台任务结束的时间（秒）；未结束的后台任务在下次启动时重新运行",
    },
  }),
  keep_done_days: withLabel(Joi.number().min(1).max(3_650).default(7), {
    title: { en: "Keep finished jobs for (days)", zh: "已完成的后台任务保留（天）" },
    help: { en: "Days to keep finished jobs", zh: "已完成的后台任务保留的天数" },
  }),
  keep_dead_days: withLabel(Joi.number().min(1).max(3_650).default(30), {
    title: { en: "Keep failed and cancelled jobs for (days)", zh: "已失败或取消的后台任务保留（天）" },
    help: { en: "Days to keep failed and cancelled jobs", zh: "失败或取消的后台任务保留的天数" },
  }),
  keep_most: withLabel(Joi.number().integer().min(1_000).max(10_000_000).default(50_000), {
    title: { en: "Maximum finished jobs kept", zh: "已完成的后台任务上限（个）" },
    help: {
      en: "Maximum number of finished jobs. The oldest are removed first",
      zh: "已完成后台任务的最大数量，超出时先删除最早的",
    },
  }),
});
