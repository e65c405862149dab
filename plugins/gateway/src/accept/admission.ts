import type { Busy, Clock, InboundMessage } from "@parley/core";
import { gatewayTexts } from "../texts.ts";
import type { FairQueue } from "../turn/queue/fair-queue.ts";
import type { AdaptiveLimit, InFlight } from "./adaptive-limit.ts";
import { createBriefWaits } from "./brief-waits.ts";
import type { RateLimits } from "./rate-limits.ts";

const MAX_WAITING = 10_000;
const MAX_WAITING_PER_CHANNEL = 1_000;
/** A full queue accepts messages again once it is below this share of its limits. */
const RESUME_RATIO = 0.8;
const MAX_AGE_MS = 60_000;
const SAMPLE_EVERY_MS = 1_000;
/** Log status of messages rejected because a queue is full. */
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
  /** Returns the maximum number of concurrent turns. */
  readonly concurrency: () => number;
}

/** Decides which messages are accepted. Those beyond the limits are rejected, or stored without a reply. */
export interface Admission {
  /** Returns why the channel accepts no messages now; undefined when it accepts them. */
  busy(channelId: string): Busy | undefined;
  /** Throws `unavailable` or `rate_limited` when the message is not accepted now; the platform retries later. */
  check(message: InboundMessage): void;
  /** Returns why the message gets no reply. Otherwise returns undefined and counts the message towards the limits. */
  getSkipReason(message: InboundMessage): "rate_limited" | undefined;
  /** Reverts the count of a message that turned out to be a duplicate. */
  refund(message: InboundMessage): void;
  /** Counts a message of the channel as waiting until `stored` is settled. */
  trackStoring(channelId: string, stored: Promise<unknown>): void;
}

export function createAdmission(deps: AdmissionDeps): Admission {
  const { clock, limits, adaptiveLimit, isRetriedByPlatform } = deps;
  const storing = createChannelCounters();
  /** Counters by channel of messages being stored and requests being read; checked only when a request arrives. */
  const arriving = createChannelCounters();
  const isFull = createFullCheck(deps, storing);
  const isOverloaded = (channelId: string, { of }: ChannelCounters) =>
    isRetriedByPlatform(channelId) && adaptiveLimit.isExceeded(of(channelId));
  const findBusy = (channelId: string) => {
    if (isFull(channelId)) return FULL_REJECTION.busy;
    return isOverloaded(channelId, arriving) ? OVERLOAD_REJECTION.busy : admit(channelId);
  };
  const briefWaits = createBriefWaits({ busy: findBusy, nowMs: () => clock.monotonic() });
  const admit = (channelId: string) => {
    // Each request counts only for one turn of the event loop, so that slow or missing bodies occupy no room.
    arriving.count(channelId, 1);
    const readMs = clock.monotonic();
    setImmediate(() => {
      arriving.count(channelId, -1);
      adaptiveLimit.recordLag(clock.monotonic() - readMs);
    });
    return undefined;
  };
  return {
    busy(channelId) {
      const found = findBusy(channelId);
      // An overload passes within milliseconds, and a platform repeats a rejected request after a second or more.
      return found === OVERLOAD_REJECTION.busy ? { ...found, wait: () => briefWaits.wait(channelId, found) } : found;
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

/** Number of messages in progress, by channel. */
interface ChannelCounters {
  count(channelId: string, by: number): void;
  of(channelId: string): InFlight;
}

/** Creates the two forms of a rejection: one for a webhook request that is not read, and an error for a message. */
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

/** Returns a function that is true when too many messages wait to accept another one of a channel. */
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
