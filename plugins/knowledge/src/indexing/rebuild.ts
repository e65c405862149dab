import { AppError, type Clock, type Database, type ErrorCode, type Jobs, type LiveEvents } from "@parley/core";
import type { DocumentStore } from "../documents/document-store.ts";
import type { Documents } from "../documents/documents.ts";
import { knowledgeTexts } from "../texts.ts";
import type { Indexing, OnProgress } from "./indexing.ts";

/** Longer errors are truncated, because the size of a signal is limited. */
const MAX_SIGNAL_CHARS = 300;
const UNFINISHED_STATUSES = ["pending", "indexing", "stale"] as const;
const ALL_STATUSES = [...UNFINISHED_STATUSES, "indexed", "failed"] as const;

export interface RebuildJob {
  /** True to split the passages again too; false to compute only missing vectors. */
  readonly with_texts: boolean;
}

export interface RebuildResult {
  readonly rebuilt_documents: number;
  readonly rebuilt_chunks: number;
  readonly failed: number;
}

export interface RebuildState {
  readonly running: boolean;
  readonly done: number;
  readonly total: number;
  readonly started_at: string | null;
}

/** Progress and outcome of a rebuild in another process. */
export interface RebuildEvent {
  readonly state: RebuildState;
  readonly outcome?: RebuildResult;
  readonly failure?: { readonly code: ErrorCode; readonly message: string };
}

export interface RebuildDeps {
  /** Broadcasts an event to the other processes. */
  readonly broadcast: (event: RebuildEvent) => void;
  readonly store: DocumentStore;
  readonly database: () => Database;
  readonly documents: () => Documents;
  readonly indexing: Indexing;
  readonly jobs: () => Jobs | undefined;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** Rebuilds the index while searches continue; an interrupted rebuild continues after a restart. */
export interface Rebuild {
  /** Starts a rebuild; rejects with `conflict` during another one. Returns the number of documents, and the outcome. */
  begin(): Promise<{ readonly total: number; readonly outcome: Promise<RebuildResult> }>;
  /** Runs a rebuild job. */
  run(job: RebuildJob, isRepeated: boolean, signal: AbortSignal, progress: OnProgress): Promise<RebuildResult>;
  getState(): RebuildState;
  /** Applies a state change that another process broadcast. */
  receive(event: RebuildEvent): void;
  /** Marks documents without vectors of the current model as stale and indexes them; failed ones too when `changed`, the id of an edited model, is its id. */
  refresh(changed?: string): Promise<void>;
  /** Called at the start: marks documents without vectors of the current model as stale, and indexes all unfinished ones. */
  resume(): Promise<void>;
}

export function createRebuild(deps: RebuildDeps): Rebuild {
  const { store, database, documents, indexing, jobs, broadcast, events, clock } = deps;
  let state: RebuildState = { running: false, done: 0, total: 0, started_at: null };
  let waiting:
    | { readonly resolve: (outcome: RebuildResult) => void; readonly reject: (error: unknown) => void }
    | undefined;
  const updateState = (change: Partial<RebuildState>, end: Omit<RebuildEvent, "state"> = {}) => {
    state = { ...state, ...change };
    broadcast({ state, ...end });
    events.publish({ type: "knowledge_index", durable: false, payload: { ...state } });
  };
  const indexOne = async (id: string, { with_texts }: RebuildJob, signal: AbortSignal) => {
    const { index_status, chunk_count } = await store.get(id);
    // Another worker has indexed it since it was listed.
    if (!UNFINISHED_STATUSES.some((status) => status === index_status)) return chunk_count;
    const resplit = with_texts ? () => documents().resplit(id) : undefined;
    const { chunks } = await indexing.index(id, { signal, ...(resplit && { resplit }) });
    return chunks;
  };
  const indexAll = async (job: RebuildJob, isRepeated: boolean, signal: AbortSignal, progress: OnProgress) => {
    if (!isRepeated) indexing.forgetLengths();
    if (job.with_texts && !isRepeated) await database().write([store.markAllWrite(ALL_STATUSES, "stale")]);
    const { status } = await store.getTotals();
    const total = UNFINISHED_STATUSES.reduce((sum, one) => sum + (status[one] ?? 0), 0);
    updateState({ running: true, done: 0, total, started_at: new Date(clock.now()).toISOString() });
    let outcome: RebuildResult = { rebuilt_documents: 0, rebuilt_chunks: 0, failed: 0 };
    for (let after = ""; ; ) {
      const ids = await store.findIdsByStatus(UNFINISHED_STATUSES, after);
      const last = ids.at(-1);
      if (last === undefined) return outcome;
      for (const id of ids) {
        signal.throwIfAborted();
        try {
          const chunks = await indexOne(id, job, signal);
          outcome = {
            ...outcome,
            rebuilt_documents: outcome.rebuilt_documents + 1,
            rebuilt_chunks: outcome.rebuilt_chunks + chunks,
          };
        } catch (error) {
          if (signal.aborted || !AppError.is(error)) throw error;
          // The document was deleted meanwhile, so nothing needs to be computed.
          if (error.code !== "not_found") outcome = { ...outcome, failed: outcome.failed + 1 };
        }
        const done = outcome.rebuilt_documents + outcome.failed;
        if (done % 50 === 0) updateState({ done });
        progress(total === 0 ? 1 : Math.min(1, done / total), `${done} / ${total}`);
      }
      after = last;
    }
  };
  const run: Rebuild["run"] = async (job, isRepeated, signal, progress) => {
    try {
      const outcome = await indexAll(job, isRepeated, signal, progress);
      updateState({ running: false, done: outcome.rebuilt_documents + outcome.failed }, { outcome });
      waiting?.resolve(outcome);
      return outcome;
    } catch (error) {
      const { code, message } = AppError.is(error) ? error : new AppError("internal", "internal error");
      updateState({ running: false }, { failure: { code, message: message.slice(0, MAX_SIGNAL_CHARS) } });
      waiting?.reject(error);
      throw error;
    } finally {
      waiting = undefined;
    }
  };
  const start = async (job: RebuildJob) => {
    const availableJobs = jobs();
    if (availableJobs) await availableJobs.add("knowledge.rebuild", job, { key: `${clock.now()}` });
    // Without the jobs plugin this process runs the rebuild, which does not survive a restart.
    else run(job, false, new AbortController().signal, () => {}).catch(() => {});
  };

  return {
    run,
    getState: () => state,
    receive(event) {
      state = event.state;
      const { outcome, failure } = event;
      if (!outcome && !failure) return;
      if (outcome) waiting?.resolve(outcome);
      else if (failure) waiting?.reject(new AppError(failure.code, failure.message));
      waiting = undefined;
    },
    async begin() {
      if (state.running || waiting) throw knowledgeTexts.error("conflict", "rebuilding");
      const { promise, resolve, reject } = Promise.withResolvers<RebuildResult>();
      waiting = { resolve, reject };
      promise.catch(() => {});
      const total = await store.count();
      updateState({ running: true, done: 0, total, started_at: new Date(clock.now()).toISOString() });
      try {
        await start({ with_texts: true });
      } catch (error) {
        waiting = undefined;
        updateState({ running: false });
        throw error;
      }
      return { total, outcome: promise };
    },
    async refresh(changed) {
      const maker = await indexing.getEmbeddingSource();
      const [marked] = await database().write([store.markOthersWrite(maker, changed === maker.model)]);
      if ((marked?.changes ?? 0) === 0) return;
      await start({ with_texts: false });
    },
    async resume() {
      const maker = await indexing.getEmbeddingSource();
      await database().write([store.adoptUnidentifiedWrite(maker), store.markOthersWrite(maker, false)]);
      const [unfinished] = await store.findIdsByStatus(UNFINISHED_STATUSES, "");
      if (unfinished !== undefined) await start({ with_texts: false });
    },
  };
}
