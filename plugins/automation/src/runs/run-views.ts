import { type LocalizedError, type Redaction, type Usage, usageShape } from "@parley/core";
import { answerFields, failureDetailShape, shape } from "@parley/core/http";
import { maskSecrets } from "@parley/core/secrets";
import { readStoredFailure } from "../stored-failures.ts";
import { RUN_KINDS, RUN_STATUSES, type RunTable, STEP_STATES, type StepTable, TRIGGERS } from "./tables.ts";

/** Number of recent runs shown with a record. */
export const RECENT_RUN_COUNT = 10;
const MAX_PREVIEW_CHARS = 500;

const { id, text, time, count, anything, word, orNull, listOf, flag, record } = answerFields;

type FailureDetail = NonNullable<LocalizedError["detail"]> | null;

/** A run in responses. */
export interface Run {
  readonly run_id: string;
  readonly kind: RunTable["kind"];
  readonly owner_id: string;
  readonly owner_name: string;
  readonly status: RunTable["status"];
  readonly trigger: RunTable["trigger_kind"];
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly duration_ms: number | null;
  readonly result: string;
  readonly error: string | null;
  readonly error_code: string | null;
  /** Localized detail of `error`. */
  readonly error_detail: FailureDetail;
  readonly trace_id: string;
  readonly session_id: string | null;
  /** Token usage and cost of the models it called. */
  readonly usage: Usage;
}

export const runShape = shape<Run>(
  {
    run_id: id,
    kind: word(...RUN_KINDS),
    owner_id: id,
    owner_name: text,
    status: word(...RUN_STATUSES),
    trigger: word(...TRIGGERS),
    created_at: time,
    started_at: orNull(time),
    finished_at: orNull(time),
    duration_ms: orNull(count),
    result: text,
    error: orNull(text),
    error_code: orNull(text),
    error_detail: orNull(failureDetailShape),
    trace_id: id,
    session_id: orNull(id),
    usage: usageShape,
  },
  "Run",
);

/** One step of a run, for clients. */
export interface RunStep {
  readonly key: string;
  readonly name: string;
  readonly action: string;
  readonly state: StepTable["state"];
  readonly attempts: number;
  readonly input: unknown;
  readonly output: unknown;
  readonly error: string | null;
  readonly error_code: string | null;
  readonly error_detail: FailureDetail;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly duration_ms: number | null;
  readonly usage: Usage;
}

export const stepShape = shape<RunStep>(
  {
    key: text,
    name: text,
    action: text,
    state: word(...STEP_STATES),
    attempts: count,
    input: anything,
    output: anything,
    error: orNull(text),
    error_code: orNull(text),
    error_detail: orNull(failureDetailShape),
    started_at: time,
    finished_at: orNull(time),
    duration_ms: orNull(count),
    usage: usageShape,
  },
  "RunStep",
);

/** Response to a request that starts a run and does not wait for it. */
export const startedShape = shape({ run_id: id, status: word(...RUN_STATUSES), trace_id: id }, "RunStarted");

/** Fields of a record about its runs. */
export const runFields = {
  status: word("idle", "running", "success", "failed").required(),
  started_at: orNull(time).required(),
  finished_at: orNull(time).required(),
  next_run: orNull(time).required(),
  last_error: orNull(text).required(),
  last_error_detail: orNull(failureDetailShape).required(),
  run_count: count.required(),
  skipped_count: count.required(),
  last_run: orNull(runShape).required(),
  recent_runs: listOf(runShape).required(),
} as const;

/** The request of a run: text and inputs of a workflow, prompt and target of a task. */
const orderShape = shape({ content: text.optional(), inputs: record.optional() }).unknown();

export const runDetailShape = shape(
  { run: runShape, steps: listOf(stepShape), order: orderShape, is_cancelable: flag },
  "RunDetail",
);

export const toIso = (ms: number): string => new Date(ms).toISOString();
export const toIsoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms));

export function toRunView(row: RunTable, isWhole = true): Run {
  const { input_tokens, output_tokens, cost } = row;
  const began = row.started_ms;
  return {
    run_id: row.run_id,
    kind: row.kind,
    owner_id: row.owner_id,
    owner_name: row.owner_name,
    status: row.status,
    trigger: row.trigger_kind,
    created_at: toIso(row.created_ms),
    started_at: toIsoOrNull(began),
    finished_at: toIsoOrNull(row.finished_ms),
    duration_ms: began === null || row.finished_ms === null ? null : Math.max(0, row.finished_ms - began),
    result: isWhole ? row.result : row.result.slice(0, MAX_PREVIEW_CHARS),
    error: row.error,
    error_code: row.error_code,
    error_detail: readStoredFailure(row)?.detail ?? null,
    trace_id: row.trace_id,
    session_id: row.session_id,
    usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens, cost },
  };
}

export function toStepView(row: StepTable, isRunning: boolean, redaction: Pick<Redaction, "mask">): RunStep {
  const { input_tokens, output_tokens, cost, started_ms, finished_ms } = row;
  const failure = readStoredFailure(row);
  return {
    key: row.step_key,
    name: row.name,
    action: row.action,
    // A started step whose run has ended has an unknown outcome.
    state: row.state === "started" && !isRunning ? "unknown" : row.state,
    attempts: row.attempts,
    input: JSON.parse(row.input),
    output: row.output === null ? null : maskSecrets(JSON.parse(row.output), redaction),
    error: row.error,
    error_code: failure?.code ?? null,
    error_detail: failure?.detail ?? null,
    started_at: toIso(started_ms),
    finished_at: toIsoOrNull(finished_ms),
    duration_ms: finished_ms === null ? null : Math.max(0, finished_ms - started_ms),
    usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens, cost },
  };
}
