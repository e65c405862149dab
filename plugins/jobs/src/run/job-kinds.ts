import { AppError, type JobKind, type JobOptions, newId } from "@parley/core";
import { validateTime } from "../schedule/timing.ts";
import type { NewJob } from "../store/new-job.ts";
import { jobsTexts } from "../texts.ts";

const MAX_KEY_CHARS = 200;
const MAX_PAYLOAD_CHARS = 64 * 1024;
const MAX_PRIORITY = 100;
/** Valid job keys; excludes characters that a database cannot store. */
const KEY_PATTERN = /^[^\p{Cc}\p{Cs}]+$/u;

/** Contributed job kinds and the validation of their jobs. */
export interface JobKindRegistry {
  /** Reads the contributions again, after more may have been added. */
  refresh(): void;
  all(): readonly JobKind[];
  find(kind: string): JobKind | undefined;
  /** Returns the payload as stored; throws `bad_request` for an unknown kind or an invalid payload. */
  toPayload(kind: string, payload: unknown): string;
  /** Validates the payload and builds a new job. */
  createJob(kind: string, payload: unknown, options: JobOptions, nowMs: number): NewJob;
}

export function createJobKinds(getContributed: () => readonly JobKind[]): JobKindRegistry {
  let known: ReadonlyMap<string, JobKind> | undefined;
  // Plugins do not change when all have started.
  const kinds = () => {
    known ??= new Map(getContributed().map((one) => [one.kind, one]));
    return known;
  };
  const toPayload = (name: string, payload: unknown) => {
    const kind = kinds().get(name);
    if (!kind) throw jobsTexts.error("bad_request", "no_kind", { kind: String(name).slice(0, 100) }, { field: "kind" });
    const text = JSON.stringify(validatePayload(kind, payload));
    if (text.length > MAX_PAYLOAD_CHARS) throw jobsTexts.error("too_large", "payload_large", {}, { field: "payload" });
    return text;
  };
  return {
    refresh() {
      known = undefined;
    },
    all: () => [...kinds().values()],
    find: (kind) => kinds().get(kind),
    toPayload,
    createJob(kind, payload, { key, runAt, priority = 0, traceId, replacesWaiting }, nowMs) {
      if (!Number.isInteger(priority) || Math.abs(priority) > MAX_PRIORITY) {
        throw new AppError("bad_request", "priority: must be a whole number from -100 to 100");
      }
      if (key !== undefined && (typeof key !== "string" || key.length > MAX_KEY_CHARS || !KEY_PATTERN.test(key))) {
        throw new AppError(
          "bad_request",
          `key: must be 1 to ${MAX_KEY_CHARS} characters, none of them a control character`,
        );
      }
      const dueMs = runAt === undefined ? nowMs : validateTime(runAt, "runAt");
      const stored = toPayload(kind, payload);
      const safePayload = withoutSecrets(stored, kinds().get(kind)?.secrets);
      const id = newId("job", nowMs);
      return { id, kind, key, replacesWaiting, priority, dueMs, payload: stored, safePayload, traceId };
    },
  };
}

/** Returns the payload without secrets; undefined when it has none. */
function withoutSecrets(payload: string, secrets: readonly string[] = []): string | undefined {
  if (secrets.length === 0) return undefined;
  const fields = Object.entries(JSON.parse(payload) as object);
  return JSON.stringify(Object.fromEntries(fields.filter(([name]) => !secrets.includes(name))));
}

/** Throws `bad_request` for a payload that does not match the schema of its kind. */
export function validatePayload({ schema }: JobKind, payload: unknown): unknown {
  const { value, error } = schema.required().validate(payload);
  if (error) {
    const reason = error.message.replaceAll('"', "'");
    throw jobsTexts.error("bad_request", "payload_wrong", { reason }, { field: "payload" });
  }
  return value;
}
