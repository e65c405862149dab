import type { Clock, Logger } from "@parley/core";
import type { Delivery } from "../store/delivery.ts";
import { type DeliveryQueues, isKeyOfChannel } from "./delivery-queues.ts";
import type { SendingPermit } from "./sending-permit.ts";

/** Delay after an internal error, such as a full disk. */
const RETRY_MS = 5_000;
const MAX_TIMER_MS = 2 ** 30;

/** Schedules deliveries: in each conversation one at a time, each as soon as it is due. */
export interface DeliveryScheduler {
  /** Schedules these conversations for the time when their first delivery is due. */
  wakeAll(keys: Iterable<string>): void;
  /** Makes the waiting deliveries of a channel due now, except when the platform demanded a delay. */
  wakeChannel(channelId: string): void;
  /** Called when the platform is reachable again. A delivery being sent is then retried at once if it fails. */
  onReachable(channelId: string): void;
  isSending(key: string): boolean;
  /** Returns the conversations in which a delivery is being sent. */
  sending(): Iterable<string>;
  /** Resolves when the running sends have ended: all of them, or those of the given channel. */
  drain(channelId?: string): Promise<void>;
  /** True when no delivery is being sent or due. */
  isIdle(): boolean;
  clearTimers(): void;
}

export interface DeliverySchedulerDeps {
  readonly queues: DeliveryQueues;
  readonly permit: Pick<SendingPermit, "isPaused">;
  /** Returns false when another node owns the partition, or will own it shortly. */
  readonly canProcess: (delivery: Delivery) => boolean;
  readonly clock: Pick<Clock, "monotonic">;
  readonly logger: Logger;
  /** Processes the first delivery of a conversation. */
  readonly send: (key: string) => Promise<void>;
  readonly onMaybeIdle: () => void;
  /** Shows on the platform that the bot is typing, until the returned function is called. */
  readonly showTyping: (delivery: Delivery) => () => void;
}

interface SchedulerState extends DeliverySchedulerDeps {
  readonly sending: Map<string, Promise<void>>;
  readonly timers: Map<string, { readonly timeout: NodeJS.Timeout; readonly hideTyping: () => void }>;
  /** Conversations that were scheduled while a delivery was being sent. */
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
      for (const key of timers.keys()) clearTimer(state, key);
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
  clearTimer(state, key);
  const waitMs = atMs - clock.monotonic();
  if (waitMs <= 0) {
    sending.set(key, processQueue(state, key));
    return;
  }
  const wakeNow = () => wake(state, key, clock.monotonic());
  const isPause = first?.laterPart !== undefined && first.throttles === 0;
  const hideTyping = isPause ? state.showTyping(first) : () => {};
  timers.set(key, { timeout: setTimeout(wakeNow, Math.min(waitMs, MAX_TIMER_MS)), hideTyping });
  onMaybeIdle();
}

function clearTimer({ timers }: SchedulerState, key: string): void {
  const timer = timers.get(key);
  clearTimeout(timer?.timeout);
  timer?.hideTyping();
  timers.delete(key);
}

async function processQueue(state: SchedulerState, key: string): Promise<void> {
  const { queues, clock, logger, sending, woken, send, onMaybeIdle } = state;
  try {
    await send(key);
  } catch (error) {
    logger.error("a delivery could not be processed; it is retried later", { error });
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
