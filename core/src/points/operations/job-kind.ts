import Joi, { type ObjectSchema } from "@hapi/joi";
import type { ItemFailure } from "../../error-texts.ts";
import type { ToldFailure } from "../../errors.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import { functionSchema, objectSchema, validateWith } from "../../validation/joi-schemas.ts";
import type { Effect } from "../turn/turn-stage.ts";

/** When what failed is tried again: after `firstDelayMs`, then twice as long each time, a little scattered. */
export interface JobRetry {
  /** Tries in all; 1: it is not tried again. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** One run of a job, as its work sees it. */
export interface JobContext {
  readonly jobId: string;
  /** 1 for the first try; a run that ended with its process is the same try again. */
  readonly attempt: number;
  /** True: an earlier run may have done a part of it. */
  readonly isRepeated: boolean;
  /** Aborts when the job is cancelled, takes too long, is somebody else's by now, or the service stops. */
  readonly signal: AbortSignal;
  /** Shows how far it is, from 0 to 1, to those who watch. */
  progress(fraction: number, text?: string): void;
  /** A line of the job's log, also one that is known in both languages; the newest 500 are kept. */
  log(line: string | ItemFailure): void;
  /**
   * Runs a step with a side effect once, also when the job runs again; later its recorded result (JSON) is given instead.
   * What throws while the run goes on did not happen and may be tried again. A step that was begun and whose outcome is not
   * known, because the process or the run ended in it, is not repeated: the job is dead, as interrupted, until a person says so.
   */
  once<Result>(name: string, step: () => Promise<Result>): Promise<Result>;
}

/** What became of a job. */
export interface JobOutcome {
  readonly jobId: string;
  readonly status: "done" | "dead" | "canceled";
  /** Why it failed last. */
  readonly error: ToldFailure | null;
}

/** What `Jobs.add` runs: durable work of one kind. */
export interface JobKind<Payload = unknown> {
  /** `<plugin>.<what>`. */
  readonly kind: string;
  /** What people read. */
  readonly titles: { readonly en: string; readonly zh: string };
  /** What a payload must be; its defaults are filled in. */
  readonly schema: ObjectSchema<Payload>;
  /** Default: 5 tries, from 1 s to 5 min apart. */
  readonly retry?: JobRetry;
  /** How many of them run at once. Default 4. */
  readonly concurrency?: number;
  /** How long one run may take. Default 10 min. */
  readonly timeoutMs?: number;
  /** How many may wait. Default 200,000. */
  readonly maxWaiting?: number;
  /**
   * Fields of the payload that are secrets. They are kept until the job is done, dead or cancelled: it cannot run again then.
   * What of them is not encrypted is for everybody to read who reads the database.
   */
  readonly secrets?: readonly string[];
  /**
   * Does the work. It may run again: after a failure that another try can mend, and when the process ended in it. What it
   * gives is written together with its end, once.
   */
  run(payload: Payload, context: JobContext): Promise<readonly Effect[] | undefined> | Promise<void>;
  /**
   * What else is written together with the end of a job, whoever ends it: done, given up, cancelled while it waited or ran, or
   * left by a process that is gone. One that is run again ends again, and one that was given up may be cancelled. It cannot
   * refuse the end: an `expect` of its writes is not heeded. `payload` is without what is a secret of an earlier end.
   */
  ended?(payload: Payload, outcome: JobOutcome): readonly Effect[];
}

/** Types a kind's payload from its schema. */
export function jobKind<Payload>(kind: JobKind<Payload>): JobKind {
  return kind as unknown as JobKind;
}

const count = Joi.number().integer().min(1);

/** The kinds of durable work. */
export const JobKinds: ExtensionPoint<JobKind> = extensionPoint("job-kinds", {
  accept: validateWith(
    Joi.object({
      kind: Joi.string()
        .pattern(/^\S{1,100}$/, "a name of up to 100 characters without blanks")
        .required(),
      titles: Joi.object({ en: Joi.string().required(), zh: Joi.string().required() }).unknown().required(),
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
