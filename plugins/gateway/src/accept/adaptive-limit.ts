import type { Clock } from "@parley/core";

const SAMPLE_EVERY_MS = 50;
/** Target for the mean duration of storing a message, beyond twice the shortest one. */
const TARGET_DURATION_MS = 16;
/** Samples above the target in a row before a limit is set, so that a short burst (half a second) sets none. */
const LATE_SAMPLES = 10;
/** Time without messages after which the limit is lifted. */
const IDLE_RESET_MS = 2_000;
/** Length of the window for the shortest duration. The window is limited because a disk may become slow. */
const MINIMUM_WINDOW_MS = 30_000;
/** Weight of a new sample in the moving average, since one late sample says little. */
const SMOOTHING = 0.3;
const MIN_LIMIT = 8;
/** Samples at the minimum limit without a clear improvement after which the limit is lifted: the number of messages is not the cause. */
const INEFFECTIVE_SAMPLES = 20;
const INEFFECTIVE_RATIO = 0.7;
/** Time without a limit after an ineffective one. */
const SUSPENDED_MS = 10_000;
/** A limit of this size or more counts as no limit. */
const MAX_LIMIT = 256;
const GROWTH = 1.1;

/**
 * Limits how many messages may be stored at the same time. There is no limit while the service keeps up or during a
 * short burst. Under sustained overload the limit is the number of messages that are stored within the target duration;
 * the others are rejected and must be sent again.
 */
export interface AdaptiveLimit {
  isExceeded(storing: InFlight): boolean;
  /** Records the time from reading a message until it was stored. */
  recordDuration(ms: number): void;
  /** Records how long the event loop was busy after reading a message; others wait unread for about this time. */
  recordLag(ms: number): void;
}

/** Counts of the messages being stored: of this channel, of all channels, and the number of channels. */
export interface InFlight {
  readonly own: number;
  readonly all: number;
  readonly channels: number;
}

export function createAdaptiveLimit(clock: Pick<Clock, "monotonic">): AdaptiveLimit {
  const minimum = createMinimum(clock);
  const limit = createLimit();
  const storing = createMean();
  const lag = createMean();
  let sampledMs = clock.monotonic();
  let smoothedMs: number | undefined;
  const sample = (nowMs: number, sinceMs: number) => {
    const stored = storing.count();
    const tookMs = storing.take() + lag.take();
    if (sinceMs > IDLE_RESET_MS) {
      limit.lift();
      smoothedMs = undefined;
    } else if (stored > 0) {
      const targetMs = TARGET_DURATION_MS + 2 * minimum.ms();
      smoothedMs = smoothedMs === undefined ? tookMs : smoothedMs + SMOOTHING * (tookMs - smoothedMs);
      limit.adjust({ nowMs, meanMs: smoothedMs, targetMs, sustainableCount: (stored / sinceMs) * targetMs });
    }
    sampledMs = nowMs;
  };
  return {
    isExceeded({ own, all, channels }) {
      const nowMs = clock.monotonic();
      if (nowMs - sampledMs >= SAMPLE_EVERY_MS) sample(nowMs, nowMs - sampledMs);
      const most = limit.most();
      // A channel below its fair share does not cause the overload.
      return most < MAX_LIMIT && all >= most && own * Math.max(1, channels) >= most;
    },
    recordDuration(ms) {
      storing.add(ms);
      minimum.note(ms);
    },
    recordLag: lag.add,
  };
}

function createMean() {
  let count = 0;
  let sum = 0;
  return {
    count: () => count,
    add(value: number) {
      count += 1;
      sum += value;
    },
    /** Returns the mean, 0 for no values, and resets it. */
    take(): number {
      const mean = count > 0 ? sum / count : 0;
      count = sum = 0;
      return mean;
    },
  };
}

/** Measurements since the last sample. */
interface Sample {
  readonly nowMs: number;
  readonly meanMs: number;
  readonly targetMs: number;
  /** Messages that can be stored at once within the target duration, by Little's law. */
  readonly sustainableCount: number;
}

function createLimit() {
  let most = Number.POSITIVE_INFINITY;
  let lateSamples = 0;
  let ineffectiveSamples = 0;
  /** Mean duration when the limit was set. */
  let baselineMs = 0;
  let suspendedUntilMs = 0;
  const lift = () => {
    most = Number.POSITIVE_INFINITY;
    lateSamples = ineffectiveSamples = 0;
  };
  const isIneffective = (meanMs: number) => {
    ineffectiveSamples = most <= MIN_LIMIT && meanMs > baselineMs * INEFFECTIVE_RATIO ? ineffectiveSamples + 1 : 0;
    return ineffectiveSamples >= INEFFECTIVE_SAMPLES;
  };
  return {
    most: () => most,
    lift,
    adjust({ nowMs, meanMs, targetMs, sustainableCount }: Sample) {
      if (nowMs < suspendedUntilMs) return;
      if (meanMs <= targetMs) {
        lateSamples = ineffectiveSamples = 0;
        most = most < MAX_LIMIT ? Math.ceil(most * GROWTH) : Number.POSITIVE_INFINITY;
        return;
      }
      lateSamples += 1;
      if (most >= MAX_LIMIT) baselineMs = meanMs;
      if (most < MAX_LIMIT || lateSamples >= LATE_SAMPLES)
        most = Math.max(MIN_LIMIT, Math.floor(Math.min(most, sustainableCount)));
      if (!isIneffective(meanMs)) return;
      lift();
      suspendedUntilMs = nowMs + SUSPENDED_MS;
    },
  };
}

/** Tracks the shortest duration of the last window. */
function createMinimum(clock: Pick<Clock, "monotonic">) {
  let sinceMs = clock.monotonic();
  let last = Number.POSITIVE_INFINITY;
  let current = Number.POSITIVE_INFINITY;
  return {
    ms: () => Math.min(last, current),
    note(ms: number) {
      if (clock.monotonic() - sinceMs > MINIMUM_WINDOW_MS) {
        sinceMs = clock.monotonic();
        last = current;
        current = ms;
      } else current = Math.min(current, ms);
    },
  };
}
