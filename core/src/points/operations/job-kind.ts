import Joi, { type ObjectSchema } from "@hapi/joi";
import type { ItemFailure } from "../../error-texts.ts";
import type { LocalizedError } from "../../errors.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import { functionSchema, objectSchema, validateWith } from "../../validation/joi-schemas.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";
import type { Effect } from "../turn/turn-stage.ts";

/** Retry delays: `firstDelayMs`, then doubled each time, slightly randomized. */
export interface JobRetry {
  /** Maximum count of attempts; 1 means no retry. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** Context of one job run. */
export interface JobContext {
  readonly jobId: string;
  /** Number of the attempt, from 1; a run repeated after a crash has the same one. */
  readonly attempt: number;
  /** True when an earlier run may have done part of the work. */
  readonly isRepeated: boolean;
  /** Aborts when the job is cancelled, times out or is run by another worker, or the service stops. */
  readonly signal: AbortSignal;
  /** Reports the progress, from 0 to 1, to viewers. */
  progress(fraction: number, text?: string): void;
  /** Adds a line to the job's log, plain or localized; the newest 500 are stored. */
  log(line: string | ItemFailure): void;
  /**
   * Runs a step with a side effect once, even if the job runs again; later calls return its recorded result (JSON). A step that throws
   * while the run goes on counts as not done and may be retried. A step with an unknown outcome, because the process or the run ended in
   * it, is not repeated: the job is dead-lettered as interrupted until a person decides.
   */
  once<Result>(name: string, step: () => Promise<Result>): Promise<Result>;
}

/** Outcome of a job. */
export interface JobOutcome {
  readonly jobId: string;
  readonly status: "done" | "dead" | "canceled";
  readonly error: LocalizedError | null;
}

/** Result of a run that goes on later: the job waits, and runs again at the time. Steps of `once` are not repeated. */
export interface JobSleep {
  /** Time in milliseconds since the epoch. */
  readonly resumeAtMs: number;
  /** Effects written once, together with the begin of the sleep. */
  readonly effects?: readonly Effect[];
}

/** A kind of durable work that `Jobs.add` enqueues. */
export interface JobKind<Payload = unknown> {
  /** `<plugin>.<what>`. */
  readonly kind: string;
  readonly titles: { readonly en: string; readonly zh: string };
  /** Schema of the payload; fills in defaults. */
  readonly schema: ObjectSchema<Payload>;
  /** Default: 5 attempts, 1 s to 5 min apart. */
  readonly retry?: JobRetry;
  /** Maximum count of parallel runs. Default 4. */
  readonly concurrency?: number;
  /** Timeout of one run in milliseconds. Default 10 min. */
  readonly timeoutMs?: number;
  /** Maximum count of waiting jobs. Default 200,000. */
  readonly maxWaiting?: number;
  /**
   * Payload fields that are secrets. They are stored until the job is done, dead or cancelled; without them it cannot
   * run again. The service does not encrypt them: seal them with `Secrets` first.
   */
  readonly secrets?: readonly string[];
  /**
   * Does the work. May run again: after an error that a retry can fix, and when the process ended during the run. The
   * returned effects are written once, together with the job's end. A returned sleep is no end.
   */
  run(payload: Payload, context: JobContext): Promise<readonly Effect[] | JobSleep | undefined> | Promise<void>;
  /**
   * Returns effects written together with the job's end: done, cancelled, or dead-lettered, also because its process
   * ended too often during the run. A job that is run again ends again, and a dead one may be cancelled. It cannot
   * prevent the end: an `expect` of its writes is ignored. `payload` lacks secrets removed by an earlier end.
   */
  ended?(payload: Payload, outcome: JobOutcome): readonly Effect[];
}

/** Types a kind's payload from its schema. */
export function jobKind<Payload>(kind: JobKind<Payload>): JobKind {
  return kind as unknown as JobKind;
}

const count = Joi.number().integer().min(1);

/** Kinds of durable work. */
export const JobKinds: ExtensionPoint<JobKind> = extensionPoint("job-kinds", {
  accept: validateWith(
    Joi.object({
      kind: Joi.string()
        .pattern(/^\S{1,100}$/, "a name of up to 100 characters without blanks")
        .required(),
      titles: localizedSchema.required(),
      schema: objectSchema.required(),
      retry: Joi.object({
        attempts: count.max(100).required(),
        firstDelayMs: Joi.number().min(0).required(),
        maxDelayMs: Joi.number().min(Joi.ref("firstDelayMs")).required(),
      }),
      concurrency: count,
      timeoutMs: count.max(2_147_483_647),
      maxWaiting: count,
      secrets: Joi.array().items(Joi.string()).unique(),
      run: functionSchema.required(),
      ended: functionSchema,
    }).unknown(),
  ),
  unique: { kind: "job kind", names: ({ kind }) => [kind] },
  ends: ["run"],
});
