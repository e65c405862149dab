import Joi from "@hapi/joi";
import {
  JOB_STATUSES,
  type Job,
  type JobDetail,
  type JobQuery,
  type Jobs,
  localizedErrorShape,
  type RouteTable,
  reply,
  route,
  type Schedule,
  type Schedules,
} from "@parley/core";
import { answerFields, extend, failureDetailShape, listData, listQuery, shape, toggleBody } from "@parley/core/http";

const PREVIEW_COUNT = 5;
const { text, id, time, flag, count, listOf, orNull, word, anything } = answerFields;
const titles = orNull(answerFields.localized).description("Of its kind; null when the plugin of the kind is off");
const status = word(...JOB_STATUSES);

const job = shape<Job>(
  {
    id,
    kind: text,
    titles,
    status,
    key: orNull(text),
    priority: count,
    failures: count.description("Tries that failed"),
    progress: orNull(Joi.number().min(0).max(1)),
    progress_text: text,
    error: orNull(localizedErrorShape),
    run_at: time,
    created_at: time,
    started_at: orNull(time),
    finished_at: orNull(time),
    schedule_id: orNull(id),
    trace_id: orNull(id),
    secrets_gone: flag.description("True when it cannot run again, because its secrets were deleted when it ended"),
  },
  "Job",
);
const jobDetail = extend<JobDetail>(
  job,
  {
    payload: anything.description("Secrets masked"),
    logs: listOf(shape({ at: time, text, detail: failureDetailShape.optional() })),
    steps: listOf(shape({ name: text, state: word("started", "done") })),
  },
  "JobDetail",
);
const schedule = shape<Schedule & { readonly next_runs: readonly string[] }>(
  {
    id,
    kind: text,
    titles,
    cron: orNull(text),
    every_ms: orNull(count),
    at: orNull(time),
    timezone: orNull(text),
    enabled: flag,
    made_up_within_ms: count,
    next_run: orNull(time),
    next_runs: listOf(time),
    last_run: orNull(time),
    last_job: orNull(shape({ id, status })),
    run_count: count,
    skipped_count: count.description("Number of skipped starts"),
  },
  "Schedule",
);

const jobQuery = listQuery<JobQuery>({
  kind: Joi.string().max(100),
  status: Joi.valid(...JOB_STATUSES),
  q: Joi.string().max(200),
});
const confirm = Joi.object<{ confirm: boolean }, true>({ confirm: Joi.boolean().strict().default(false) });

/** Routes for operators to view and control jobs and schedules. */
export function createJobRoutes(jobs: Jobs, schedules: Schedules): RouteTable {
  const withNextRuns = (one: Schedule) => ({ ...one, next_runs: listNextRuns(schedules, one) });
  return [
    route({
      method: "GET",
      path: "/api/jobs",
      summary: "list jobs, newest first; waiting ones by their time",
      query: jobQuery,
      data: listData(job),
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
      data: listData(schedule),
      async run({ query }) {
        const { items, ...page } = await schedules.list(query);
        return { items: items.map(withNextRuns), ...page };
      },
    }),
    route({
      method: "POST",
      path: "/api/schedules/{schedule_id}/run",
      summary: "run a schedule now; its next time stays",
      scope: "admin",
      body: Joi.object<object, true>({}),
      data: shape({ job_id: id }),
      run: async ({ params }) => reply({ data: { job_id: (await schedules.run(params.schedule_id)).jobId } }),
    }),
    route({
      method: "POST",
      path: "/api/schedules/{schedule_id}/toggle",
      summary: "switch a schedule on or off",
      scope: "admin",
      body: toggleBody,
      data: schedule,
      async run({ params: { schedule_id }, body }) {
        const enabled = body.enabled ?? !(await schedules.get(schedule_id)).enabled;
        return withNextRuns(await schedules.setEnabled(schedule_id, enabled));
      },
    }),
  ];
}

/** Returns the next times. The first is the stored one, since the timing does not show when an interval began. */
function listNextRuns(schedules: Schedules, { next_run, cron, every_ms, timezone }: Schedule): readonly string[] {
  if (next_run === null) return [];
  if (cron === null && every_ms === null) return [next_run];
  const first = Date.parse(next_run);
  const zone = timezone === null ? {} : { timezone };
  const times =
    cron === null
      ? Array.from({ length: PREVIEW_COUNT }, (_, at) => first + at * (every_ms ?? 0))
      : [first, ...schedules.preview({ cron, ...zone }, PREVIEW_COUNT).filter((ms) => ms > first)].slice(
          0,
          PREVIEW_COUNT,
        );
  return times.map((ms) => new Date(ms).toISOString());
}
