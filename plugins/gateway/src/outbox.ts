import type { ChannelConfig, ChannelLink, ConversationMove, DeliveryStatus, IdempotencyMode } from "@parley/core";
import { createCircuitBreakers } from "./circuit-breakers.ts";
import { type AttemptsParts, type Connected, createAttempts, type DeliveryAttempts } from "./delivery-attempts.ts";
import { afterCrash, conversationKey, createDeliveryQueues, type DeliveryQueues } from "./delivery-queues.ts";
import { createDeliverySchedule, type DeliverySchedule } from "./delivery-schedule.ts";
import { createDeliverySteps, type StepParts } from "./delivery-step.ts";
import { createVerdicts, type VerdictParts } from "./delivery-verdicts.ts";
import { createSendingPermit, OVER } from "./sending-permit.ts";
import type { Sharing } from "./sharing.ts";
import { homeOfDelivery } from "./store/homes.ts";
import type { Delivery } from "./store/outbox.ts";
import type { GatewayStore } from "./store.ts";

export interface OutboxParts
  extends Omit<VerdictParts, "breakers">,
    Omit<
      AttemptsParts,
      "isCounted" | "mayWork" | "markSending" | "store" | "verdicts" | "breakers" | "permit" | "connected"
    >,
    Pick<StepParts, "record"> {
  readonly store: GatewayStore;
  /** Called when something may have become quiet. */
  readonly changed: () => void;
  /** Of several nodes: which of them sends what. */
  readonly sharing: Sharing | undefined;
}

/** Sends replies, in order within a conversation, as often as is safe. */
export interface Outbox extends OutboxDoor {
  start(): Promise<void>;
  connect(channel: ChannelConfig, link: ChannelLink, mode: IdempotencyMode): AsyncDisposable;
  /** The link of a channel reaches its platform again: what waited for that goes on. */
  reachable(channelId: string): void;
  link(channelId: string): ChannelLink | undefined;
  /** Resolves when a delivery that is under way ends. */
  ended(deliveryId: string): Promise<DeliveryStatus>;
  /** Starts nothing new until `resume`; resolves when nothing is being sent any more. */
  pause(): Promise<void>;
  resume(): void;
  /** What waits for a conversation goes on under its new id. */
  moved(move: ConversationMove): void;
  /** Homes of what is being sent, or stored to be sent, this moment. */
  busy(): readonly string[];
  /** Another node sends what waits in these homes. */
  forgetHomes(homes: ReadonlySet<string>): void;
  /** True when something of the session is not sent yet. */
  waitsFor(sessionId: string): boolean;
  /** Looks again at everything that waits. */
  wake(): void;
  /** True when nothing is being sent or due. */
  isQuiet(): boolean;
  /** Lets what is being sent end; starts nothing new. */
  stop(): Promise<void>;
  counts(): { readonly waiting: number; readonly delivered: number; readonly dead: number };
}

/** How deliveries come in. */
export interface OutboxDoor {
  /**
   * Deliveries of one turn as they should be stored: what can go out at once is under way with that. Then they are to be
   * added, or, where they could not be stored, forgotten.
   */
  prepared(deliveries: readonly Delivery[]): Promise<readonly Delivery[]>;
  forget(deliveries: readonly Delivery[]): void;
  /** Takes deliveries that are stored already. */
  add(deliveries: readonly Delivery[]): void;
}

export function createOutbox(parts: OutboxParts): Outbox {
  const { store, clock } = parts;
  const queues = createDeliveryQueues();
  const permit = createSendingPermit();
  const connected = new Map<string, Connected>();
  const breakers = createCircuitBreakers(clock, (channelId) => schedule.wakeChannel(channelId));
  const verdicts = createVerdicts({ ...parts, breakers });
  const mayWork = (delivery: Delivery) => parts.sharing?.mayWork(homeOfDelivery(delivery)) ?? true;
  const attempts = createAttempts({
    ...parts,
    mayWork,
    verdicts,
    breakers,
    permit,
    connected: (id) => connected.get(id),
    isCounted: () => parts.sharing?.isCounted() ?? true,
    markSending: (delivery) => queues.replaceFirst(conversationKey(delivery), { ...delivery, state: "sending" }),
  });
  const wakeAll = (keys: Iterable<string>) => schedule.wakeAll(keys);
  const { step, move, ended } = createDeliverySteps({ ...parts, queues, attempts, verdicts, wakeAll });
  const schedule = createDeliverySchedule({ ...parts, queues, permit, mayWork, send: step });
  const door = createDoor({ queues, attempts, wakeAll, clock, sharing: parts.sharing });
  const reachable = (channelId: string) => {
    breakers.changed(channelId);
    schedule.reached(channelId);
  };
  return {
    ...door,
    ...createLeaving({ queues, schedule, attempts, underWay: door.underWay }),
    ...createSending(permit, schedule, queues),
    async start() {
      if (parts.sharing) return;
      // What was being sent when the process ended may have arrived.
      const open = await store.openDeliveries();
      door.add(open.map(afterCrash));
    },
    connect(channel, link, mode) {
      const own: Connected = { channel, link, mode, leaving: new AbortController() };
      connected.set(channel.id, own);
      reachable(channel.id);
      return { [Symbol.asyncDispose]: () => disconnect(connected, own, schedule) };
    },
    reachable,
    link: (channelId) => connected.get(channelId)?.link,
    ended,
    wake: () => schedule.wakeAll(queues.keys()),
    // What is being sent this moment finds out by itself.
    moved(to) {
      if (!schedule.isSending(`${to.channelId}\0${to.from}`)) move(to);
    },
    waitsFor: queues.waitsFor,
    isQuiet: schedule.isQuiet,
    counts: () => ({ waiting: queues.total(), ...verdicts.counts() }),
  };
}

async function disconnect(connected: Map<string, Connected>, own: Connected, schedule: DeliverySchedule) {
  const { id } = own.channel;
  if (connected.get(id) === own) connected.delete(id);
  own.leaving.abort(OVER);
  await schedule.settled(id);
}

interface DoorParts {
  readonly queues: DeliveryQueues;
  readonly attempts: Pick<DeliveryAttempts, "mayGoNow" | "clear" | "forget">;
  readonly wakeAll: (keys: Iterable<string>) => void;
  readonly clock: AttemptsParts["clock"];
  readonly sharing: OutboxParts["sharing"];
}

function createDoor({ queues, attempts, wakeAll, clock, sharing }: DoorParts) {
  /** Conversations whose next delivery is being stored as under way. */
  const reserved = new Set<string>();
  /** Homes of those that are being stored for this node, by the delivery. */
  const storing = new Map<string, string>();
  const door: OutboxDoor = {
    async prepared(made) {
      const deliveries = made.map((one) => (sharing?.isHere(one) === false ? { ...one, isElsewhere: true } : one));
      for (const one of deliveries) if (!one.isElsewhere) storing.set(one.id, homeOfDelivery(one));
      const [first, ...others] = deliveries;
      if (!first || first.isElsewhere) return deliveries;
      const key = conversationKey(first);
      if (queues.has(key) || reserved.has(key)) return deliveries;
      reserved.add(key);
      if (!(await attempts.mayGoNow(first))) {
        reserved.delete(key);
        return deliveries;
      }
      attempts.clear(first.id);
      return [{ ...first, state: "sending" }, ...others];
    },
    forget(deliveries) {
      for (const delivery of deliveries.filter(({ isElsewhere }) => !isElsewhere)) {
        attempts.forget(delivery.id);
        storing.delete(delivery.id);
        reserved.delete(conversationKey(delivery));
      }
    },
    add(deliveries) {
      const here = deliveries.filter(({ isElsewhere }) => !isElsewhere);
      if (here.length < deliveries.length) sharing?.stored(undefined);
      for (const delivery of here) {
        storing.delete(delivery.id);
        reserved.delete(conversationKey(delivery));
      }
      wakeAll(queues.add(onMonotonicClock(here, clock)));
    },
  };
  return { ...door, underWay: () => storing.values() };
}

interface LeavingParts {
  readonly queues: DeliveryQueues;
  readonly schedule: DeliverySchedule;
  readonly attempts: Pick<DeliveryAttempts, "forget">;
  readonly underWay: () => Iterable<string>;
}

/** What of a home keeps it here, and how all of it goes. */
function createLeaving(parts: LeavingParts): Pick<Outbox, "busy" | "forgetHomes"> {
  const { queues, schedule, attempts, underWay } = parts;
  const homeOf = (key: string) => {
    const first = queues.first(key);
    return first ? [homeOfDelivery(first)] : [];
  };
  return {
    busy: () => [...[...schedule.sending()].flatMap(homeOf), ...underWay()],
    forgetHomes(homes) {
      for (const key of [...queues.keys()]) {
        const [home] = homeOf(key);
        if (home === undefined || !homes.has(home)) continue;
        for (const { id } of queues.take(key)) attempts.forget(id);
      }
    },
  };
}

/** In memory all times are on the clock that never jumps: a wall clock that is set must not expire or hold an answer. */
function onMonotonicClock(deliveries: readonly Delivery[], clock: DoorParts["clock"]): readonly Delivery[] {
  const shift = clock.monotonic() - clock.now();
  return deliveries.map((one) => ({
    ...one,
    nextMs: one.nextMs + shift,
    expiresMs: one.expiresMs === null ? null : one.expiresMs + shift,
    createdMs: one.createdMs + shift,
  }));
}

function createSending(
  permit: ReturnType<typeof createSendingPermit>,
  schedule: DeliverySchedule,
  queues: DeliveryQueues,
): Pick<Outbox, "pause" | "resume" | "stop"> {
  const held = () => {
    schedule.clearTimers();
    return schedule.settled();
  };
  return {
    pause() {
      permit.pause();
      return held();
    },
    resume() {
      permit.resume();
      schedule.wakeAll(queues.keys());
    },
    stop() {
      permit.stop();
      return held();
    },
  };
}
