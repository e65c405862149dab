import type { Clock, InboundMessage, Nodes } from "@parley/core";
import { recoverDelivery } from "../deliver/delivery-queues.ts";
import type { PartitionStore, TakenRow } from "../store/nodes/partitions.ts";
import { toDelivery } from "../store/outbox.ts";
import type { PartitionHandler, TakenMessage } from "./partition-handler.ts";

/** Messages older than this waited before their node started; they are queued as backlog. */
const BACKLOG_MS = 60_000;
/** Interval of the search for work that was assigned to a node after it was gone. */
const CHECK_EVERY_MS = 2_000;

export interface PartitionTakeoverDeps {
  readonly nodes: Pick<Nodes, "isDraining">;
  readonly partitions: Pick<PartitionStore, "takeOver" | "takeWork" | "listOwners">;
  readonly handler: Pick<PartitionHandler, "onMessage" | "onDeliveries">;
  readonly clock: Clock;
  /** Called for each partition this node takes over. */
  readonly onTaken: (partition: string) => void;
}

/** Creates a function that takes over the partitions of gone nodes and fetches new work of this node's partitions. */
export function createPartitionTakeover({ nodes, partitions, handler, clock, onTaken }: PartitionTakeoverDeps) {
  const goneNodes = new Set<string>();
  const takenOver = new Set<string>();
  let checkedMs = clock.monotonic();
  /** Returns the gone nodes to take over: new ones and, every `CHECK_EVERY_MS`, those assigned partitions since. */
  const findAbandoned = async () => {
    const isDue = clock.monotonic() - checkedMs >= CHECK_EVERY_MS && goneNodes.size > 0;
    if (isDue) checkedMs = clock.monotonic();
    const owners = new Set(isDue ? await partitions.listOwners() : []);
    return [...goneNodes].filter((id) => !takenOver.has(id) || owners.has(id));
  };
  return {
    addGoneNodes(ids: readonly string[]) {
      for (const id of ids) goneNodes.add(id);
    },
    async take() {
      if (!nodes.isDraining()) {
        const abandoned = await findAbandoned();
        for (const partition of await partitions.takeOver(abandoned)) onTaken(partition);
        for (const id of abandoned) takenOver.add(id);
      }
      const { items, deliveries, partitions: owned } = await partitions.takeWork();
      for (const partition of owned) onTaken(partition);
      for (const row of items) handler.onMessage(toTakenMessage(row, clock));
      const open = deliveries.map(toDelivery);
      handler.onDeliveries(open.map(recoverDelivery));
    },
  };
}

function toTakenMessage(row: TakenRow, clock: Clock): TakenMessage {
  const ageMs = Math.max(0, clock.now() - Number(row.received_ms));
  const isBacklog = ageMs > BACKLOG_MS;
  const message = isBacklog ? undefined : (JSON.parse(row.message) as InboundMessage);
  const item = {
    id: row.id,
    traceId: row.trace_id,
    channelId: row.channel_id,
    sessionId: row.session_id,
    // The age needs the wall clock, as the time was stored by another process.
    sinceMs: clock.monotonic() - ageMs,
    // True when the row was not processed since it was stored.
    isFirst: row.runs === 0 && row.updated_ms === row.received_ms,
  };
  return { item: isBacklog ? { ...item, isBacklog } : item, message };
}
