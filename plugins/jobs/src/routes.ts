import Joi from "@hapi/joi";
import {
  JOB_STATUSES,
  type JobQuery,
  type Jobs,
  listQuery,
  type RouteTable,
  reply,
  route,
  type Schedule,
  type Schedules,
} from "@parley/core";

const PREVIEW = 5;
const text = Joi.string().allow("");
const time = Joi.string().isoDate();
const titles = Joi.object({ en: text.required(), zh: text.required() }).allow(null).required();
const count = Joi.number().integer().min(0).required();

const job = Joi.object({
  id: Joi.string().required(),
  kind: Joi.string().required(),
  titles: titles.description("Of its kind; null when the plugin of the kind is off"),
  status: Joi.valid(...JOB_STATUSES).required(),
  key: Joi.string().allow(null).required(),
  priority: Joi.number().integer().required(),
  failures: count.description("Tries that failed"),
  progress: Joi.number().min(0).max(1).allow(null).required(),
  progress_text: text.required(),
  error: Joi.object({ code: Joi.string().required(), error: text.required() }).allow(null).required(),
  run_at: time.required(),
  created_at: time.required(),
  started_at: time.allow(null).required(),
  finished_at: time.allow(null).required(),
  schedule_id: Joi.string().allow(null).required(),
  trace_id: Joi.string().allow(null).required(),
});
const jobDetail = job.keys({
  payload: Joi.any().description("Secrets masked"),
  logs: Joi.array()
    .items(Joi.object({ at: time.required(), text: text.required() }))
    .required(),
  steps: Joi.array()
    .items(Joi.object({ name: Joi.string().required(), state: Joi.valid("started", "done").required() }))
    .required(),
});
const schedule = Joi.object({
  id: Joi.string().required(),
  kind: Joi.string().required(),
  titles,
  cron: Joi.string().allow(null).required(),
  every_ms: Joi.number().integer().allow(null).required(),
  at: time.allow(null).required(),
  timezone: Joi.string().allow(null).required(),
  enabled: Joi.boolean().required(),
  made_up_within_ms: count,
  next_run: time.allow(null).required(),
  next_runs: Joi.array().items(time).required(),
  last_run: time.allow(null).required(),
  last_job: Joi.object({ id: Joi.string().required(), status: Joi.valid(...JOB_STATUSES).required() })
    .allow(null)
    .required(),
  run_count: count,
  skipped_count: count.description("Starts that were left out"),
});
const listOf = (item: Joi.Schema) =>
  Joi.object({ items: Joi.array().items(item).required(), total: count, limit: count, offset: count });

const jobQuery = listQuery<JobQuery>({
  kind: Joi.string().max(100),
  status: Joi.valid(...JOB_STATUSES),
  q: Joi.string().max(200),
});
const confirm = Joi.object<{ confirm: boolean }, true>({ confirm: Joi.boolean().strict().default(false) });
const enabled = Joi.object<{ enabled: boolean }, true>({ enabled: Joi.boolean().strict().required() });

/** What operators see of jobs and schedules, and do to them. */
export function jobRoutes(jobs: Jobs, schedules: Schedules): RouteTable {
  const withNext = (one: Schedule) => ({ ...one, next_runs: nextRuns(schedules, one) });
  return [
    route({
      method: "GET",
      path: "/api/jobs",
      summary: "jobs, newest first; those that wait in the order of their time",
      query: jobQuery,
      data: listOf(job),
      run: ({ query }) => jobs.list(query),
    }),
    route({
      method: "GET",
      path: "/api/jobs/{job_id}",
      summary: "one job with its log and its steps",
      data: jobDetail,
      run: ({ params }) => jobs.get(params.job_id),
    }),
    route({
      method: "POST",
      path: "/api/jobs/{job_id}/retry",
      summary: "run a job again that is dead or cancelled, or now that waits for its time",
      scope: "admin",
      body: confirm,
      data: job,
      run: ({ params, body }) => jobs.retry(params.job_id, body.confirm),
    }),
    route({
      method: "POST",
      path: "/api/jobs/{job_id}/cancel",
      summary: "end a job that waits or runs",
      scope: "admin",
      body: Joi.object<object, true>({}),
      data: job,
      run: ({ params }) => jobs.cancel(params.job_id),
    }),
    route({
      method: "GET",
      path: "/api/schedules",
      summary: "schedules and when they run next",
      query: listQuery(),
      data: listOf(schedule),
      async run({ query }) {
        const { items, ...page } = await schedules.list(query);
        return { items: items.map(withNext), ...page };
      },
    }),
    route({
      method: "POST",
      path: "/api/schedules/{schedule_id}/run",
      summary: "run a schedule now; its next time stays",
      scope: "admin",
      body: Joi.object<object, true>({}),
      data: Joi.object({ job_id: Joi.string().required() }),
      run: async ({ params }) => reply({ data: { job_id: (await schedules.run(params.schedule_id)).jobId } }),
    }),
    route({
      method: "POST",
      path: "/api/schedules/{schedule_id}/toggle",
      summary: "switch a schedule on or off",
      scope: "admin",
      body: enabled,
      data: schedule,
      run: async ({ params, body }) => withNext(await schedules.setEnabled(params.schedule_id, body.enabled)),
    }),
  ];
}

/** The first is the one that is stored; a timing alone does not know where an interval began. */
function nextRuns(schedules: Schedules, { next_run, cron, every_ms, timezone }: Schedule): readonly string[] {
  if (next_run === null) return [];
  if (cron === null && every_ms === null) return [next_run];
  const first = Date.parse(next_run);
  const zone = timezone === null ? {} : { timezone };
  const times =
    cron === null
      ? Array.from({ length: PREVIEW }, (_, at) => first + at * (every_ms ?? 0))
      : [first, ...schedules.preview({ cron, ...zone }, PREVIEW).filter((ms) => ms > first)].slice(0, PREVIEW);
  return times.map((ms) => new Date(ms).toISOString());
}
