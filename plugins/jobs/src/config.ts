import Joi from "@hapi/joi";

export interface JobsConfig {
  readonly concurrency: number;
  readonly drain_s: number;
  readonly keep_done_days: number;
  readonly keep_dead_days: number;
  readonly keep_most: number;
}

export const jobsConfig = Joi.object<JobsConfig, true>({
  concurrency: Joi.number().integer().min(1).max(1_000).default(32).description("Jobs that run at the same time"),
  drain_s: Joi.number()
    .min(0)
    .max(5)
    .default(2)
    .description("Seconds for jobs to finish when the service stops. Unfinished jobs run again at the next start"),
  keep_done_days: Joi.number().min(1).max(3_650).default(7).description("Days to keep finished jobs"),
  keep_dead_days: Joi.number().min(1).max(3_650).default(30).description("Days to keep failed and cancelled jobs"),
  keep_most: Joi.number()
    .integer()
    .min(1_000)
    .max(10_000_000)
    .default(50_000)
    .description("Maximum number of finished jobs. The oldest are removed first"),
});
