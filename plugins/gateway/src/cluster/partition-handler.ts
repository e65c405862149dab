import type { InboundMessage } from "@parley/core";
import type { Delivery } from "../store/delivery.ts";
import type { QueueItem } from "../store/inbox.ts";

/** A message that this node queues in memory from now on, whichever node received it. */
export interface TakenMessage {
  readonly item: QueueItem;
  /** Undefined for a message that has waited for long; it is read when it runs. */
  readonly message: InboundMessage | undefined;
}
export interface PartitionHandler {
  onMessage(taken: TakenMessage): void;
  onDeliveries(taken: readonly Delivery[]): void;
  /** Called once all fetched work is queued. */
  pump(): void;
  /** Called when another node requests to stop a turn, or all of a session. */
  onStopRequested(sessionId: string, traceId: string | undefined, isAbandoned: boolean): void;
  /** Partitions with running work. */
  getBusyPartitions(): ReadonlySet<string>;
  /** Called when a handover was cancelled: the work continues here. */
  onHandoverCancelled(): void;
  /** Drops all work of partitions that other nodes own now. */
  dropPartitions(partitions: ReadonlySet<string>): void;
  /** Called when other nodes counted this process as gone: its writes are rejected. */
  onFenced(): void;
}
