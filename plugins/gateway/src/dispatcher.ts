import { type Clock, type Logger, newId, type Settings } from "@parley/core";
import type { DelayNotices } from "./delay-notices.ts";
import type { FailPoint } from "./fail-point.ts";
import type { ItemWork } from "./item-work.ts";
import { createMediaGroups, type MediaGroups, type MediaGroupsParts } from "./media-groups.ts";
import type { MinuteMetrics } from "./minute-metrics.ts";
import type { Outbox } from "./outbox.ts";
import { createRunningTurns, type RunningTurns } from "./running-turns.ts";
import { CONCURRENCY } from "./settings.ts";
import type { Sharing } from "./sharing.ts";
import { homeOf } from "./store/homes.ts";
import type { WaitingItem } from "./store/inbox.ts";
import type { GatewayStore } from "./store.ts";
import { INTERNAL_CHANNEL } from "./task-work.ts";
import { createTurnLanes, isTask, type TurnLanes } from "./turn-lanes.ts";
import { createWaitingChanges, type WaitingChanges } from "./waiting-changes.ts";

const MAX_DELIVERIES_WAITING = 20_000;
/** Tasks that run at once, beside the turns. */
const TASK_PLACES = 32;

/** Gives what waits its turn, as places become free. */
export interface Dispatcher {
  /** Names this process in leases. */
  readonly owner: string;
  readonly queue: TurnLanes;
  readonly turns: RunningTurns;
  readonly groups: MediaGroups;
  readonly changes: WaitingChanges;
  /** Turns that may run at once. */
  places(): number;
  /** One more of its kind may run now. */
  hasPlace(item: Pick<WaitingItem, "sessionId">): boolean;
  /** Begins what may run. */
  pump(): void;
  /** True while the messages of channels get their turn. */
  isWorking(): boolean;
  setWorking(isWorking: boolean): void;
  /** It waits until the worker runs again. */
  isPaused(item: Pick<WaitingItem, "channelId">): boolean;
  /** True when nothing runs or could. */
  isQuiet(): boolean;
  /** True once `stop` was called. */
  isStopping(): boolean;
  /** Begins no turn any more; what comes in is still stored. */
  hold(): void;
  /** Begins nothing any more. */
  stop(): void;
}

export interface DispatcherParts {
  readonly store: GatewayStore;
  readonly outbox: Pick<Outbox, "counts" | "waitsFor">;
  readonly work: ItemWork;
  readonly notices: Pick<DelayNotices, "stop">;
  readonly groups: MediaGroupsParts;
  readonly metrics: Pick<MinuteMetrics, "ended">;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
  /** Of this process among several that work on the database. */
  readonly sharing: Sharing | undefined;
  /** True while turns should be fewer: the event loop is late. */
  readonly isOverloaded: () => boolean;
  /** Called when something may have become quiet. */
  readonly changed: () => void;
}

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { outbox, settings, isOverloaded } = parts;
  const owner = parts.sharing?.node ?? newId("boot");
  let isWorking = true;
  let isStopping = false;
  let isHolding = false;
  const pump = () => {
    if (!isStopping && !isHolding) beginAll(parts, dispatcher);
  };
  const isPaused: Dispatcher["isPaused"] = (item) => !isWorking && isOfChannels(item);
  const queue: TurnLanes = createTurnLanes({
    clock: parts.clock,
    wake: pump,
    mayRun: (item) =>
      (parts.sharing?.mayWork(homeOf(item.sessionId)) ?? true) &&
      !turns.has(item.sessionId) &&
      !isPaused(item) &&
      !groups.isGathering(item.sessionId) &&
      !changes.isChanging(item.sessionId) &&
      (outbox.counts().waiting <= MAX_DELIVERIES_WAITING || !outbox.waitsFor(item.sessionId)),
  });
  const turns = createRunningTurns({ ...parts, queue, owner, over: pump, took: parts.metrics.ended });
  const groups = createMediaGroups(parts.groups, pump, (sessionId, traceId) => void queue.drop(sessionId, traceId));
  const changes = createWaitingChanges({ ...parts, queue, turns, wake: pump });
  const places = () => {
    const most = settings.get(CONCURRENCY);
    return isOverloaded() ? Math.ceil(most / 2) : most;
  };
  const dispatcher: Dispatcher = {
    owner,
    queue,
    turns,
    groups,
    changes,
    places,
    hasPlace: (item) => (isTask(item) ? turns.tasks < TASK_PLACES : turns.size < places()),
    pump,
    isWorking: () => isWorking,
    setWorking(works) {
      isWorking = works;
    },
    isPaused,
    isQuiet: () =>
      turns.list().length === 0 &&
      turns.unsettled().length === 0 &&
      !queue.hasWork() &&
      !queue.isRetrying() &&
      groups.isQuiet() &&
      changes.isQuiet(),
    isStopping: () => isStopping,
    hold() {
      isHolding = true;
    },
    stop() {
      isStopping = true;
      for (const part of [groups, queue, turns, parts.notices]) part.stop();
    },
  };
  return dispatcher;
}

function beginAll({ store, changed }: DispatcherParts, { owner, queue, turns, groups, places }: Dispatcher): void {
  while (turns.size < places()) {
    const item = queue.next();
    if (!item) break;
    const claim = store.claim(item, owner).then((claimed) => groups.gathered(item, claimed));
    turns.begin(item, claim);
  }
  while (turns.tasks < TASK_PLACES) {
    const item = queue.nextTask();
    if (!item) break;
    turns.begin(item, store.claim(item, owner));
  }
  changed();
}

/** The console's own conversations and tasks go on while the worker is stopped. */
function isOfChannels({ channelId }: Pick<WaitingItem, "channelId">): boolean {
  return channelId !== "web" && channelId !== INTERNAL_CHANNEL;
}
