import type { Busy, Clock, InboundMessage } from "@parley/core";
import type { AcceptLimit, Storing } from "./accept-limit.ts";
import type { RateLimits } from "./rate-limits.ts";
import { gatewayFailure } from "./said-failures.ts";
import type { WaitingQueue } from "./waiting-queue.ts";

const MAX_WAITING = 10_000;
const MAX_WAITING_OF_CHANNEL = 1_000;
/** Once full, so much of the room has to be free before anything is taken again. */
const FREE_SHARE = 0.8;
const OLDEST_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
/** For the log: it tells of a refusal under this status. */
const QUEUE_FULL = "queue_full";
const FULL = whyBusy("many_waiting", 5);
const BEHIND = whyBusy("many_at_once", 1);

export interface AdmissionParts {
  readonly clock: Clock;
  readonly waiting: Pick<WaitingQueue, "total" | "ofChannel" | "oldestMs">;
  readonly limits: RateLimits;
  readonly acceptLimit: AcceptLimit;
  /** True for channels whose platform sends again what was refused for now. */
  readonly comesAgain: (channelId: string) => boolean;
  /** True while messages that wait for a turn should get one soon. */
  readonly isWorking: () => boolean;
  /** Turns that may run at once. */
  readonly places: () => number;
}

/** Who comes in: what is too much is refused before it is stored, or stored and not answered. */
export interface Admission {
  /** Why nothing of the channel is taken now. */
  busy(channelId: string): Busy | undefined;
  /** Throws `unavailable` or `rate_limited`: the platform comes again. */
  check(message: InboundMessage): void;
  /** Why an answerable message is not answered, if it is not. It is counted when it is. */
  skippedFor(message: InboundMessage): "rate_limited" | undefined;
  /** It was a copy, and is not counted after all. */
  takeBack(message: InboundMessage): void;
  /** Counts as waiting until the returned promise is settled: it is being stored. */
  storing(channelId: string, stored: Promise<unknown>): void;
}

export function createAdmission(parts: AdmissionParts): Admission {
  const { clock, limits, acceptLimit, comesAgain } = parts;
  const stored = createTally();
  /** The same, and who was let in and is being read: they are asked after once, at the door. */
  const coming = createTally();
  const isFull = createFullness(parts, stored);
  const isBehind = (channelId: string, { of }: Tally) => comesAgain(channelId) && acceptLimit.isOver(of(channelId));
  return {
    busy(channelId) {
      if (isFull(channelId)) return FULL.busy;
      if (isBehind(channelId, coming)) return BEHIND.busy;
      // For one round of the event loop: who sends a body slowly, or none, takes nobody's place.
      coming.count(channelId, 1);
      const readMs = clock.monotonic();
      setImmediate(() => {
        coming.count(channelId, -1);
        acceptLimit.lagged(clock.monotonic() - readMs);
      });
      return undefined;
    },
    check(message) {
      const { channelId } = message;
      if (isFull(channelId)) throw FULL.refusal();
      if (!isOfChannel(message)) return;
      if (isBehind(channelId, stored)) throw BEHIND.refusal();
      const waitMs = limits.channelWaitMs(message);
      if (waitMs === 0) return;
      const retryAfterS = Math.ceil(waitMs / 1000);
      throw gatewayFailure("rate_limited", "channel_often", {}, { retryAfterS });
    },
    skippedFor: (message) => (isLimited(message) && limits.over(message) !== undefined ? "rate_limited" : undefined),
    takeBack(message) {
      if (isLimited(message)) limits.takeBack(message);
    },
    storing(channelId, storing) {
      const count = (by: number) => {
        for (const tally of [stored, coming]) tally.count(channelId, by);
      };
      count(1);
      const begunMs = clock.monotonic();
      const done = () => count(-1);
      storing.then(() => {
        done();
        acceptLimit.took(clock.monotonic() - begunMs);
      }, done);
    },
  };
}

/** How many messages are on their way, by channel. */
interface Tally {
  count(channelId: string, by: number): void;
  of(channelId: string): Storing;
}

/** Why nothing is taken now: for whoever asks at the door, and for a message that is refused. */
function whyBusy(key: "many_waiting" | "many_at_once", retryAfterS: number) {
  const refusal = () => gatewayFailure("unavailable", key, {}, { retryAfterS, cause: QUEUE_FULL });
  const busy: Busy = { reason: refusal().message, retryAfterS };
  return { busy, refusal };
}

function createTally(): Tally {
  const channels = new Map<string, number>();
  let all = 0;
  return {
    count(channelId, by) {
      all += by;
      const left = (channels.get(channelId) ?? 0) + by;
      if (left > 0) channels.set(channelId, left);
      else channels.delete(channelId);
    },
    of: (channelId) => ({ own: channels.get(channelId) ?? 0, all, channels: channels.size }),
  };
}

/** Whether too much waits already for one more message of a channel. */
function createFullness(
  { clock, waiting, isWorking, places }: AdmissionParts,
  stored: Tally,
): (channelId: string) => boolean {
  const full = new Set<string>();
  let seen: { readonly atMs: number; readonly oldestMs: number | undefined } = { atMs: 0, oldestMs: undefined };
  /** As of a second ago at most: it is asked for every message. */
  const isLate = () => {
    const atMs = clock.monotonic();
    if (atMs - seen.atMs > LOOK_EVERY_MS) seen = { atMs, oldestMs: waiting.oldestMs() };
    return seen.oldestMs !== undefined && atMs - seen.oldestMs > OLDEST_MS;
  };
  return (channelId) => {
    const share = full.has(channelId) ? FREE_SHARE : 1;
    const { own, all } = stored.of(channelId);
    const isFull =
      waiting.total() + all >= MAX_WAITING * share ||
      waiting.ofChannel(channelId) + own >= MAX_WAITING_OF_CHANNEL * share ||
      (isLate() && isWorking() && waiting.total() > places());
    if (isFull) full.add(channelId);
    else full.delete(channelId);
    return isFull;
  };
}

/** Limits are for what people on channels want answered. */
function isLimited(message: InboundMessage): boolean {
  return isOfChannel(message) && message.addressed && message.kind === "message";
}

function isOfChannel({ source, channelId }: InboundMessage): boolean {
  return source === channelId && channelId !== "web";
}
