import {
  AppError,
  type ExternalAnswer,
  type ExternalCall,
  fixedStatement,
  type Message,
  type Redaction,
  type Turn,
  type TurnPhase,
  type TurnRecord,
  type Write,
} from "@parley/core";
import { createResultNotes } from "./turn-result.ts";

const MAX_RECORD = 256 * 1024;
const INSERT = `insert into turn_record (trace_id, record, note) values (?, ?, ?)
  on conflict (trace_id) do update set record = excluded.record, note = excluded.note`;

/** The parts of a record that are in no other table. */
export type StoredRecord = Omit<TurnRecord, "traceId" | "inbound" | "userMessage" | "history" | "result"> & {
  readonly said: StoredMessages;
  /** The last one of `said` is the message that the turn answers. */
  readonly hasUserMessage: boolean;
  readonly result: Omit<TurnRecord["result"], "deliveries">;
};

/** Messages as rows: what is the same in all of them stands once. */
interface StoredMessages {
  readonly same: Readonly<Record<string, unknown>>;
  readonly keys: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

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
  take(traceId: string): Write | undefined;
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
      const insert = (record: string | null, note: string | null) => ({
        query: fixedStatement(INSERT, [traceId, record, note]),
      });
      if ("note" in stored) return insert(null, stored.note);
      const text = JSON.stringify(redaction.mask(stored.record));
      const bytes = Buffer.byteLength(text);
      if (bytes <= MAX_RECORD) return insert(text, null);
      return insert(null, `what it got from outside is ${Math.ceil(bytes / 1024)} KiB, 256 are kept`);
    },
  };
}

function createRecording(isContinued: boolean): Recording {
  const answers: ExternalAnswer[] = [];
  const notes = createResultNotes();
  let first: Turn | undefined;
  let prepared: Turn | undefined;
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
      once: (key, run) => (open > 0 ? run() : kept(onceName(key), run)),
    },
    stored() {
      if (!first) return undefined;
      if (!first.inbound.addressed || (first.inbound.kind !== "message" && first.inbound.kind !== "regenerate")) {
        return undefined;
      }
      if (isContinued) return { note: "it was interrupted and went on from where it was: its beginning is not known" };
      const { capabilities, session } = first;
      const userMessage = prepared?.userMessage;
      const history = (prepared?.history ?? []).filter(({ id }) => id !== userMessage?.id);
      const said = toRows(userMessage ? [...history, userMessage] : history);
      const hasUserMessage = userMessage !== undefined;
      const result = notes.result();
      return { record: { version: 1, capabilities, session, said, hasUserMessage, answers, result } };
    },
  };
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

function toRows(messages: readonly Message[]): StoredMessages {
  const all = [...new Set(messages.flatMap((message) => Object.keys(message)))] as (keyof Message)[];
  const [first] = messages;
  const isSame = (key: keyof Message) => messages.every((message) => isEqual(message[key], first?.[key]));
  const same = new Set(all.filter(isSame));
  const keys = all.filter((key) => !same.has(key));
  return {
    same: Object.fromEntries([...same].map((key) => [key, first?.[key]])),
    keys,
    rows: messages.map((message) => keys.map((key) => message[key])),
  };
}

// Most of what is equal is absent: null, "" and empty lists.
function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (isEmpty(a) && isEmpty(b) && Array.isArray(a) === Array.isArray(b));
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  for (const _key in value) return false;
  return true;
}

/** The messages before the one that is answered, and that one. */
export function saidIn({ said: { same, keys, rows }, hasUserMessage }: StoredRecord): {
  readonly history: readonly Message[];
  readonly userMessage: Message | null;
} {
  const messages = rows.map((row) => {
    const own = Object.fromEntries(keys.map((key, index) => [key, row[index]]));
    return { ...same, ...own } as unknown as Message;
  });
  if (!hasUserMessage) return { history: messages, userMessage: null };
  return { history: messages.slice(0, -1), userMessage: messages.at(-1) ?? null };
}
