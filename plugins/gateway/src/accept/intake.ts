import {
  type Accepted,
  type Busy,
  type Clock,
  type InboundKind,
  type InboundMessage,
  type Localized,
  type Logger,
  newId,
  newTraceId,
  type Redaction,
  removeNul,
} from "@parley/core";
import { checkInbound } from "@parley/core/channels";
import type { Partitioning } from "../cluster/partitioning.ts";
import { buildNotice } from "../deliver/deliveries.ts";
import type { DirectSends } from "../deliver/direct-sends.ts";
import type { FailPoint } from "../fail-point.ts";
import { KEY_SEPARATOR } from "../migrations.ts";
import type { EventLog } from "../observe/event-log.ts";
import { createLogEntryBuilder } from "../observe/message-log-entry.ts";
import type { MinuteMetrics } from "../observe/metrics/minute-metrics.ts";
import type { GatewayStore } from "../store/gateway-store.ts";
import type { ClaimedMessage, QueueItem } from "../store/inbox.ts";
import { FIRST_FENCE, type InsertedMessage, type NewInboxMessage } from "../store/intake.ts";
import { gatewayTexts } from "../texts.ts";
import type { DelayNotices } from "../turn/delay-notices.ts";
import type { MediaGroups } from "../turn/queue/media-groups.ts";
import type { PendingEdits } from "../turn/queue/pending-edits.ts";
import { isEditOrRecall, type TurnQueue } from "../turn/queue/turn-queue.ts";
import type { TurnRunner } from "../turn/run/turn-runner.ts";
import type { RunningTurns } from "../turn/running-turns.ts";
import type { Admission } from "./admission.ts";
import type { ConversationAliases } from "./conversation-aliases.ts";
import type { DedupeTtl } from "./dedupe-ttl.ts";
import { describeInbound } from "./describe-inbound.ts";
import type { RateLimits } from "./rate-limits.ts";

const DUPLICATE = gatewayTexts.message("trace_duplicate");
const OVER_LIMIT = gatewayTexts.message("trace_over_limit");
const STORED = gatewayTexts.message("trace_stored");
const MAX_RAW_CHARS = 64 * 1024;
/** Kinds of messages that are answered; messages of other kinds are only recorded. */
const ANSWERED_KINDS: ReadonlySet<InboundKind> = new Set(["message", "regenerate", "task"]);

export interface IntakeDeps {
  readonly store: GatewayStore;
  readonly admission: Admission;
  readonly runner: Pick<TurnRunner, "isImmediate">;
  readonly turns: RunningTurns;
  readonly queue: TurnQueue;
  readonly groups: MediaGroups;
  readonly pendingEdits: PendingEdits;
  readonly sends: DirectSends;
  readonly notices: Pick<DelayNotices, "onQueued">;
  readonly aliases: ConversationAliases;
  readonly limits: RateLimits;
  readonly dedupeTtlMs: DedupeTtl["getMs"];
  /** Notice for a sender who exceeds a limit; an empty string disables it. */
  readonly limitReply: string | Localized;
  readonly metrics: Pick<MinuteMetrics, "recordAck">;
  readonly redaction: Redaction;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly failPoint: FailPoint;
  /** Set when several nodes share the database: the owner of the message's partition runs its turn. */
  readonly partitioning: Partitioning | undefined;
  readonly owner: string;
  /** True when the item's kind has a free slot. */
  readonly hasFreeSlot: (item: QueueItem) => boolean;
  /** Called when a waiting message may run. */
  readonly pump: () => void;
  /** Rejects the open tool confirmations of a session when the person sends a new message instead of answering them. */
  readonly rejectOpenConfirmations: (sessionId: string) => void;
}

type Messages = readonly [InboundMessage, ...InboundMessage[]];

/** Entry point of all messages: stores or rejects each message, then queues it. */
export interface Intake {
  /** Stores all messages, which belong to one session, or none of them. */
  accept(messages: Messages): Promise<readonly Accepted[]>;
  busy(channelId: string): Busy | undefined;
  counts(): { readonly duplicates: number; readonly rateLimited: number };
}

/** An inbound message that is being stored. */
interface IncomingMessage {
  readonly message: InboundMessage;
  readonly item: QueueItem;
  readonly skipped: "rate_limited" | undefined;
  readonly isImmediate: boolean;
  /** True when no other message is ahead in its session; the message is then stored as already claimed. */
  readonly isNext: boolean;
}

type IncomingMessages = readonly [IncomingMessage, ...IncomingMessage[]];

export function createIntake(deps: IntakeDeps): Intake {
  const { admission, queue, metrics, clock, failPoint, pump } = deps;
  const counts = { duplicates: 0, rateLimited: 0 };
  const storingSessions = createStoringSessions();
  const toAccepted = (incomingMessage: IncomingMessage, { itemId, traceId, node }: InsertedMessage): Accepted => {
    const { item, message, skipped } = incomingMessage;
    const duplicated = itemId !== item.id;
    if (duplicated) logDuplicate(deps, incomingMessage, traceId);
    else if (deps.partitioning) notifyPartition(deps, deps.partitioning, incomingMessage, node);
    else enqueue(deps, incomingMessage);
    if (duplicated) counts.duplicates += 1;
    else if (skipped) counts.rateLimited += 1;
    const queued = !duplicated && !skipped && message.addressed && ANSWERED_KINDS.has(message.kind);
    if (queued && isNewRequest(incomingMessage)) deps.rejectOpenConfirmations(message.sessionId);
    return { traceId, itemId, duplicated, queued, queueSize: queue.total() };
  };
  return {
    counts: () => counts,
    busy: admission.busy,
    async accept([received, ...following]) {
      failPoint("verified");
      const startedMs = clock.monotonic();
      const prepare = (one: InboundMessage, followsAnother: boolean) => {
        checkInbound(one, one.channelId);
        const message = toStoredMessage(deps, one);
        admission.check(message);
        return toIncomingMessage(deps, message, startedMs, followsAnother);
      };
      const first = prepare(received, storingSessions.has(received.sessionId));
      const incoming: IncomingMessages = [first, ...following.map((one) => prepare(one, true))];
      using entries = new DisposableStack();
      for (const one of incoming) entries.use(storingSessions.enter(one));
      const stored = await insertAll(deps, incoming);
      metrics.recordAck(Math.max(1, Math.round((clock.monotonic() - startedMs) * 1000)));
      failPoint("committed-inbox");
      const accepted = stored.map((one, at) => toAccepted(incoming[at] ?? first, one));
      // Turns start in a later step of the event loop, so that the acknowledgement is sent first.
      setImmediate(() => {
        failPoint("acked");
        pump();
      });
      return accepted;
    },
  };
}

/** Counts the messages being stored by session, so that later ones are queued behind them. */
function createStoringSessions() {
  const sessions = new Map<string, number>();
  const count = (sessionId: string, by: number) => {
    const left = (sessions.get(sessionId) ?? 0) + by;
    if (left > 0) sessions.set(sessionId, left);
    else sessions.delete(sessionId);
  };
  return {
    has: (sessionId: string) => sessions.has(sessionId),
    enter({ item: { sessionId }, isNext, isImmediate, skipped }: IncomingMessage): Disposable {
      const waits = !isNext && !isImmediate && !skipped;
      if (waits) count(sessionId, 1);
      return { [Symbol.dispose]: () => waits && count(sessionId, -1) };
    },
  };
}

/** Returns the message as it is stored: ids without aliases, secrets masked, `raw` truncated, NUL removed. */
function toStoredMessage({ aliases, redaction }: IntakeDeps, received: InboundMessage): InboundMessage {
  const { raw, ...rest } = aliases.resolve(received);
  // NUL characters are removed rather than rejected; otherwise the platform would redeliver the message forever.
  return removeNul({ ...rest, ...(raw !== undefined && { raw: truncateRaw(redaction.mask(raw)) }) });
}

/** Builds the incoming message. `followsAnother`: it waits behind one of its session that is being stored. */
function toIncomingMessage(
  deps: IntakeDeps,
  message: InboundMessage,
  sinceMs: number,
  followsAnother: boolean,
): IncomingMessage {
  const { clock, admission, runner, queue, hasFreeSlot, partitioning, pendingEdits } = deps;
  const { channelId, sessionId } = message;
  const now = clock.now();
  const ids = { id: newId("qi", now), traceId: newTraceId(now) };
  const item: QueueItem = { ...ids, channelId, sessionId, sinceMs, isFirst: true };
  const skipped = admission.getSkipReason(message);
  const isImmediate = runner.isImmediate(message);
  const isChanged = isEditOrRecall(message) || pendingEdits.hasEarlier(message);
  const isAlone = !followsAnother && message.album === undefined && !isChanged;
  const canStartAtOnce = !partitioning && !skipped && !isImmediate && isAlone;
  return { message, item, skipped, isImmediate, isNext: canStartAtOnce && hasFreeSlot(item) && queue.isNext(item) };
}

function insertAll(deps: IntakeDeps, [first, ...following]: IncomingMessages): Promise<readonly InsertedMessage[]> {
  const { store, admission, turns, failPoint } = deps;
  const stored = store.insert([
    toNewInboxMessage(deps, first),
    ...following.map((one) => toNewInboxMessage(deps, one)),
  ]);
  failPoint("recorded");
  for (const { item } of [first, ...following]) admission.trackStoring(item.channelId, stored);
  turns.watchWrite(stored);
  if (first.isNext) turns.start(first.item, toFirstClaim(stored, first.item.id, first.message));
  return stored;
}

function toNewInboxMessage(
  { dedupeTtlMs, owner }: IntakeDeps,
  { message, item, skipped, isNext }: IncomingMessage,
): NewInboxMessage {
  const { id, traceId, channelId } = item;
  const keys = { ...toDedupeKeys(message), dedupeTtlMs: dedupeTtlMs(channelId) };
  return { id, traceId, message, ...keys, skipped, ...(isNext && { owner }) };
}

function toDedupeKeys({ channelId, account = "", dedupeKey, nonce }: InboundMessage) {
  return {
    dedupeKey: dedupeKey && [channelId, account, dedupeKey].join(KEY_SEPARATOR),
    nonceKey: nonce && [channelId, account, "nonce", nonce].join(KEY_SEPARATOR),
  };
}

function logDuplicate(
  { log, admission }: IntakeDeps,
  { item, message, skipped }: IncomingMessage,
  traceId: string,
): void {
  log.add({ ...createLogEntryBuilder(item, message)("duplicated", DUPLICATE), traceId });
  if (!skipped) admission.refund(message);
}

function logReceived(deps: IntakeDeps, { item, message, skipped }: IncomingMessage): void {
  const { log, logger } = deps;
  const entry = createLogEntryBuilder(item, message);
  log.add(entry("received", describeInbound(message)));
  log.add(skipped ? entry("rate_limited", OVER_LIMIT) : entry("queued", STORED));
  if (!skipped) return;
  sendLimitNotice(deps, item.traceId, message).catch((error) =>
    logger.warn("the rate limit notice could not be sent", { error }),
  );
}

/** True for a new text from a person that would wait for an open confirmation without answering it. */
function isNewRequest({ message, isImmediate }: IncomingMessage): boolean {
  return message.kind === "message" && !isImmediate && message.isHidden !== true;
}

/** Logs a stored message and notifies the owner of its partition; it is not queued in memory yet. */
function notifyPartition(
  deps: IntakeDeps,
  partitioning: Partitioning,
  incoming: IncomingMessage,
  node: string | undefined,
): void {
  logReceived(deps, incoming);
  if (!incoming.skipped) partitioning.notifyStored(node);
}

/** Queues or starts a committed message. A skipped message is only logged. */
function enqueue(deps: IntakeDeps, incoming: IncomingMessage): void {
  const { item, message, skipped, isImmediate, isNext } = incoming;
  const { store, turns, queue, groups, pendingEdits, notices, owner } = deps;
  logReceived(deps, incoming);
  if (skipped || isNext) return;
  const { raw: _raw, ...trimmed } = message;
  if (isImmediate) turns.startConcurrent(item, store.claim(item, owner));
  else if (isEditOrRecall(message)) pendingEdits.add({ ...item, message: trimmed }, trimmed);
  else {
    if (message.album !== undefined) groups.onReceived(item.sessionId, message.album);
    notices.onQueued(item, trimmed);
    queue.add({ ...item, message: trimmed });
    pendingEdits.applyEarlier(item, trimmed);
  }
}

async function sendLimitNotice(
  { limitReply, limits, sends, clock }: IntakeDeps,
  traceId: string,
  message: InboundMessage,
) {
  if (limitReply === "" || !limits.shouldNotify(message)) return;
  await sends.store(buildNotice(traceId, message, limitReply, clock.now()));
}

/** Resolves to the claim that was stored with the message; undefined for a duplicate or a rejected message. */
async function toFirstClaim(
  stored: Promise<readonly InsertedMessage[]>,
  itemId: string,
  message: InboundMessage,
): Promise<ClaimedMessage | undefined> {
  const [first] = await stored.catch(() => []);
  return first?.itemId === itemId ? { message, fence: FIRST_FENCE, draft: undefined } : undefined;
}

function truncateRaw(raw: unknown): unknown {
  const text = JSON.stringify(raw) ?? "";
  return text.length <= MAX_RAW_CHARS ? raw : { cut: text.slice(0, MAX_RAW_CHARS) };
}
