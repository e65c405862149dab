import {
  AppError,
  type Clock,
  type Database,
  type Effect,
  isWithoutModel,
  type Jobs,
  type LiveEvents,
  type ModelCalls,
  type Models,
  resourceChanged,
  type TextSpace,
  toLocalizedError,
  vectorSpaceOf,
  type Write,
} from "@parley/core";
import { LOCAL_DIMENSIONS } from "@parley/core/text";
import type { DocumentStore, EmbeddingSource, IndexState, StoredDocument } from "../documents/document-store.ts";
import type { IndexStatus } from "../schema.ts";
import { knowledgeTexts } from "../texts.ts";

/** Minutes before each retry of a failed provider. */
export const RETRY_DELAYS_MINUTES: readonly number[] = [1, 5, 25];
const BATCH_SIZE = 64;
const LOCAL_SOURCE: EmbeddingSource = { model: "local", identity: "local" };
const MINUTE_MS = 60_000;
/** Maximum count of restarts due to concurrent changes. */
const MAX_CONFLICT_RETRIES = 10;
const MODEL_CHANGED_ERROR = knowledgeTexts.error("conflict", "other_model");
const NEVER_ABORTED: AbortSignal = new AbortController().signal;

export interface IndexJob {
  readonly doc_id: string;
  readonly text_version: number;
  /** Count of failed attempts. */
  readonly tried: number;
}

export interface IndexResult {
  readonly id: string;
  readonly chunks: number;
  readonly index_status: IndexStatus;
  readonly index_model: string | null;
}

export type OnProgress = (fraction: number, text: string) => void;

export interface IndexOptions {
  readonly signal?: AbortSignal;
  readonly progress?: OnProgress;
  /** Splits the passages first, as a new version; not called when a running job is joined. */
  readonly resplit?: () => Promise<number>;
  /** Count of failed attempts. */
  readonly tried?: number;
  /** Returns true when a document with this status still needs the work; another process may have done it. Default: true. */
  readonly isDue?: (status: IndexStatus) => boolean;
}

interface IndexRun {
  /** Version of the text being embedded. */
  readonly version: Promise<number>;
  readonly outcome: Promise<IndexResult>;
}

export interface IndexingDeps {
  readonly store: DocumentStore;
  readonly database: () => Database;
  readonly space: () => TextSpace;
  readonly models: () => Models | undefined;
  readonly calls: () => ModelCalls | undefined;
  readonly jobs: () => Jobs | undefined;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** Computes the vectors of documents. A new document is found by words at once, and by meaning when it has vectors. */
export interface Indexing {
  /** Returns the current source of vectors. */
  getEmbeddingSource(): Promise<EmbeddingSource>;
  /** Prepares a document to be stored: returns the writes to add and a callback for after the commit. */
  prepareNew(document: StoredDocument): Promise<{
    readonly document: StoredDocument;
    readonly writes: readonly Write[];
    readonly applied: () => void;
  }>;
  /**
   * Computes the vectors of a document and waits for them; joins a run in progress. A provider error is stored at the
   * document with the next retry, and thrown. A model change restarts the run: `indexed` means that all vectors are
   * from one model.
   */
  index(id: string, options?: IndexOptions): Promise<IndexResult>;
  /** Runs an index job. A provider error is stored at the document and not thrown. */
  run(job: IndexJob, signal: AbortSignal, progress: OnProgress): Promise<void>;
  /** Discards the cached vector lengths, so that all documents are indexed again even if the length changes. */
  forgetLengths(): void;
  /** Describes the embedding model for people; `dimensions` is 0 until it was used. */
  describeModel(): Promise<{
    readonly model_id: string | null;
    readonly model: string;
    readonly dimensions: number;
    readonly local: boolean;
  }>;
  /** Embeds a question with the current model; undefined when vectors are local. `patienceMs` as for `ModelCalls.embed`. */
  embedQuestion(
    text: string,
    signal: AbortSignal,
    patienceMs?: number,
  ): Promise<{ readonly space: string; readonly values: Float32Array } | undefined>;
}

export function createIndexing(deps: IndexingDeps): Indexing {
  const { store, database, space, models, calls, jobs, events, clock } = deps;
  /** Index runs by document id. */
  const running = new Map<string, IndexRun>();
  /** Vector length of each model that was used. */
  const lengths = new Map<string, number>();
  const chooseModel = async () => {
    try {
      const found = await models()?.choose("embedding");
      return !found || found.protocol === "offline" || !calls() ? undefined : found;
    } catch (error) {
      if (isWithoutModel(error)) return undefined;
      throw error;
    }
  };
  const getSource = async (): Promise<EmbeddingSource> => {
    const found = await chooseModel();
    return found ? { model: found.modelId, identity: found.identity } : LOCAL_SOURCE;
  };
  const createJob = ({ id, text_version }: StoredDocument, tried: number, runAt?: number): Effect | undefined =>
    jobs()?.effect("knowledge.index", { doc_id: id, text_version, tried } satisfies IndexJob, {
      key: `${id}:${text_version}:${tried}:${clock.now()}`,
      ...(runAt !== undefined && { runAt }),
    });
  const mark = (document: StoredDocument, state: IndexState, from?: IndexStatus) =>
    store.setStateWrite(document.id, document.text_version, state, from);
  const publishChange = ({ id, revision }: StoredDocument) =>
    events.publish(resourceChanged("document", id, "updated", revision));
  // Vectors of different lengths cannot be compared, so half of them would no longer be found.
  const storeVectors = async (modelId: string, document: StoredDocument, signal: AbortSignal, progress: OnProgress) => {
    const entries = await space().entriesOf(document.id);
    for (let at = 0; at < entries.length; at += BATCH_SIZE) {
      const some = entries.slice(at, at + BATCH_SIZE);
      const texts = some.map(({ title, text }) => `${title}\n${text}`);
      const length = lengths.get(modelId);
      const made = await calls()?.embed(texts, { signal, ...(length !== undefined && { dimensions: length }) });
      if (!made || made.isLocal) throw MODEL_CHANGED_ERROR;
      lengths.set(made.modelId, made.dimensions);
      const vectors = new Map(some.map(({ id }, index) => [id, made.vectors[index] as Float32Array]));
      // Undoes the whole write when the document or the model has changed meanwhile, so the older vectors are dropped.
      const versionGuard = mark(document, { index_status: "indexing" }, "indexing");
      await database().write([versionGuard, ...space().keepingVectors(vectorSpaceOf(made), vectors)]);
      progress(Math.min(1, (at + BATCH_SIZE) / entries.length), document.title);
    }
  };
  const embed = async (document: StoredDocument, by: EmbeddingSource, signal: AbortSignal, progress: OnProgress) => {
    const made = { index_model: by.model, made_by: by.identity };
    const whole = { index_status: "indexed", index_error: null, ...made } as const;
    if (by === LOCAL_SOURCE) return database().write([mark(document, whole)]);
    // Stored with the target model, so that a model change marks running work as stale too.
    await database().write([mark(document, { index_status: "indexing", ...made })]);
    await storeVectors(by.model, document, signal, progress);
    return database().write([mark(document, whole, "indexing")]);
  };
  /** Stores the error in the document and queues the retry; returns false when another change came first. */
  const recordFailure = async (document: StoredDocument, error: AppError, tried: number) => {
    const minutes = RETRY_DELAYS_MINUTES[tried];
    const next = minutes === undefined ? undefined : createJob(document, tried + 1, clock.now() + minutes * MINUTE_MS);
    const { index_model, made_by } = document;
    const index_error = error.message.slice(0, 500);
    const { detail } = toLocalizedError(error);
    const index_error_detail = detail ? JSON.stringify(detail) : null;
    const failed = { index_status: "failed", index_error, index_error_detail, index_model, made_by } as const;
    try {
      await database().write([mark(document, failed, "indexing"), ...(next?.writes ?? [])]);
    } catch (cause) {
      if (!AppError.is(cause) || cause.code !== "conflict") throw cause;
      return false;
    }
    next?.applied?.([]);
    publishChange(document);
    return true;
  };
  const runIndex = async (
    id: string,
    version: number,
    { signal = NEVER_ABORTED, progress = () => {}, tried = 0, isDue = () => true }: IndexOptions,
  ) => {
    for (let turn = 1; ; turn += 1) {
      const document = await store.get(id);
      // The document was edited meanwhile, so the vectors of the older text are discarded.
      if (document.text_version !== version) return toIndexResult(document);
      if (turn === 1 && !isDue(document.index_status)) return toIndexResult(document);
      const current = await getSource();
      try {
        await embed(document, current, signal, progress);
        if ((await getSource()).identity !== current.identity) throw MODEL_CHANGED_ERROR;
        publishChange(document);
        return toIndexResult(await store.get(id));
      } catch (error) {
        if (signal.aborted || !AppError.is(error)) throw error;
        const isFailed = error.code !== "conflict" && (await recordFailure(document, error, tried));
        if (isFailed || turn === MAX_CONFLICT_RETRIES) throw error;
      }
    }
  };
  const index: Indexing["index"] = async (id, options = {}) => {
    const { text_version } = await store.get(id);
    for (let begun = running.get(id); begun; ) {
      // Embeddings of an older text are outdated, so their run is not awaited.
      if ((await begun.version) >= text_version) return begun.outcome;
      const now = running.get(id);
      begun = now === begun ? undefined : now;
    }
    const version = options.resplit?.() ?? Promise.resolve(text_version);
    const outcome = version.then((made) => runIndex(id, made, options));
    const run: IndexRun = { version, outcome };
    running.set(id, run);
    try {
      return await outcome;
    } finally {
      if (running.get(id) === run) running.delete(id);
    }
  };

  return {
    getEmbeddingSource: getSource,
    index,
    forgetLengths: () => lengths.clear(),
    async describeModel() {
      const found = await chooseModel();
      if (!found) return { model_id: null, model: LOCAL_SOURCE.model, dimensions: LOCAL_DIMENSIONS, local: true };
      const dimensions = lengths.get(found.modelId) ?? 0;
      return { model_id: found.modelId, model: found.model, dimensions, local: false };
    },
    async prepareNew(document) {
      const current = await getSource();
      const job = current === LOCAL_SOURCE ? undefined : createJob(document, 0);
      if (current !== LOCAL_SOURCE) {
        const pending = {
          ...document,
          index_status: "pending" as const,
          index_error: null,
          index_error_detail: null,
          indexed: false,
        };
        return { document: pending, writes: job?.writes ?? [], applied: () => job?.applied?.([]) };
      }
      const indexed = {
        ...document,
        index_status: "indexed" as const,
        index_model: LOCAL_SOURCE.model,
        made_by: LOCAL_SOURCE.identity,
        index_error: null,
        index_error_detail: null,
        indexed: true,
      };
      return { document: indexed, writes: [], applied() {} };
    },
    async run({ doc_id, text_version, tried }, signal, progress) {
      const document = await store.find(doc_id);
      if (document?.text_version !== text_version) return;
      // The retry is stored when another worker made the first attempt.
      const isDue = (status: IndexStatus) => status !== "indexed" && (tried > 0 || status !== "failed");
      try {
        await index(doc_id, { signal, progress, tried, isDue });
      } catch (error) {
        // The document stores the error.
        if (signal.aborted || !AppError.is(error)) throw error;
      }
    },
    async embedQuestion(text, signal, patienceMs) {
      if ((await getSource()) === LOCAL_SOURCE) return undefined;
      const made = await calls()?.embed([text], { signal, ...(patienceMs !== undefined && { patienceMs }) });
      const [values] = made?.vectors ?? [];
      return made && values && !made.isLocal ? { space: vectorSpaceOf(made), values } : undefined;
    },
  };
}

function toIndexResult({ id, chunk_count, index_status, index_model }: StoredDocument): IndexResult {
  return { id, chunks: chunk_count, index_status, index_model };
}
