import type { Clock, InboundMessage, Nodes } from "@parley/core";
import { afterCrash } from "./delivery-queues.ts";
import type { Receiver } from "./sharing.ts";
import type { HomeStore, TakenItem } from "./store/homes.ts";
import type { WaitingItem } from "./store/inbox.ts";
import { deliveryOf } from "./store/outbox.ts";

/** What waits for longer was there before its node: it is taken at the pace of a backlog. */
const BACKLOG_MS = 60_000;
/** What was given to a node that was gone already is found so much later. */
const LOOK_EVERY_MS = 2_000;

/** A message that came to this node or another one, and waits in this one's memory from now on. */
export interface TakenMessage {
  readonly item: WaitingItem;
  /** Undefined: it has waited for long, and is read when it runs. */
  readonly message: InboundMessage | undefined;
}

export interface TakingParts {
  readonly nodes: Pick<Nodes, "isDraining">;
  readonly homes: Pick<HomeStore, "takeOver" | "take" | "owners">;
  readonly receiver: Pick<Receiver, "message" | "deliveries">;
  readonly clock: Clock;
  /** This node has the home now. */
  readonly took: (home: string) => void;
}

/** Takes what nodes had that are gone, and what came in for the homes of this one. */
export function createTaking({ nodes, homes, receiver, clock, took }: TakingParts) {
  const gone = new Set<string>();
  const takenOver = new Set<string>();
  let lookedMs = clock.monotonic();
  /** Of those that are gone: what they left, and now and then what was given to them after that. */
  const left = async () => {
    const isTime = clock.monotonic() - lookedMs >= LOOK_EVERY_MS && gone.size > 0;
    if (isTime) lookedMs = clock.monotonic();
    const owners = new Set(isTime ? await homes.owners() : []);
    return [...gone].filter((id) => !takenOver.has(id) || owners.has(id));
  };
  return {
    gone(ids: readonly string[]) {
      for (const id of ids) gone.add(id);
    },
    async take() {
      if (!nodes.isDraining()) {
        const free = await left();
        for (const home of await homes.takeOver(free)) took(home);
        for (const id of free) takenOver.add(id);
      }
      const { items, deliveries, homes: held } = await homes.take();
      for (const home of held) took(home);
      for (const row of items) receiver.message(takenOf(row, clock));
      const open = deliveries.map(deliveryOf);
      receiver.deliveries(open.map(afterCrash));
    },
  };
}

function takenOf(row: TakenItem, clock: Clock): TakenMessage {
  const ageMs = Math.max(0, clock.now() - Number(row.received_ms));
  const isBacklog = ageMs > BACKLOG_MS;
  const message = isBacklog ? undefined : (JSON.parse(row.message) as InboundMessage);
  const item = {
    id: row.id,
    traceId: row.trace_id,
    channelId: row.channel_id,
    sessionId: row.session_id,
    // How old it is only the clock on the wall can say.
    sinceMs: clock.monotonic() - ageMs,
    // Nothing was done with it since it was stored.
    isFirst: row.runs === 0 && row.updated_ms === row.received_ms,
  };
  return { item: isBacklog ? { ...item, isBacklog } : item, message };
}
