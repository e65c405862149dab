import type { Busy, Clock, InboundMessage } from "@parley/core";
import { gatewayTexts } from "../texts.ts";
import type { FairQueue } from "../turn/queue/fair-queue.ts";
import type { AdaptiveLimit, InFlight } from "./adaptive-limit.ts";
import type { RateLimits } from "./rate-limits.ts";

const MAX_WAITING = 10_000;
const MAX_WAITING_PER_CHANNEL = 1_000;
/** A full queue accepts messages again below this share of its limits. */
const RESUME_RATIO = 0.8;
const MAX_AGE_MS = 60_000;
const SAMPLE_EVERY_MS = 1_000;
/** Status of such rejections in the log. */
const QUEUE_FULL = "queue_full";
const FULL_REJECTION = createRejection("many_waiting", 5);
const OVERLOAD_REJECTION = createRejection("many_at_once", 1);

export interface AdmissionDeps {
  readonly clock: Clock;
  readonly waiting: Pick<FairQueue, "total" | "ofChannel" | "oldestMs">;
  readonly limits: RateLimits;
  readonly adaptiveLimit: AdaptiveLimit;
  /** True for channels whose platform sends rejected messages again. */
  readonly isRetriedByPlatform: (channelId: string) => boolean;
  /** True while messages that wait for a turn should get one soon. */
  readonly isWorkerRunning: () => boolean;
  /** Turns that may run at once. */
  readonly concurrency: () => number;
}

/** Admission of inbound messages: those beyond the limits are rejected before they are stored, or stored without a reply. */
export interface Admission {
  /** Returns the reason why no message of the channel is accepted now; undefined where one is. */
  busy(channelId: string): Busy | undefined;
  /** Throws `unavailable` or `rate_limited`: the platform retries later. */
  check(message: InboundMessage): void;
  /** Returns the reason not to answer an answerable message; undefined, and counted, where there is none. */
  getSkipReason(message: InboundMessage): "rate_limited" | undefined;
  /** Takes the count back, since the message was a duplicate. */
  refund(message: InboundMessage): void;
  /** Counts a message of the channel as waiting until `stored` is settled. */
  trackStoring(channelId: string, stored: Promise<unknown>): void;
}

export function createAdmission(deps: AdmissionDeps): Admission {
  const { clock, limits, adaptiveLimit, isRetriedByPlatform } = deps;
  const storing = createChannelCounters();
  /** Messages being stored and requests being read, by channel; only checked when a request arrives. */
  const arriving = createChannelCounters();
  const isFull = createFullCheck(deps, storing);
  const isOverloaded = (channelId: string, { of }: ChannelCounters) =>
    isRetriedByPlatform(channelId) && adaptiveLimit.isExceeded(of(channelId));
  return {
    busy(channelId) {
      if (isFull(channelId)) return FULL_REJECTION.busy;
      if (isOverloaded(channelId, arriving)) return OVERLOAD_REJECTION.busy;
      // Counted for one turn of the event loop, so that slow or missing bodies occupy no room.
      arriving.count(channelId, 1);
      const readMs = clock.monotonic();
      setImmediate(() => {
        arriving.count(channelId, -1);
        adaptiveLimit.recordLag(clock.monotonic() - readMs);
      });
      return undefined;
    },
    check(message) {
      const { channelId } = message;
      if (isFull(channelId)) throw FULL_REJECTION.createRejection();
      if (!isFromChannel(message)) return;
      if (isOverloaded(channelId, storing)) throw OVERLOAD_REJECTION.createRejection();
      const waitMs = limits.channelWaitMs(message);
      if (waitMs === 0) return;
      const retryAfterS = Math.ceil(waitMs / 1000);
      throw gatewayTexts.error("rate_limited", "channel_often", {}, { retryAfterS });
    },
    getSkipReason: (message) =>
      isSubjectToLimits(message) && limits.findExceeded(message) !== undefined ? "rate_limited" : undefined,
    refund(message) {
      if (isSubjectToLimits(message)) limits.refund(message);
    },
    trackStoring(channelId, write) {
      const count = (by: number) => {
        for (const counters of [storing, arriving]) counters.count(channelId, by);
      };
      count(1);
      const startedMs = clock.monotonic();
      const done = () => count(-1);
      write.then(() => {
        done();
        adaptiveLimit.recordDuration(clock.monotonic() - startedMs);
      }, done);
    },
  };
}

/** Messages in progress by channel. */
interface ChannelCounters {
  count(channelId: string, by: number): void;
  of(channelId: string): InFlight;
}

/** Builds the rejection for a webhook before it is read, and for a message. */
function createRejection(key: "many_waiting" | "many_at_once", retryAfterS: number) {
  const createRejection = () => gatewayTexts.error("unavailable", key, {}, { retryAfterS, cause: QUEUE_FULL });
  const busy: Busy = { reason: createRejection().message, retryAfterS };
  return { busy, createRejection };
}

function createChannelCounters(): ChannelCounters {
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

/** Returns a function that tells whether too many messages wait to accept one more of a channel. */
function createFullCheck(
  { clock, waiting, isWorkerRunning, concurrency }: AdmissionDeps,
  storing: ChannelCounters,
): (channelId: string) => boolean {
  const full = new Set<string>();
  let sample: { readonly atMs: number; readonly oldestMs: number | undefined } = { atMs: 0, oldestMs: undefined };
  /** True when the oldest message has waited too long; sampled once a second, since it is called for every message. */
  const hasOldMessages = () => {
    const atMs = clock.monotonic();
    if (atMs - sample.atMs > SAMPLE_EVERY_MS) sample = { atMs, oldestMs: waiting.oldestMs() };
    return sample.oldestMs !== undefined && atMs - sample.oldestMs > MAX_AGE_MS;
  };
  return (channelId) => {
    const share = full.has(channelId) ? RESUME_RATIO : 1;
    const { own, all } = storing.of(channelId);
    const isFull =
      waiting.total() + all >= MAX_WAITING * share ||
      waiting.ofChannel(channelId) + own >= MAX_WAITING_PER_CHANNEL * share ||
      (hasOldMessages() && isWorkerRunning() && waiting.total() > concurrency());
    if (isFull) full.add(channelId);
    else full.delete(channelId);
    return isFull;
  };
}

/** True for messages subject to the limits: those of people on channels that need a reply. */
function isSubjectToLimits(message: InboundMessage): boolean {
  return isFromChannel(message) && message.addressed && message.kind === "message";
}

function isFromChannel({ source, channelId }: InboundMessage): boolean {
  return source === channelId && channelId !== "web";
}
