import { isAbsolute, join } from "node:path";
import {
  AppError,
  type Clock,
  type ConfigSections,
  type DeliveryResult,
  type ErrorCode,
  type ExternalAnswer,
  HTTP_STATUS,
  type InboundMessage,
  type Message,
  notFound,
  type OutboundMessage,
  orderStages,
  type Paths,
  type Redaction,
  type Replay,
  type Replayed,
  runTurn,
  type Sessions,
  type StoredRows,
  type Turn,
  type TurnContext,
  type TurnRecord,
  type TurnStage,
} from "@parley/core";
import { deliveriesOf, type OnTheWire } from "./deliveries.ts";
import { callName, type MessageMark, onceName, resultError, type StoredRecord } from "./recording.ts";
import { gatewayFailure } from "./said-failures.ts";
import { type RecordedTurns, recordedFiles, recordedRows } from "./store/recorded-files.ts";
import { createResultNotes } from "./turn-result.ts";

export interface ReplayParts {
  /** The main database. */
  readonly truth: () => string;
  /** `gateway.db`. */
  readonly history: () => string;
  /** Of a server that keeps both. */
  readonly stored: () => StoredRows | undefined;
  readonly stages: () => readonly TurnStage[];
  readonly sessions: () => Pick<Sessions, "storedMessages">;
  readonly redaction: Pick<Redaction, "mask">;
  readonly clock: Clock;
  /** As it is for what is sent. */
  readonly cutReply: OnTheWire["cutReply"];
}

/** Where the gateway keeps its history. */
export function gatewayFile({ root, data }: Paths, sections: ConfigSections): string {
  const folder = sections.section("gateway").data_dir ?? "";
  const at = folder === "" ? data : isAbsolute(folder) ? folder : join(root, folder);
  return join(at, "gateway.db");
}

export function createReplay(parts: ReplayParts): Replay {
  return {
    async read(traceId) {
      const stored = parts.stored();
      if (stored) return stored.atOneMoment((databases) => readRecord(parts, recordedRows(databases), traceId));
      return readRecord(parts, recordedFiles(parts.truth(), parts.history()), traceId);
    },
    run: (record) => runAgain(record, parts),
  };
}

async function readRecord(
  { sessions, redaction }: ReplayParts,
  turns: RecordedTurns,
  traceId: string,
): Promise<TurnRecord> {
  const received = await turns.received(traceId);
  if (received === undefined) throw notFound("trace", traceId);
  const row = await turns.record(traceId);
  if (row?.note) throw gatewayFailure("unavailable", "replay_noted", { why: row.note });
  if (!row?.record) throw gatewayFailure("unavailable", "not_recorded");
  const stored = JSON.parse(row.record) as StoredRecord;
  if (!stored.before) throw gatewayFailure("unavailable", "old_record");
  const { version, capabilities, session, userMessage, before, answers, result } = stored;
  const { raw: _raw, ...inbound } = JSON.parse(received) as InboundMessage;
  // What people are told of a failure is no reply of the turn.
  const sent = result.error ? [] : await turns.sent(traceId);
  const deliveries = sent.map((message) => deliveryResult(JSON.parse(message)));
  const ids = before.map(([id]) => id);
  const found = await turns.reading((read) => sessions().storedMessages(ids, read));
  const history = asBefore(before, redaction.mask(found));
  const known = { version, traceId, inbound, capabilities, session, userMessage, history, answers };
  return { ...known, result: { ...result, deliveries } };
}

/** The conversation before the turn, if it is still what it was. */
function asBefore(marks: readonly MessageMark[], found: readonly Message[]): readonly Message[] {
  const revisions = new Map(found.map(({ id, revision }) => [id, revision]));
  const others = marks.filter(([id, revision]) => revisions.get(id) !== revision).length;
  if (others === 0) return found;
  throw gatewayFailure("unavailable", "changed_since", { others, all: marks.length });
}

function deliveryResult({ text, attachments }: OutboundMessage): DeliveryResult {
  return { text, attachments };
}

async function runAgain(record: TurnRecord, { stages, clock, cutReply }: ReplayParts): Promise<Replayed> {
  const { traceId, inbound, session, capabilities } = record;
  const answers = createAnswers(record.answers);
  const notes: string[] = [];
  const context: TurnContext = {
    signal: new AbortController().signal,
    isRepeated: false,
    emit() {},
    record() {},
    trace: ({ status, message }) => {
      if (NOTED.has(status)) notes.push(message);
    },
    once: (key) => answers.give(onceName(key)),
    external: (call) => answers.give(callName(call)),
  };
  const start: Turn = {
    traceId,
    inbound,
    session,
    capabilities,
    text: inbound.text,
    attachments: inbound.attachments,
    history: [],
    prompt: [],
    replies: [],
    filter: { rules: [], filtered: false, blocked: false },
    effects: [],
    data: {},
  };
  const seen = createResultNotes();
  const onPhase = async (...noted: Parameters<typeof seen.phase>) => seen.phase(...noted);
  let ended: Turn | undefined;
  try {
    const { before, after } = conversation(record);
    const running = [before, ...stages().filter(({ usesStorage }) => !usesStorage), after];
    ended = await runTurn(start, { stages: orderStages(running), context, onPhase });
    if (ended.stopped) seen.stopped(ended);
  } catch (error) {
    seen.failed(resultError(error));
  }
  const split = recordedSplit(record);
  const isSent = ended !== undefined && !ended.stopped && ended.replies.length > 0;
  const sent =
    isSent && ended ? deliveriesOf(ended, undefined, { link: () => ({ split }), nowMs: clock.now(), cutReply }) : [];
  const deliveries = sent.map(({ message }) => deliveryResult(message));
  return { result: { ...seen.result(), deliveries }, unanswered: answers.missing, notes };
}

/** Statuses of notes that explain why something is different. */
const NOTED = new Set(["build_request_failed", "filtered"]);

/** The stored conversation, as the turn found it. */
function conversation({ userMessage, history }: TurnRecord): Readonly<Record<"before" | "after", TurnStage>> {
  const asStored = (turn: Turn) =>
    userMessage
      ? { ...turn, userMessage: { ...userMessage, content: turn.text, attachments: turn.attachments } }
      : turn;
  return {
    before: {
      id: "replay.history",
      phase: "context",
      async run(turn) {
        if (turn.replies.length > 0) return turn;
        return { ...turn, history: turn.userMessage ? [...history, turn.userMessage] : history };
      },
    },
    // What came with the message was fetched before it was stored.
    after: { id: "replay.user-message", phase: "record-user", run: async (turn) => asStored(turn) },
  };
}

/** Recorded answers, each given once. */
function createAnswers(recorded: readonly ExternalAnswer[]) {
  const left = Map.groupBy(recorded, ({ call }) => call);
  const missing: string[] = [];
  return {
    missing,
    async give<Answer>(call: string): Promise<Answer> {
      const found = left.get(call)?.shift();
      if (!found) {
        missing.push(call);
        throw new AppError("not_found", `'${call}' was not recorded`);
      }
      if (found.error) throw new AppError(codeOf(found.error.code), found.error.message);
      return found.answer as Answer;
    },
  };
}

function codeOf(code: string): ErrorCode {
  return Object.hasOwn(HTTP_STATUS, code) ? (code as ErrorCode) : "internal";
}

/** How the platform's adapter cut the recorded replies; it is not connected in a replay. */
function recordedSplit({ result }: TurnRecord): (text: string) => readonly string[] {
  const texts = result.decorate.map(({ text }) => text).filter((text) => text !== "");
  const parts = result.deliveries.map(({ text }) => text).filter((text) => text !== "");
  const cut = new Map<string, readonly string[]>();
  let at = 0;
  for (const [index, text] of texts.entries()) {
    const from = at;
    // Parts are not pieces of the text: what is open at a cut is closed and opened again.
    while (at < parts.length && (at === from || !isBeginning(parts[at], texts[index + 1]))) at += 1;
    cut.set(text, parts.slice(from, at));
  }
  return (text) => {
    const known = cut.get(text);
    return known && known.length > 0 ? known : [text];
  };
}

const COMPARED = 32;

function isBeginning(part = "", text = ""): boolean {
  const start = part.slice(0, COMPARED).trimEnd();
  return start !== "" && text.trimStart().startsWith(start);
}
