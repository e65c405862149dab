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
import { buildDeliveries, type DeliveryOptions } from "../../deliver/deliveries.ts";
import { openRecordedFiles, openRecordedRows, type RecordedTurns } from "../../store/history/recorded-turns.ts";
import { gatewayTexts } from "../../texts.ts";
import { type MessageRevision, type StoredRecord, toCallName, toOnceName, toResultError } from "./turn-recordings.ts";
import { createTurnResultRecorder } from "./turn-result.ts";

export interface ReplayDeps {
  /** Path of the main database. */
  readonly mainFile: () => string;
  /** Path of `gateway.db`. */
  readonly historyFile: () => string;
  /** Reads the databases of a server; undefined when the storage provides none. */
  readonly storedRows: () => StoredRows | undefined;
  readonly stages: () => readonly TurnStage[];
  readonly sessions: () => Pick<Sessions, "storedMessages">;
  readonly redaction: Pick<Redaction, "mask">;
  readonly clock: Clock;
  /** Text below an interrupted reply, as used for deliveries. */
  readonly cutReply: DeliveryOptions["cutReply"];
}

/** Path of the gateway's history file. */
export function getHistoryFile({ root, data }: Paths, sections: ConfigSections): string {
  const folder = sections.section("gateway").data_dir ?? "";
  const at = folder === "" ? data : isAbsolute(folder) ? folder : join(root, folder);
  return join(at, "gateway.db");
}

export function createReplay(deps: ReplayDeps): Replay {
  return {
    async read(traceId) {
      const stored = deps.storedRows();
      if (stored) return stored.atOneMoment((databases) => readRecord(deps, openRecordedRows(databases), traceId));
      return readRecord(deps, openRecordedFiles(deps.mainFile(), deps.historyFile()), traceId);
    },
    run: (record) => replayTurn(record, deps),
  };
}

async function readRecord(
  { sessions, redaction }: ReplayDeps,
  turns: RecordedTurns,
  traceId: string,
): Promise<TurnRecord> {
  const received = await turns.readInbound(traceId);
  if (received === undefined) throw notFound("trace", traceId);
  const row = await turns.readRecord(traceId);
  if (row?.note) throw gatewayTexts.error("unavailable", "replay_noted", { why: row.note });
  if (!row?.record) throw gatewayTexts.error("unavailable", "not_recorded");
  const stored = JSON.parse(row.record) as StoredRecord;
  if (!stored.before) throw gatewayTexts.error("unavailable", "old_record");
  const { version, capabilities, session, userMessage, before, answers, result } = stored;
  const { raw: _raw, ...inbound } = JSON.parse(received) as InboundMessage;
  // A notice about a failure is not a reply of the turn.
  const sent = result.error ? [] : await turns.readSent(traceId);
  const deliveries = sent.map((message) => toDeliveryResult(JSON.parse(message)));
  const ids = before.map(([id]) => id);
  const found = await turns.withRows((read) => sessions().storedMessages(ids, read));
  const history = requireUnchanged(before, redaction.mask(found));
  const known = { version, traceId, inbound, capabilities, session, userMessage, history, answers };
  return { ...known, result: { ...result, deliveries } };
}

/** Returns the messages before the turn. Throws when one of them has changed since. */
function requireUnchanged(revisions: readonly MessageRevision[], found: readonly Message[]): readonly Message[] {
  const currentRevisions = new Map(found.map(({ id, revision }) => [id, revision]));
  const others = revisions.filter(([id, revision]) => currentRevisions.get(id) !== revision).length;
  if (others === 0) return found;
  throw gatewayTexts.error("unavailable", "changed_since", { others, all: revisions.length });
}

function toDeliveryResult({ text, attachments }: OutboundMessage): DeliveryResult {
  return { text, attachments };
}

async function replayTurn(record: TurnRecord, { stages, clock, cutReply }: ReplayDeps): Promise<Replayed> {
  const { traceId, inbound, session, capabilities } = record;
  const answers = createRecordedAnswers(record.answers);
  const notes: string[] = [];
  const context: TurnContext = {
    signal: new AbortController().signal,
    isRepeated: false,
    emit() {},
    record() {},
    trace: ({ status, message }) => {
      if (NOTED_STATUSES.has(status)) notes.push(message);
    },
    once: (key) => answers.takeAnswer(toOnceName(key)),
    external: (call) => answers.takeAnswer(toCallName(call)),
    isRecorded: ({ id, isExternal }) =>
      isExternal ? answers.hasAnswer(toCallName({ kind: "prompt", name: id })) : undefined,
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
  const resultRecorder = createTurnResultRecorder();
  const onPhase = async (...phaseArguments: Parameters<typeof resultRecorder.onPhaseDone>) =>
    resultRecorder.onPhaseDone(...phaseArguments);
  let ended: Turn | undefined;
  try {
    const { before, after } = createConversationStages(record);
    const running = [before, ...stages().filter(({ usesStorage }) => !usesStorage), after];
    ended = await runTurn(start, { stages: orderStages(running), context, onPhase });
    if (ended.stopped) resultRecorder.onStopped(ended);
  } catch (error) {
    resultRecorder.onFailed(toResultError(error));
  }
  const split = createRecordedSplit(record);
  const isSent = ended !== undefined && !ended.stopped && ended.replies.length > 0;
  const sent =
    isSent && ended ? buildDeliveries(ended, undefined, { link: () => ({ split }), nowMs: clock.now(), cutReply }) : [];
  const deliveries = sent.map(({ message }) => toDeliveryResult(message));
  return { result: { ...resultRecorder.getResult(), deliveries }, unanswered: answers.missing, notes };
}

/** Statuses of log entries that explain a difference between the results. */
const NOTED_STATUSES = new Set(["build_request_failed", "filtered"]);

/** Creates stages that provide the stored conversation as it was when the turn ran. */
function createConversationStages(deps: TurnRecord): Readonly<Record<"before" | "after", TurnStage>> {
  const { userMessage, history } = deps;
  const toStoredTurn = (turn: Turn) =>
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
    // Attachments were downloaded before the message was stored.
    after: { id: "replay.user-message", phase: "record-user", run: async (turn) => toStoredTurn(turn) },
  };
}

/** Creates the answers to external calls: each recorded result once. `missing` lists the calls without one. */
function createRecordedAnswers(recorded: readonly ExternalAnswer[]) {
  const remaining = Map.groupBy(recorded, ({ call }) => call);
  const missing: string[] = [];
  return {
    missing,
    hasAnswer: (call: string) => remaining.has(call),
    async takeAnswer<Answer>(call: string): Promise<Answer> {
      const found = remaining.get(call)?.shift();
      if (!found) {
        missing.push(call);
        throw new AppError("not_found", `'${call}' was not recorded`);
      }
      if (found.error) throw new AppError(toErrorCode(found.error.code), found.error.message);
      return found.answer as Answer;
    },
  };
}

function toErrorCode(code: string): ErrorCode {
  return Object.hasOwn(HTTP_STATUS, code) ? (code as ErrorCode) : "internal";
}

/** Splits replies as in the recording, because the platform's adapter is not connected in a replay. */
function createRecordedSplit({ result }: TurnRecord): (text: string) => readonly string[] {
  const texts = result.decorate.map(({ text }) => text).filter((text) => text !== "");
  const parts = result.deliveries.map(({ text }) => text).filter((text) => text !== "");
  const cut = new Map<string, readonly string[]>();
  let at = 0;
  for (const [index, text] of texts.entries()) {
    const from = at;
    // Parts are not substrings of the text: formatting that is open at a split is closed and opened again.
    while (at < parts.length && (at === from || !startsLike(parts[at], texts[index + 1]))) at += 1;
    cut.set(text, parts.slice(from, at));
  }
  return (text) => {
    const known = cut.get(text);
    return known && known.length > 0 ? known : [text];
  };
}

const COMPARED_CHARS = 32;

function startsLike(part = "", text = ""): boolean {
  const start = part.slice(0, COMPARED_CHARS).trimEnd();
  return start !== "" && text.trimStart().startsWith(start);
}
