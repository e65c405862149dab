import {
  AppError,
  type Clock,
  type Effect,
  type GatewayLog,
  type Job,
  type Jobs,
  type LiveEvents,
  type LocalizedError,
  newId,
  newTraceId,
  notFound,
  notifyApplied,
  type Redaction,
  toLocalizedError,
} from "@parley/core";
import { maskSecrets } from "@parley/core/secrets";
import { readStoredFailure, toInterrupted, toStoredFailure } from "../stored-failures.ts";
import { automationTexts } from "../texts.ts";
import { createRunNotifier } from "./run-notifier.ts";
import type { RunEnd, RunQuery, RunStore } from "./run-store.ts";
import { RECENT_RUN_COUNT, type Run, type RunStep, toRunView, toStepView } from "./run-views.ts";
import type { RunKind, RunTable, RunTrigger, StateTable } from "./tables.ts";

/** Returns the kind of the jobs that execute runs of a kind. */
export const toRunJob = (kind: RunKind): string => `automation.${kind}-run`;
/** Maximum depth to which runs may start other runs. */
const MAX_DEPTH = 5;
const POLL_INTERVAL_MS = 1_000;

/** A run to start. */
export interface RunRequest {
  readonly kind: RunKind;
  readonly ownerId: string;
  readonly ownerName: string;
  readonly trigger: RunTrigger;
  /** The current definition and the provided inputs, as JSON. */
  readonly order: unknown;
  readonly sessionId?: string | null;
  /** Id of the run, for requests that may arrive twice; a new one by default. */
  readonly runId?: string;
  readonly traceId?: string;
  /** The run that starts this one. */
  readonly parent?: Pick<RunTable, "depth" | "owner_name">;
}

export interface RunPage {
  readonly items: readonly Run[];
  readonly has_more: boolean;
}

/** Runs of records. They are durable, run one at a time for each record, and have steps. */
export interface Runs {
  /**
   * Starts a run; resolves when it is stored. Rejects with `conflict` while a run of the record is active. The same
   * `runId` returns the first run.
   */
  start(request: RunRequest): Promise<Run>;
  /** Waits at most `ms` milliseconds for the end of the run, and returns the run as it is then. */
  wait(runId: string, ms: number, signal: AbortSignal): Promise<Run>;
  /** Returns the effect that adds the job of a run. */
  toJob(run: Pick<RunTable, "run_id" | "kind" | "trace_id">): Effect;
  cancel(runId: string): Promise<Run>;
  /** Continues a sleeping run now; returns false while it is at work. */
  wake(runId: string): Promise<boolean>;
  /** Cancels the active run of a record, if any. */
  cancelByOwner(ownerId: string): Promise<void>;
  detail(runId: string): Promise<{ run: Run; steps: readonly RunStep[]; order: unknown; is_cancelable: boolean }>;
  page(query: RunQuery): Promise<RunPage>;
  /** Returns data about the runs of records, by record id. */
  getByOwners(ownerIds: readonly string[]): Promise<ReadonlyMap<string, OwnerRuns>>;
  /** Called when a run starts. */
  onBegun(row: RunTable): void;
  /** Called when the end of a run is stored. */
  onEnded(row: RunTable, end: RunEnd): void;
  /** Called when the end of a run that no worker executes is stored. */
  onAbandoned(runId: string): Promise<void>;
}

export interface OwnerRuns {
  readonly state: StateTable | undefined;
  /** The newest runs first. */
  readonly recent: readonly Run[];
}

export interface RunsDeps {
  readonly store: RunStore;
  readonly jobs: () => Jobs;
  readonly events: LiveEvents;
  readonly log: () => GatewayLog | undefined;
  readonly clock: Clock;
  readonly redaction: Pick<Redaction, "mask">;
  /** Called with each ended run when its end is stored. */
  readonly onRunEnded: (run: Run) => void;
}

export function createRuns(deps: RunsDeps): Runs {
  const { store, jobs, clock, redaction } = deps;
  const notifier = createRunNotifier(deps);
  const waiting = new Map<string, Set<() => void>>();
  const getRow = async (runId: string) => {
    const row = await store.find(runId);
    if (!row) throw notFound("run", runId);
    return row;
  };
  const notifyEnd = (row: RunTable) => {
    for (const resolve of waiting.get(row.run_id) ?? []) resolve();
    waiting.delete(row.run_id);
    const error = readStoredFailure(row);
    notifier.log(
      row,
      row.error === null ? "completed" : "failed",
      error ?? automationTexts.message("trace_done"),
      error,
    );
    notifier.publishStatus(row);
    if (row.kind === "workflow") notifier.publishWorkflowEnd(row);
    deps.onRunEnded(toRunView(row));
  };
  const toJob: Runs["toJob"] = ({ run_id, kind, trace_id }) =>
    jobs().effect(toRunJob(kind), { run_id }, { key: run_id, traceId: trace_id });
  const addRun = async (request: RunRequest, runId: string) => {
    const depth = request.parent ? request.parent.depth + 1 : 0;
    if (depth > MAX_DEPTH) {
      const chain = `'${request.parent?.owner_name}' → '${request.ownerName}'`;
      throw automationTexts.error("conflict", "too_deep", { most: MAX_DEPTH, chain });
    }
    const { kind, ownerId, ownerName, trigger, sessionId = null } = request;
    const traceId = request.traceId ?? newTraceId(clock.now());
    const job = toJob({ run_id: runId, kind, trace_id: traceId });
    const run = { runId, kind, ownerId, ownerName, trigger, depth, traceId, sessionId };
    const results = await store.add({ ...run, order: JSON.stringify(request.order) }, clock.now(), job.writes);
    notifyApplied([job], results as never);
    const row = await getRow(runId);
    notifier.log(row, "received", automationTexts.message(`trace_${kind}`, { name: ownerName }));
    notifier.publishStatus(row);
    return toRunView(row);
  };

  return {
    toJob,
    async start(request) {
      const runId = request.runId ?? newId("run", clock.now());
      for (let attempt = 1; ; attempt += 1) {
        const known = request.runId === undefined ? undefined : await store.find(runId);
        if (known) return toRunView(known);
        try {
          return await addRun(request, runId);
        } catch (error) {
          if (!AppError.is(error) || error.code !== "conflict") throw error;
          const running = (await store.state(request.ownerId))?.running_run;
          if (running === undefined || attempt > 2) throw error;
          if (running !== null && running !== runId)
            throw automationTexts.error("conflict", "busy", { name: request.ownerName, run: running });
        }
      }
    },
    async wait(runId, ms, signal) {
      const until = clock.monotonic() + ms;
      for (;;) {
        const row = await getRow(runId);
        const left = until - clock.monotonic();
        if (row.finished_ms !== null || left <= 0 || signal.aborted) return toRunView(row);
        await new Promise<void>((resolve) => {
          const others = waiting.get(runId) ?? new Set();
          waiting.set(runId, others);
          // The run is polled, because another process may end it.
          const timer = setTimeout(done, Math.min(left, POLL_INTERVAL_MS));
          function done() {
            clearTimeout(timer);
            signal.removeEventListener("abort", done);
            others.delete(done);
            if (others.size === 0) waiting.delete(runId);
            resolve();
          }
          others.add(done);
          signal.addEventListener("abort", done, { once: true });
        });
      }
    },
    async cancel(runId) {
      await getRow(runId);
      if (!(await store.noteCancel(runId))) throw automationTexts.error("conflict", "is_over");
      const job = await findOpenJob(jobs(), runId);
      const ending = job && jobs().cancel(job.id);
      // A job that has just started read the note, and ended the run by itself.
      await ending?.catch(async (error) => {
        if ((await getRow(runId)).status !== "canceled") throw error;
      });
      return toRunView(await getRow(runId));
    },
    wake: (runId) => wakeRun(jobs(), runId),
    async cancelByOwner(ownerId) {
      const running = (await store.state(ownerId))?.running_run;
      if (!running) return;
      try {
        await this.cancel(running);
      } catch (error) {
        // The run has ended in the meantime.
        if (!AppError.is(error)) throw error;
      }
    },
    async detail(runId) {
      const row = await getRow(runId);
      const isRunning = row.finished_ms === null;
      const steps = (await store.steps(runId)).map((step) => toStepView(step, isRunning, redaction));
      const order: unknown = maskSecrets(JSON.parse(row.order_json), redaction);
      return { run: toRunView(row), steps, order, is_cancelable: isRunning && row.cancel_asked === 0 };
    },
    async page(query) {
      const rows = await store.page(query);
      const items = rows.slice(0, query.limit).map((row) => toRunView(row, false));
      return { items, has_more: rows.length > query.limit };
    },
    async getByOwners(ownerIds) {
      const [states, rows] = await Promise.all([store.states(ownerIds), store.listRecent(ownerIds, RECENT_RUN_COUNT)]);
      const byOwner = Map.groupBy(rows, ({ owner_id }) => owner_id);
      return new Map(
        ownerIds.map((id) => {
          const recent = (byOwner.get(id) ?? []).map((row, index) => toRunView(row, index === 0));
          return [id, { state: states.get(id), recent }];
        }),
      );
    },
    onBegun(row) {
      notifier.log(row, "dispatched", automationTexts.message("trace_begins"));
      notifier.publishStatus(row);
    },
    onEnded(row, { status, result, error }) {
      const ended = { ...toStoredFailure(error), error_code: error?.code ?? null, finished_ms: clock.now() };
      notifyEnd({ ...row, status, result, ...ended });
    },
    async onAbandoned(runId) {
      notifyEnd(await getRow(runId));
    },
  };
}

/** Returns the job that runs or will run a run. */
async function findOpenJob(jobs: Jobs, runId: string): Promise<Job | undefined> {
  const { items } = await jobs.list({ q: runId, limit: 10, offset: 0 });
  return items.find(({ key, status }) => key === runId && (status === "waiting" || status === "running"));
}

async function wakeRun(jobs: Jobs, runId: string): Promise<boolean> {
  const job = await findOpenJob(jobs, runId);
  if (!job) return true;
  try {
    await jobs.retry(job.id);
    return true;
  } catch (error) {
    // It runs, or has just ended.
    if (AppError.is(error) && error.code === "conflict") return false;
    throw error;
  }
}

/** Returns the error of a run that could not go on. */
export function toAbandonedError(): LocalizedError {
  return toInterrupted(toLocalizedError(automationTexts.error("internal", "left")));
}

export function toFailedEnd(error: LocalizedError, status: "failed" | "timed_out" = "failed"): RunEnd {
  return { status, result: "", error };
}

/** Returns the end of a run whose job was cancelled, or could not go on. */
export function toAbandonedEnd(status: "canceled" | "dead", why: LocalizedError | null): RunEnd {
  if (status === "dead") return toFailedEnd(why ? toInterrupted(why) : toAbandonedError());
  const error = { ...toLocalizedError(automationTexts.error("conflict", "canceled")), code: "canceled" };
  return { status, result: "", error };
}
