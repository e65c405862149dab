import {
  AppError,
  type Clock,
  type Database,
  type GatewayLog,
  type Jobs,
  type LiveEvents,
  type LocalizedError,
  type Logger,
  newId,
  newTraceId,
  notFound,
  notifyApplied,
  type Redaction,
  toLocalizedError,
} from "@parley/core";
import { maskSecrets } from "@parley/core/secrets";
import { toInterrupted, toStoredFailure } from "../stored-failures.ts";
import { automationTexts } from "../texts.ts";
import { createRunNotifier } from "./run-notifier.ts";
import type { RunEnd, RunQuery, RunStore } from "./run-store.ts";
import { RECENT_RUN_COUNT, type Run, type RunStep, toRunView, toStepView } from "./run-views.ts";
import type { RunKind, RunTable, RunTrigger, StateTable } from "./tables.ts";

export const RUN_JOB = "automation.run";
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
  start(order: RunRequest): Promise<Run>;
  /** Waits at most `ms` milliseconds for the end of the run, and returns the run as it is then. */
  wait(runId: string, ms: number, signal: AbortSignal): Promise<Run>;
  cancel(runId: string): Promise<Run>;
  /** Cancels the active run of a record, if any. */
  cancelByOwner(ownerId: string): Promise<void>;
  get(runId: string): Promise<Run>;
  detail(runId: string): Promise<{ run: Run; steps: readonly RunStep[]; order: unknown; is_cancelable: boolean }>;
  page(query: RunQuery): Promise<RunPage>;
  /** Returns data about the runs of records, by record id. */
  getByOwners(ownerIds: readonly string[]): Promise<ReadonlyMap<string, OwnerRuns>>;
  /** Ends runs whose job has ended without them. */
  reconcileAll(): Promise<void>;
  /** Called when a run starts. */
  onBegun(row: RunTable): void;
  /** Called when the end of a run is stored. */
  onEnded(row: RunTable, end: RunEnd): void;
}

export interface OwnerRuns {
  readonly state: StateTable | undefined;
  /** The newest runs first. */
  readonly recent: readonly Run[];
}

export interface RunsDeps {
  readonly store: RunStore;
  readonly jobs: () => Jobs;
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly log: () => GatewayLog | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redaction: Pick<Redaction, "mask">;
  /** Called with each ended run when its end is stored. */
  readonly onRunEnded: (run: Run) => void;
}

export function createRuns(deps: RunsDeps): Runs {
  const { store, jobs, database, clock, logger, redaction } = deps;
  const notifier = createRunNotifier(deps);
  const waiting = new Map<string, Set<() => void>>();
  const getRow = async (runId: string) => {
    const row = await store.find(runId);
    if (!row) throw notFound("run", runId);
    return row;
  };
  const onEnded: Runs["onEnded"] = (before, { status, result, error, sessionId }) => {
    const finished_ms = clock.now();
    const row: RunTable = {
      ...before,
      status,
      result,
      ...toStoredFailure(error),
      error_code: error?.code ?? null,
      session_id: sessionId,
      finished_ms,
    };
    for (const resolve of waiting.get(row.run_id) ?? []) resolve();
    waiting.delete(row.run_id);
    notifier.log(row, error ? "failed" : "completed", error?.error ?? "the run is done", error);
    notifier.publishStatus(row);
    if (row.kind === "workflow") notifier.publishWorkflowEnd(row);
    deps.onRunEnded(toRunView(row));
  };
  /** Ends a run that no worker executes. */
  const endRun = async (row: RunTable, end: RunEnd) => {
    try {
      await database().write(store.endWrites(row, end, clock.now()));
    } catch (error) {
      // Another worker has ended it in the meantime.
      if (AppError.is(error) && error.code === "conflict") return;
      throw error;
    }
    onEnded(row, end);
  };
  const findJob = async ({ run_id }: RunTable) => {
    const { items } = await jobs().list({ kind: RUN_JOB, q: run_id, limit: 10, offset: 0 });
    return items.find(({ status }) => status === "waiting" || status === "running") ?? items[0];
  };
  const reconcile = async (row: RunTable) => {
    const job = await findJob(row);
    if (job?.status === "waiting" || job?.status === "running") return;
    const isCanceled = row.cancel_asked === 1 || job?.status === "canceled";
    const why = job?.error ?? toLocalizedError(automationTexts.error("internal", "left"));
    await endRun(row, isCanceled ? toCanceledEnd(row) : toFailedEnd(row, toInterrupted(why)));
  };
  const addRun = async (order: RunRequest, runId: string) => {
    const depth = order.parent ? order.parent.depth + 1 : 0;
    if (depth > MAX_DEPTH) {
      const chain = `'${order.parent?.owner_name}' → '${order.ownerName}'`;
      throw automationTexts.error("conflict", "too_deep", { most: MAX_DEPTH, chain });
    }
    const { kind, ownerId, ownerName, trigger, sessionId = null } = order;
    const traceId = order.traceId ?? newTraceId(clock.now());
    const job = jobs().effect(RUN_JOB, { run_id: runId }, { key: runId, traceId });
    const run = { runId, kind, ownerId, ownerName, trigger, depth, traceId, sessionId };
    const results = await store.add({ ...run, order: JSON.stringify(order.order) }, clock.now(), job.writes);
    notifyApplied([job], results as never);
    const row = await getRow(runId);
    notifier.log(row, "received", `${kind} '${ownerName}' is to run`);
    notifier.publishStatus(row);
    return toRunView(row);
  };

  return {
    async start(order) {
      const runId = order.runId ?? newId("run", clock.now());
      for (let attempt = 1; ; attempt += 1) {
        const known = order.runId === undefined ? undefined : await store.find(runId);
        if (known) return toRunView(known);
        try {
          return await addRun(order, runId);
        } catch (error) {
          if (!AppError.is(error) || error.code !== "conflict") throw error;
          const running = (await store.state(order.ownerId))?.running_run;
          if (running === undefined || attempt > 2) throw error;
          if (running === null) continue;
          const row = await store.find(running);
          if (row && running !== runId) await reconcile(row);
          const isStill = (await store.state(order.ownerId))?.running_run === running;
          if (isStill && running !== runId)
            throw automationTexts.error("conflict", "busy", { name: order.ownerName, run: running });
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
      const row = await getRow(runId);
      if (!(await store.cancel(runId))) throw automationTexts.error("conflict", "is_over");
      const job = await findJob(row);
      const canceled =
        job &&
        (await jobs()
          .cancel(job.id)
          .catch(() => undefined));
      if (canceled?.status !== "running") await endRun(row, toCanceledEnd(row));
      return toRunView(await getRow(runId));
    },
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
    get: async (runId) => toRunView(await getRow(runId)),
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
    async reconcileAll() {
      for (const row of await store.listOpen()) {
        await reconcile(row).catch((error) => logger.warn("a run could not be reconciled", { run: row.run_id, error }));
      }
    },
    onBegun(row) {
      notifier.log(row, "dispatched", "the run begins");
      notifier.publishStatus(row);
    },
    onEnded,
  };
}

export function toFailedEnd(row: RunTable, error: LocalizedError, status: "failed" | "timed_out" = "failed"): RunEnd {
  return { status, result: "", error, sessionId: row.session_id };
}

export function toCanceledEnd(row: RunTable): RunEnd {
  return {
    status: "canceled",
    result: "",
    error: { ...toLocalizedError(automationTexts.error("conflict", "canceled")), code: "canceled" },
    sessionId: row.session_id,
  };
}
