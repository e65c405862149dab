import {
  type Accepted,
  type Busy,
  type Clock,
  checkInbound,
  type InboundKind,
  type InboundMessage,
  type Localized,
  type Logger,
  newId,
  newTraceId,
  type Redaction,
  withoutNul,
} from "@parley/core";
import type { Admission } from "./admission.ts";
import type { Aliases } from "./aliases.ts";
import { arrivalSentence } from "./arrival-sentence.ts";
import type { CopyTimes } from "./copy-times.ts";
import type { DelayNotices } from "./delay-notices.ts";
import { noticeOf } from "./deliveries.ts";
import type { DirectSends } from "./direct-sends.ts";
import type { EventLog } from "./event-log.ts";
import type { FailPoint } from "./fail-point.ts";
import { entryFor } from "./item-entry.ts";
import type { MediaGroups } from "./media-groups.ts";
import { KEY_SEPARATOR } from "./migrations.ts";
import type { MinuteMetrics } from "./minute-metrics.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { RunningTurns } from "./running-turns.ts";
import type { Sharing } from "./sharing.ts";
import { FIRST_FENCE, type NewItem, type StoredItem } from "./store/arrivals.ts";
import type { Claimed, WaitingItem } from "./store/inbox.ts";
import type { GatewayStore } from "./store.ts";
import { isChange, type TurnQueue } from "./turn-queue.ts";
import type { TurnRunner } from "./turn-runner.ts";
import type { WaitingChanges } from "./waiting-changes.ts";

const MAX_RAW = 64 * 1024;
/** Kinds that are answered; the others are only recorded. */
const RUN: ReadonlySet<InboundKind> = new Set(["message", "regenerate", "task"]);

export interface AcceptingParts {
  readonly store: GatewayStore;
  readonly admission: Admission;
  readonly runner: Pick<TurnRunner, "isImmediate">;
  readonly turns: RunningTurns;
  readonly queue: TurnQueue;
  readonly groups: MediaGroups;
  readonly changes: WaitingChanges;
  readonly sends: DirectSends;
  readonly notices: Pick<DelayNotices, "arrived">;
  readonly aliases: Aliases;
  readonly limits: RateLimits;
  readonly copiesMs: CopyTimes["of"];
  /** Tells of a limit that somebody is over; empty: nobody is told. */
  readonly limitReply: string | Localized;
  readonly metrics: Pick<MinuteMetrics, "acknowledged">;
  readonly redaction: Redaction;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly failPoint: FailPoint;
  /** Of several nodes: whoever has the home of a message runs its turn. */
  readonly sharing: Sharing | undefined;
  /** Names this process in leases. */
  readonly owner: string;
  /** One more of its kind may run now. */
  readonly hasPlace: (item: WaitingItem) => boolean;
  /** Called when something waits that may run. */
  readonly pump: () => void;
  /** Refuses what a tool of a session's turn asks people, because they said something else. */
  readonly refuseOpen: (sessionId: string) => void;
}

type Messages = readonly [InboundMessage, ...InboundMessage[]];

/** The one door: a message is stored, or it is refused, and what becomes of it then. */
export interface Accepting {
  /** All are stored, or none is: they are of one session. */
  accept(messages: Messages): Promise<readonly Accepted[]>;
  busy(channelId: string): Busy | undefined;
  counts(): { readonly duplicates: number; readonly rateLimited: number };
}

/** A message on its way in. */
interface Arrival {
  readonly message: InboundMessage;
  readonly item: WaitingItem;
  readonly skipped: "rate_limited" | undefined;
  readonly isImmediate: boolean;
  /** Nothing is before it: its turn's claim is stored with the message. */
  readonly isNext: boolean;
}

type Arrivals = readonly [Arrival, ...Arrival[]];

export function createAccepting(parts: AcceptingParts): Accepting {
  const { admission, queue, metrics, clock, failPoint, pump } = parts;
  const counts = { duplicates: 0, rateLimited: 0 };
  const toQueue = createToQueue();
  const settle = (arrival: Arrival, { itemId, traceId, node }: StoredItem): Accepted => {
    const { item, message, skipped } = arrival;
    const duplicated = itemId !== item.id;
    if (duplicated) noteCopy(parts, arrival, traceId);
    else if (parts.sharing) share(parts, parts.sharing, arrival, node);
    else route(parts, arrival);
    if (duplicated) counts.duplicates += 1;
    else if (skipped) counts.rateLimited += 1;
    const queued = !duplicated && !skipped && message.addressed && RUN.has(message.kind);
    if (queued && isOtherText(arrival)) parts.refuseOpen(message.sessionId);
    return { traceId, itemId, duplicated, queued, queueSize: queue.total() };
  };
  return {
    counts: () => counts,
    busy: admission.busy,
    async accept([received, ...following]) {
      failPoint("verified");
      const begunMs = clock.monotonic();
      const coming = (one: InboundMessage, isAfter: boolean) => {
        checkInbound(one, one.channelId);
        const message = asStored(parts, one);
        admission.check(message);
        return arrivalOf(parts, message, begunMs, isAfter);
      };
      const first = coming(received, toQueue.has(received.sessionId));
      const arrivals: Arrivals = [first, ...following.map((one) => coming(one, true))];
      using entered = new DisposableStack();
      for (const arrival of arrivals) entered.use(toQueue.enter(arrival));
      const stored = await inserted(parts, arrivals);
      metrics.acknowledged(Math.max(1, Math.round((clock.monotonic() - begunMs) * 1000)));
      failPoint("committed-inbox");
      const accepted = stored.map((one, at) => settle(arrivals[at] ?? first, one));
      // After this call's answer is under way: the acknowledgement must not wait for the turn to begin.
      setImmediate(() => {
        failPoint("acked");
        pump();
      });
      return accepted;
    },
  };
}

/** Messages that are being stored and wait then, by session: what comes after them comes after them. */
function createToQueue() {
  const sessions = new Map<string, number>();
  const count = (sessionId: string, by: number) => {
    const left = (sessions.get(sessionId) ?? 0) + by;
    if (left > 0) sessions.set(sessionId, left);
    else sessions.delete(sessionId);
  };
  return {
    has: (sessionId: string) => sessions.has(sessionId),
    enter({ item: { sessionId }, isNext, isImmediate, skipped }: Arrival): Disposable {
      const waits = !isNext && !isImmediate && !skipped;
      if (waits) count(sessionId, 1);
      return { [Symbol.dispose]: () => waits && count(sessionId, -1) };
    },
  };
}

/** What is stored of a message as it came. */
function asStored({ aliases, redaction }: AcceptingParts, received: InboundMessage): InboundMessage {
  const { raw, ...given } = aliases.resolve(received);
  // A platform's message is not refused for it: it would come again and again.
  return withoutNul({ ...given, ...(raw !== undefined && { raw: boundedRaw(redaction.mask(raw)) }) });
}

/** `isAfter`: another one of its session is being stored, and waits then. */
function arrivalOf(parts: AcceptingParts, message: InboundMessage, sinceMs: number, isAfter: boolean): Arrival {
  const { clock, admission, runner, queue, hasPlace, sharing } = parts;
  const { channelId, sessionId } = message;
  const now = clock.now();
  const ids = { id: newId("qi", now), traceId: newTraceId(now) };
  const item: WaitingItem = { ...ids, channelId, sessionId, sinceMs, isFirst: true };
  const skipped = admission.skippedFor(message);
  const isImmediate = runner.isImmediate(message);
  const isAlone = !sharing && !skipped && !isImmediate && !isAfter && message.album === undefined;
  return { message, item, skipped, isImmediate, isNext: isAlone && hasPlace(item) && queue.isNext(item) };
}

function inserted(parts: AcceptingParts, [first, ...following]: Arrivals): Promise<readonly StoredItem[]> {
  const { store, admission, turns, failPoint } = parts;
  const stored = store.insert([newItemOf(parts, first), ...following.map((one) => newItemOf(parts, one))]);
  failPoint("recorded");
  for (const { item } of [first, ...following]) admission.storing(item.channelId, stored);
  turns.stored(stored);
  if (first.isNext) turns.begin(first.item, firstClaim(stored, first.item.id, first.message));
  return stored;
}

function newItemOf({ copiesMs, owner }: AcceptingParts, { message, item, skipped, isNext }: Arrival): NewItem {
  const { id, traceId, channelId } = item;
  const keys = { ...keysOf(message), copiesMs: copiesMs(channelId) };
  return { id, traceId, message, ...keys, skipped, ...(isNext && { owner }) };
}

function keysOf({ channelId, account = "", dedupeKey, nonce }: InboundMessage) {
  return {
    dedupeKey: dedupeKey && [channelId, account, dedupeKey].join(KEY_SEPARATOR),
    nonceKey: nonce && [channelId, account, "nonce", nonce].join(KEY_SEPARATOR),
  };
}

function noteCopy({ log, admission }: AcceptingParts, { item, message, skipped }: Arrival, traceId: string): void {
  log.add({ ...entryFor(item, message)("duplicated", "a copy of an earlier message"), traceId });
  if (!skipped) admission.takeBack(message);
}

function noteArrival(parts: AcceptingParts, { item, message, skipped }: Arrival): void {
  const { log, logger } = parts;
  const entry = entryFor(item, message);
  log.add(entry("received", arrivalSentence(message)));
  log.add(skipped ? entry("rate_limited", "over a limit: not answered") : entry("queued", "stored"));
  if (!skipped) return;
  tellLimited(parts, item.traceId, message).catch((error) => logger.warn("a notice could not be sent", { error }));
}

/** Text of people that is no word on what is asked: it would wait behind the question. */
function isOtherText({ message, isImmediate }: Arrival): boolean {
  return message.kind === "message" && !isImmediate && message.isHidden !== true;
}

/** It is on disk, and in nobody's memory yet. */
function share(parts: AcceptingParts, sharing: Sharing, arrival: Arrival, node: string | undefined): void {
  noteArrival(parts, arrival);
  if (!arrival.skipped) sharing.stored(node);
}

/** It is on disk: it runs, waits, or was only to be accounted for. */
function route(parts: AcceptingParts, arrival: Arrival): void {
  const { item, message, skipped, isImmediate, isNext } = arrival;
  const { store, turns, queue, groups, changes, notices, owner } = parts;
  noteArrival(parts, arrival);
  if (skipped || isNext) return;
  const { raw: _raw, ...kept } = message;
  if (isImmediate) turns.beginBeside(item, store.claim(item, owner));
  else if (isChange(message)) changes.add({ ...item, message: kept }, kept);
  else {
    if (message.album !== undefined) groups.received(item.sessionId, message.album);
    notices.arrived(item, kept);
    queue.add({ ...item, message: kept });
  }
}

async function tellLimited(
  { limitReply, limits, sends, clock }: AcceptingParts,
  traceId: string,
  message: InboundMessage,
) {
  if (limitReply === "" || !limits.mayTell(message)) return;
  await sends.store(noticeOf(traceId, message, limitReply, clock.now()));
}

/** The claim that is stored with the message itself. Undefined for a copy and for one that was refused. */
async function firstClaim(
  stored: Promise<readonly StoredItem[]>,
  itemId: string,
  message: InboundMessage,
): Promise<Claimed | undefined> {
  const [first] = await stored.catch(() => []);
  return first?.itemId === itemId ? { message, fence: FIRST_FENCE, draft: undefined } : undefined;
}

function boundedRaw(raw: unknown): unknown {
  const text = JSON.stringify(raw) ?? "";
  return text.length <= MAX_RAW ? raw : { cut: text.slice(0, MAX_RAW) };
}
