import {
  AppError,
  type ExternalAnswer,
  type ExternalCall,
  type Redaction,
  type Turn,
  type TurnPhase,
  type TurnRecord,
} from "@parley/core";
import type { TurnRecordTable } from "./tables.ts";
import { createResultNotes } from "./turn-result.ts";

const MAX_RECORD = 256 * 1024;

/** The parts of a record that are in no other table. */
export type StoredRecord = Omit<TurnRecord, "traceId" | "inbound" | "history" | "result"> & {
  /** What was said before it; it stands in the conversation. */
  readonly before: readonly MessageMark[];
  readonly result: Omit<TurnRecord["result"], "deliveries">;
};

/** A message as it was then. */
export type MessageMark = readonly [id: string, revision: number];

/** Notes what one run of a turn gets from outside. */
export interface Recorder {
  began(turn: Turn): void;
  phase(phase: TurnPhase, turn: Turn): void;
  stopped(turn: Turn): void;
  failed(error: unknown): void;
  /** Runs the question and keeps what it gave. */
  external<Answer>(call: Pick<ExternalCall<Answer>, "kind" | "name" | "key" | "ask">): Promise<Answer>;
  once<Answer>(key: string, run: () => Promise<Answer>): Promise<Answer>;
}

/** What turns got from outside, kept with them so that they can be run again. */
export interface Recordings {
  /** Undefined: turns are not recorded. */
  begin(traceId: string, isContinued: boolean): Recorder | undefined;
  /** The row of a turn that is over; undefined when nothing of it is kept. */
  take(traceId: string): TurnRecordTable | undefined;
}

export interface RecordingsParts {
  readonly redaction: Pick<Redaction, "mask">;
  readonly isOn: boolean;
}

interface Recording {
  readonly recorder: Recorder;
  /** Undefined: nothing worth keeping happened. */
  stored(): { readonly record: StoredRecord } | { readonly note: string } | undefined;
}

export function createRecordings({ redaction, isOn }: RecordingsParts): Recordings {
  const running = new Map<string, Recording>();
  return {
    begin(traceId, isContinued) {
      if (!isOn) return undefined;
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
      const text = JSON.stringify(redaction.mask(stored.record));
      const bytes = Buffer.byteLength(text);
      if (bytes <= MAX_RECORD) return row(text, null);
      return row(null, `what it got from outside is ${Math.ceil(bytes / 1024)} KiB, 256 are kept`);
    },
  };
}

function createRecording(isContinued: boolean): Recording {
  const { answers, kept, isOpen } = createAnswers();
  const notes = createResultNotes();
  let first: Turn | undefined;
  let prepared: Turn | undefined;
  return {
    recorder: {
      began(turn) {
        first = turn;
      },
      phase(phase, turn) {
        if (phase === "context") prepared = turn;
        notes.phase(phase, turn);
      },
      stopped: notes.stopped,
      failed: (error) => notes.failed(resultError(error)),
      external: (call) => kept(callName(call), call.ask),
      once: (key, run) => (isOpen() ? run() : kept(onceName(key), run)),
    },
    stored() {
      if (!first || !isAnswerable(first)) return undefined;
      if (isContinued) return { note: "it was interrupted and went on from where it was: its beginning is not known" };
      const { capabilities, session } = first;
      const userMessage = prepared?.userMessage ?? null;
      const before = marksOf(prepared, userMessage?.id);
      return { record: { version: 1, capabilities, session, userMessage, before, answers, result: notes.result() } };
    },
  };
}

function isAnswerable({ inbound: { addressed, kind } }: Turn): boolean {
  return addressed && (kind === "message" || kind === "regenerate");
}

/** What had been said before the message itself. */
function marksOf(prepared: Turn | undefined, ownId: string | undefined): readonly MessageMark[] {
  const before: MessageMark[] = [];
  for (const { id, revision } of prepared?.history ?? []) if (id !== ownId) before.push([id, revision]);
  return before;
}

/** Answers from outside, in the order they were asked for. */
function createAnswers() {
  const answers: ExternalAnswer[] = [];
  // A question may ask further ones, such as a tool that acts once: the outermost answer is all that is needed.
  let open = 0;
  const kept = async <Answer>(call: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const at = answers.push({ call }) - 1;
    open += 1;
    try {
      const answer = await ask();
      answers[at] = { call, answer };
      return answer;
    } catch (error) {
      answers[at] = { call, error: failureOf(error) };
      throw error;
    } finally {
      open -= 1;
    }
  };
  return { answers, kept, isOpen: () => open > 0 };
}

/** The name under which an answer is kept; a replay asks by it. */
export function callName({ kind, name, key = "" }: Pick<ExternalCall<unknown>, "kind" | "name" | "key">): string {
  return [kind, name, key].filter((part) => part !== "").join(" ");
}

export function onceName(key: string): string {
  return `once ${key}`;
}

export function resultError(error: unknown): TurnRecord["result"]["error"] {
  const { code, message } = failureOf(error);
  return { code, error: message };
}

function failureOf(error: unknown): { readonly code: string; readonly message: string } {
  if (AppError.is(error)) return { code: error.code, message: error.message };
  return { code: "internal", message: error instanceof Error ? error.message : String(error) };
}
