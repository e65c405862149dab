import { setTimeout } from "node:timers/promises";
import {
  AppError,
  type Clock,
  isStorageBusy,
  type LocalizedError,
  type Redaction,
  toLocalizedError,
  type Usage,
} from "@parley/core";
import { maskSecrets } from "@parley/core/secrets";
import {
  readStoredFailure,
  recreateError,
  toStoredFailure,
  toUnknownOutcome,
  toVisibleError,
} from "../stored-failures.ts";
import { automationTexts } from "../texts.ts";
import type { RunFence, RunStore } from "./run-store.ts";
import type { StepState, StepTable } from "./tables.ts";
import { MAX_OUTPUT_CHARS, toTruncatedJson } from "./truncate.ts";

const MAX_INPUT = 10_000;
const MAX_ERROR = 2_000;
const MAX_HIDDEN = 500_000;
const MAX_PAUSE_MS = 30_000;
const MAX_STORE_ATTEMPTS = 8;

export interface LedgerStep {
  /** Key by which the step is found when the run continues; unique in its run. */
  readonly key: string;
  readonly name: string;
  readonly action: string;
  /** Input as people see it, with secrets masked. */
  readonly input: unknown;
  /** True when the step changes something outside, so that repeating it would do that twice. */
  readonly isRisky: boolean;
  /** Maximum number of retries when the step failed for certain; 0 by default. */
  readonly retries?: number;
}

export interface StepResult<Output> {
  readonly output: Output;
  /** Internal data with which the run continues. It is never shown, and omitted when too large. */
  readonly hidden?: unknown;
  readonly usage?: Usage | undefined;
}

/** Ledger of a run: each step runs once, even if the run continues after its process has ended. */
export interface Ledger {
  /**
   * Runs a step, or returns its recorded result. A risky step that was running when the process ended is
   * `Interrupted`; one cut off by timeout or by a person may have happened and is not retried.
   */
  once<Output>(step: LedgerStep, run: () => Promise<StepResult<Output>>): Promise<Output>;
  /** Records a step that was skipped. */
  skip(step: Omit<LedgerStep, "isRisky">): Promise<void>;
  /** Records the start of a step that only waits; returns the time of its first start. */
  open(step: LedgerStep): Promise<number>;
  /** Ends a step that was started by `open`. */
  close(key: string): Promise<void>;
  state(key: string): StepState | undefined;
  /** Returns the output of a done step; null for none. */
  output(key: string): unknown;
  /** Returns the internal data of a step; undefined when it has none. */
  hidden(key: string): unknown;
}

export interface LedgerDeps {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly redaction: Pick<Redaction, "mask">;
  /** Called with each changed step when the change is stored. */
  readonly onStepChanged: (step: Pick<LedgerStep, "key" | "name" | "action"> & { readonly state: StepState }) => void;
  /** Milliseconds before the first retry of a step; doubled before each further retry. */
  readonly pauseMs: number;
}

export class Interrupted extends AppError {
  constructor(name: string) {
    const { code, message, detail } = automationTexts.error("conflict", "interrupted", { name });
    super(code, message, detail ? { detail } : {});
  }
}

export async function openLedger(deps: LedgerDeps, run: RunFence, signal: AbortSignal): Promise<Ledger> {
  const { store, clock, redaction, onStepChanged, pauseMs } = deps;
  const rows = new Map((await store.steps(run.run_id)).map((row) => [row.step_key, row]));
  let lastNumber = Math.max(0, ...[...rows.values()].map(({ nr }) => nr));
  const beginStep = async ({ key, name, action, input, isRisky }: LedgerStep) => {
    const before = rows.get(key);
    const row: StepTable = {
      run_id: run.run_id,
      step_key: key,
      nr: before?.nr ?? ++lastNumber,
      name,
      action,
      state: "started",
      is_risky: Number(isRisky),
      attempts: (before?.attempts ?? 0) + 1,
      input: toTruncatedJson(maskSecrets(input, redaction), MAX_INPUT),
      output: null,
      hidden: null,
      error: null,
      told: null,
      started_ms: before?.started_ms ?? clock.now(),
      finished_ms: null,
      input_tokens: 0,
      output_tokens: 0,
      cost: null,
    };
    await store.startStep(run, row);
    rows.set(key, row);
    onStepChanged({ key, name, action, state: "started" });
    return row;
  };
  const endStep = async (
    row: StepTable,
    state: Exclude<StepState, "started">,
    output: unknown,
    more: StepEndOptions = {},
  ) => {
    const text = state === "done" ? toTruncatedJson(output ?? null, MAX_OUTPUT_CHARS) : null;
    const failure = toStoredFailure(more.failure ?? null, MAX_ERROR);
    const hidden = serializeHidden(more.hidden);
    await store.endStep(run, row.step_key, { state, output: text, hidden, ...failure, usage: more.usage }, clock.now());
    rows.set(row.step_key, { ...row, state, output: text, hidden, ...failure });
    onStepChanged({ key: row.step_key, name: row.name, action: row.action, state });
    return text;
  };
  const pauseAfter = (attempts: number) => sleep(Math.min(pauseMs * 2 ** (attempts - 1), MAX_PAUSE_MS), signal);
  /** Stores the result of a step, with retries while the storage is busy, since a lost result would repeat the step. */
  const storeResult = async (row: StepTable, { output, hidden, usage }: StepResult<unknown>) => {
    for (let tried = 1; ; tried += 1) {
      try {
        return void (await endStep(row, "done", output, { hidden, usage }));
      } catch (error) {
        if (!isStorageBusy(error) || tried >= MAX_STORE_ATTEMPTS) throw error;
        await pauseAfter(tried);
      }
    }
  };
  const attemptStep = async <Output>(step: LedgerStep, work: () => Promise<StepResult<Output>>) => {
    signal.throwIfAborted();
    const row = await beginStep(step);
    let result: StepResult<Output>;
    try {
      result = await work();
    } catch (error) {
      // The service stops or another worker has the run, which finds this step as started.
      if (isSuspended(signal)) throw error;
      // The storage rejected the whole write, so the next start of the run executes the step.
      if (isStorageBusy(error) && !step.isRisky) throw error;
      const isOutcomeUnknown = step.isRisky && (signal.aborted || isTimeout(error));
      const why = toVisibleError(signal.aborted ? signal.reason : error);
      const failure = toLocalizedError(isOutcomeUnknown ? toUnknownOutcome(why) : why);
      await endStep(row, isOutcomeUnknown ? "unknown" : "failed", null, { failure, usage: readUsage(error) });
      throw error;
    }
    await storeResult(row, result);
  };
  return {
    async once<Output>(step: LedgerStep, work: () => Promise<StepResult<Output>>) {
      const maxAttempts = 1 + (step.retries ?? 0);
      for (;;) {
        const before = rows.get(step.key);
        if (before?.state === "done") return JSON.parse(before.output ?? "null") as Output;
        if (before?.state === "started" && before.is_risky === 1) {
          const interrupted = new Interrupted(before.name);
          await endStep(before, "unknown", null, { failure: toLocalizedError(interrupted) });
          throw interrupted;
        }
        const isOver = before?.state === "unknown" || (before?.state === "failed" && before.attempts >= maxAttempts);
        if (isOver) throw toEarlierFailure(before);
        try {
          await attemptStep(step, work);
        } catch (error) {
          const { state, attempts } = rows.get(step.key) ?? { state: "failed", attempts: maxAttempts };
          if (signal.aborted || state !== "failed" || attempts >= maxAttempts) throw error;
          await pauseAfter(attempts);
        }
      }
    },
    async skip(step) {
      if (rows.has(step.key)) return;
      await endStep(await beginStep({ ...step, isRisky: false }), "skipped", null);
    },
    open: async (step) => rows.get(step.key)?.started_ms ?? (await beginStep(step)).started_ms,
    async close(key) {
      const row = rows.get(key);
      if (row && row.state === "started") await endStep(row, "done", null);
    },
    state: (key) => rows.get(key)?.state,
    output: (key) => JSON.parse(rows.get(key)?.output ?? "null"),
    hidden: (key) => JSON.parse(rows.get(key)?.hidden ?? "null") ?? undefined,
  };
}

function serializeHidden(value: unknown): string | null {
  const text = value === undefined ? undefined : JSON.stringify(value);
  return text === undefined || text.length > MAX_HIDDEN ? null : text;
}

/** Returns the recorded error of a step from an earlier start of the run. */
function toEarlierFailure(row: StepTable): AppError {
  const { error } = row;
  if (error === null) return automationTexts.error("conflict", "step_lost");
  return recreateError("conflict", readStoredFailure(row) ?? { error });
}

interface StepEndOptions {
  readonly hidden?: unknown;
  readonly failure?: LocalizedError;
  readonly usage?: Usage | undefined;
}

function isTimeout(error: unknown): boolean {
  return AppError.is(error) && error.code === "timed_out";
}

/** Resolves after the delay; rejects with the reason of the signal when that aborts. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** True when the run will continue at the next start of the service. */
export function isSuspended({ aborted, reason }: AbortSignal): boolean {
  return aborted && AppError.is(reason) && reason.code === "unavailable";
}

const USAGE_SYMBOL = Symbol("usage");

/** Attaches token usage to an error. */
export function attachUsage(error: AppError, usage: Usage): AppError {
  return Object.assign(error, { [USAGE_SYMBOL]: usage });
}

function readUsage(error: unknown): Usage | undefined {
  return typeof error === "object" && error !== null ? (error as { [USAGE_SYMBOL]?: Usage })[USAGE_SYMBOL] : undefined;
}
