import type { Clock, Logger } from "@parley/core";
import { type DeliveryQueues, isOfChannel } from "./delivery-queues.ts";
import type { SendingPermit } from "./sending-permit.ts";
import type { Delivery } from "./store/outbox.ts";

/** After a failure of our own, say of the disk. */
const TRY_AGAIN_MS = 5_000;
const MAX_TIMER_MS = 2 ** 30;

/** When which conversation gets its next delivery: one at a time each, as soon as it is due. */
export interface DeliverySchedule {
  /** Looks at these conversations when their first delivery is due. */
  wakeAll(keys: Iterable<string>): void;
  /** What of a channel waits is due now; where the platform asked to wait, it is waited. */
  wakeChannel(channelId: string): void;
  /** The platform can be reached again: also what is being sent is followed by the next try at once. */
  reached(channelId: string): void;
  isSending(key: string): boolean;
  /** Conversations to which something is being sent. */
  sending(): Iterable<string>;
  /** Resolves when what is being sent has ended; only of a channel where it is named. */
  settled(channelId?: string): Promise<void>;
  /** True when nothing is being sent or due. */
  isQuiet(): boolean;
  /** Nothing is looked at later. */
  clearTimers(): void;
}

export interface ScheduleParts {
  readonly queues: DeliveryQueues;
  readonly permit: Pick<SendingPermit, "isHeld">;
  /** False: its home is another node's, or about to be. */
  readonly mayWork: (delivery: Delivery) => boolean;
  readonly clock: Pick<Clock, "monotonic">;
  readonly logger: Logger;
  /** Works on the first delivery of a conversation. */
  readonly send: (key: string) => Promise<void>;
  /** Called when something may have become quiet. */
  readonly changed: () => void;
}

interface Schedule extends ScheduleParts {
  readonly sending: Map<string, Promise<void>>;
  readonly timers: Map<string, NodeJS.Timeout>;
  /** What was woken while it was being sent. */
  readonly woken: Set<string>;
}

export function createDeliverySchedule(parts: ScheduleParts): DeliverySchedule {
  const schedule: Schedule = { ...parts, sending: new Map(), timers: new Map(), woken: new Set() };
  const { queues, clock, sending, timers, woken } = schedule;
  const wakeChannel = (channelId: string) => {
    for (const key of queues.keys()) {
      const first = isOfChannel(key, channelId) ? queues.first(key) : undefined;
      if (first) wake(schedule, key, first.throttles > 0 ? first.nextMs : clock.monotonic());
    }
  };
  return {
    wakeAll(keys) {
      for (const key of keys) wake(schedule, key, queues.first(key)?.nextMs ?? clock.monotonic());
    },
    wakeChannel,
    reached(channelId) {
      for (const key of sending.keys()) if (isOfChannel(key, channelId)) woken.add(key);
      wakeChannel(channelId);
    },
    isSending: (key) => sending.has(key),
    sending: () => sending.keys(),
    async settled(channelId) {
      const own = [...sending].filter(([key]) => channelId === undefined || isOfChannel(key, channelId));
      await Promise.all(own.map(([, work]) => work));
    },
    isQuiet: () => sending.size === 0 && [...queues.keys()].every((key) => !isDue(queues.first(key), clock)),
    clearTimers() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

function isDue(delivery: Delivery | undefined, clock: Pick<Clock, "monotonic">): boolean {
  return delivery !== undefined && delivery.nextMs <= clock.monotonic();
}

function wake(schedule: Schedule, key: string, atMs: number): void {
  const { queues, permit, clock, sending, timers, changed, mayWork } = schedule;
  const first = queues.first(key);
  if (permit.isHeld() || sending.has(key) || !queues.has(key) || (first && !mayWork(first))) return;
  const timer = timers.get(key);
  if (timer) {
    clearTimeout(timer);
    timers.delete(key);
  }
  const wait = atMs - clock.monotonic();
  if (wait <= 0) {
    sending.set(key, work(schedule, key));
    return;
  }
  const again = () => wake(schedule, key, clock.monotonic());
  timers.set(key, setTimeout(again, Math.min(wait, MAX_TIMER_MS)));
  changed();
}

async function work(schedule: Schedule, key: string): Promise<void> {
  const { queues, clock, logger, sending, woken, send, changed } = schedule;
  try {
    await send(key);
  } catch (error) {
    logger.error("a delivery could not be worked on; it is tried again later", { error });
    const first = queues.first(key);
    if (first) queues.replaceFirst(key, { ...first, nextMs: clock.monotonic() + TRY_AGAIN_MS });
  }
  sending.delete(key);
  const isWoken = woken.delete(key);
  const first = queues.first(key);
  if (first) wake(schedule, key, isWoken && first.throttles === 0 ? clock.monotonic() : first.nextMs);
  else queues.close(key);
  changed();
}
