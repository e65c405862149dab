import {
  AppError,
  type ExternalAnswer,
  type ExternalCall,
  type Redaction,
  type Turn,
  type TurnPhase,
  type TurnRecord,
} from "@parley/core";
import type { TurnRecordTable } from "../../store/tables.ts";
import { createTurnResultRecorder } from "./turn-result.ts";

const MAX_RECORD_BYTES = 256 * 1024;

/** The parts of a recording that are in no other table. */
export type StoredRecord = Omit<TurnRecord, "traceId" | "inbound" | "history" | "result"> & {
  /** Revisions of the messages before the turn, which are stored in the conversation. */
  readonly before: readonly MessageRevision[];
  readonly result: Omit<TurnRecord["result"], "deliveries">;
};

/** Id of a message and its revision when the turn ran. */
export type MessageRevision = readonly [id: string, revision: number];

/** Records the results of external calls in one run of a turn. */
export interface TurnRecorder {
  onStarted(turn: Turn): void;
  onPhaseDone(phase: TurnPhase, turn: Turn): void;
  onStopped(turn: Turn): void;
  onFailed(error: unknown): void;
  /** Runs the call and records its result or error. */
  external<Answer>(call: Pick<ExternalCall<Answer>, "kind" | "name" | "key" | "ask">): Promise<Answer>;
  once<Answer>(key: string, run: () => Promise<Answer>): Promise<Answer>;
}

/** Records the results of external calls, so that turns can be replayed. */
export interface TurnRecordings {
  /** Starts recording; undefined when it is disabled. `isContinued` marks a turn that an earlier run began. */
  begin(traceId: string, isContinued: boolean): TurnRecorder | undefined;
  /** Removes and returns the row of a finished turn; undefined when nothing was recorded. */
  take(traceId: string): TurnRecordTable | undefined;
}

export interface TurnRecordingsDeps {
  readonly redaction: Pick<Redaction, "toMaskedJson">;
  readonly isEnabled: boolean;
}

interface Recording {
  readonly recorder: TurnRecorder;
  /** Returns the recording, or a note why it cannot be replayed; undefined when there is nothing to record. */
  stored(): { readonly record: StoredRecord } | { readonly note: string } | undefined;
}

export function createTurnRecordings({ redaction, isEnabled }: TurnRecordingsDeps): TurnRecordings {
  const running = new Map<string, Recording>();
  return {
    begin(traceId, isContinued) {
      if (!isEnabled) return undefined;
      const recording = createRecording(isContinued);
      running.set(traceId, recording);
      return recording.recorder;
    },
    take(traceId) {
      const stored = running.get(traceId)?.stored();
      running.delete(traceId);
      if (!stored) return undefined;
      const row = (record: string | null, note: string | null) => ({ trace_id: traceId, record, note });
      if ("note" in stored) return row(null, stored.note);
      const text = redaction.toMaskedJson(stored.record);
      const bytes = Buffer.byteLength(text);
      if (bytes <= MAX_RECORD_BYTES) return row(text, null);
      return row(null, `what it got from outside is ${Math.ceil(bytes / 1024)} KiB, 256 are kept`);
    },
  };
}

function createRecording(isContinued: boolean): Recording {
  const { answers, recordAnswer, isOpen } = createAnswerLog();
  const resultRecorder = createTurnResultRecorder();
  let first: Turn | undefined;
  let contextTurn: Turn | undefined;
  return {
    recorder: {
      onStarted(turn) {
        first = turn;
      },
      onPhaseDone(phase, turn) {
        if (phase === "context") contextTurn = turn;
        resultRecorder.onPhaseDone(phase, turn);
      },
      onStopped: resultRecorder.onStopped,
      onFailed: (error) => resultRecorder.onFailed(toResultError(error)),
      external: (call) => recordAnswer(toCallName(call), call.ask),
      once: (key, run) => (isOpen() ? run() : recordAnswer(toOnceName(key), run)),
    },
    stored() {
      if (!first || !isAnswerable(first)) return undefined;
      if (isContinued) return { note: "it was interrupted and went on from where it was: its beginning is not known" };
      const { capabilities } = first;
      // Where several characters share the conversation, the context knows which one answers.
      const { session } = contextTurn ?? first;
      const userMessage = contextTurn?.userMessage ?? null;
      const before = toRevisions(contextTurn, userMessage?.id);
      return {
        record: { version: 1, capabilities, session, userMessage, before, answers, result: resultRecorder.getResult() },
      };
    },
  };
}

function isAnswerable({ inbound: { addressed, kind } }: Turn): boolean {
  return addressed && (kind === "message" || kind === "regenerate");
}

/** Returns the revisions of the messages before the turn's own message. */
function toRevisions(contextTurn: Turn | undefined, ownId: string | undefined): readonly MessageRevision[] {
  const before: MessageRevision[] = [];
  for (const { id, revision } of contextTurn?.history ?? []) if (id !== ownId) before.push([id, revision]);
  return before;
}

/** Creates a log of external results in the order of the calls. */
function createAnswerLog() {
  const answers: ExternalAnswer[] = [];
  // Calls may be nested, for example a tool within `once`; only the outermost result is recorded.
  let open = 0;
  const recordAnswer = async <Answer>(call: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const at = answers.push({ call }) - 1;
    open += 1;
    try {
      const answer = await ask();
      answers[at] = { call, answer };
      return answer;
    } catch (error) {
      answers[at] = { call, error: toErrorInfo(error) };
      throw error;
    } finally {
      open -= 1;
    }
  };
  return { answers, recordAnswer, isOpen: () => open > 0 };
}

/** Returns the key of a recorded result, by which a replay finds it. */
export function toCallName({ kind, name, key = "" }: Pick<ExternalCall<unknown>, "kind" | "name" | "key">): string {
  return [kind, name, key].filter((part) => part !== "").join(" ");
}

export function toOnceName(key: string): string {
  return `once ${key}`;
}

export function toResultError(error: unknown): TurnRecord["result"]["error"] {
  const { code, message } = toErrorInfo(error);
  return { code, error: message };
}

function toErrorInfo(error: unknown): { readonly code: string; readonly message: string } {
  if (AppError.is(error)) return { code: error.code, message: error.message };
  return { code: "internal", message: error instanceof Error ? error.message : String(error) };
}
