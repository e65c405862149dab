import type { Clock, Logger } from "@parley/core";
import type { Delivery } from "../store/delivery.ts";
import { type DeliveryQueues, isKeyOfChannel } from "./delivery-queues.ts";
import type { SendingPermit } from "./sending-permit.ts";

/** Delay after an internal error, such as a full disk. */
const RETRY_MS = 5_000;
const MAX_TIMER_MS = 2 ** 30;

/** Schedules deliveries: one at a time for each conversation, as soon as it is due. */
export interface DeliveryScheduler {
  /** Wakes these conversations when their first delivery is due. */
  wakeAll(keys: Iterable<string>): void;
  /** Makes waiting deliveries of a channel due now, unless the platform asked to wait. */
  wakeChannel(channelId: string): void;
  /** Called when the platform is reachable again; a delivery being sent is followed by its next attempt at once. */
  onReachable(channelId: string): void;
  isSending(key: string): boolean;
  /** Conversations to which something is being sent. */
  sending(): Iterable<string>;
  /** Resolves when running sends have ended; with a channel id, only those of that channel. */
  drain(channelId?: string): Promise<void>;
  /** True when nothing is being sent or due. */
  isIdle(): boolean;
  /** Cancels all timers. */
  clearTimers(): void;
}

export interface DeliverySchedulerDeps {
  readonly queues: DeliveryQueues;
  readonly permit: Pick<SendingPermit, "isPaused">;
  /** False when another node owns the partition, or is about to. */
  readonly canProcess: (delivery: Delivery) => boolean;
  readonly clock: Pick<Clock, "monotonic">;
  readonly logger: Logger;
  /** Processes the first delivery of a conversation. */
  readonly send: (key: string) => Promise<void>;
  /** Called when the scheduler may have become idle. */
  readonly onMaybeIdle: () => void;
}

interface SchedulerState extends DeliverySchedulerDeps {
  readonly sending: Map<string, Promise<void>>;
  readonly timers: Map<string, NodeJS.Timeout>;
  /** Conversations woken while a delivery was being sent. */
  readonly woken: Set<string>;
}

export function createDeliveryScheduler(deps: DeliverySchedulerDeps): DeliveryScheduler {
  const state: SchedulerState = { ...deps, sending: new Map(), timers: new Map(), woken: new Set() };
  const { queues, clock, sending, timers, woken } = state;
  const wakeChannel = (channelId: string) => {
    for (const key of queues.keys()) {
      const first = isKeyOfChannel(key, channelId) ? queues.first(key) : undefined;
      if (first) wake(state, key, first.throttles > 0 ? first.nextMs : clock.monotonic());
    }
  };
  return {
    wakeAll(keys) {
      for (const key of keys) wake(state, key, queues.first(key)?.nextMs ?? clock.monotonic());
    },
    wakeChannel,
    onReachable(channelId) {
      for (const key of sending.keys()) if (isKeyOfChannel(key, channelId)) woken.add(key);
      wakeChannel(channelId);
    },
    isSending: (key) => sending.has(key),
    sending: () => sending.keys(),
    async drain(channelId) {
      const pending = [...sending].filter(([key]) => channelId === undefined || isKeyOfChannel(key, channelId));
      await Promise.all(pending.map(([, promise]) => promise));
    },
    isIdle: () => sending.size === 0 && [...queues.keys()].every((key) => !isDue(queues.first(key), clock)),
    clearTimers() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

function isDue(delivery: Delivery | undefined, clock: Pick<Clock, "monotonic">): boolean {
  return delivery !== undefined && delivery.nextMs <= clock.monotonic();
}

function wake(state: SchedulerState, key: string, atMs: number): void {
  const { queues, permit, clock, sending, timers, onMaybeIdle, canProcess } = state;
  const first = queues.first(key);
  if (permit.isPaused() || sending.has(key) || !queues.has(key) || (first && !canProcess(first))) return;
  const timer = timers.get(key);
  if (timer) {
    clearTimeout(timer);
    timers.delete(key);
  }
  const waitMs = atMs - clock.monotonic();
  if (waitMs <= 0) {
    sending.set(key, processQueue(state, key));
    return;
  }
  const wakeNow = () => wake(state, key, clock.monotonic());
  timers.set(key, setTimeout(wakeNow, Math.min(waitMs, MAX_TIMER_MS)));
  onMaybeIdle();
}

async function processQueue(state: SchedulerState, key: string): Promise<void> {
  const { queues, clock, logger, sending, woken, send, onMaybeIdle } = state;
  try {
    await send(key);
  } catch (error) {
    logger.error("a delivery could not be worked on; it is tried again later", { error });
    const first = queues.first(key);
    if (first) queues.replaceFirst(key, { ...first, nextMs: clock.monotonic() + RETRY_MS });
  }
  sending.delete(key);
  const isWoken = woken.delete(key);
  const first = queues.first(key);
  if (first) wake(state, key, isWoken && first.throttles === 0 ? clock.monotonic() : first.nextMs);
  else queues.close(key);
  onMaybeIdle();
}
