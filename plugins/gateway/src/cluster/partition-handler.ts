import type { InboundMessage } from "@parley/core";
import type { Delivery } from "../store/delivery.ts";
import type { QueueItem } from "../store/inbox.ts";

/** A message that came to this node or another one, and waits in this one's memory from now on. */
export interface TakenMessage {
  readonly item: QueueItem;
  /** Undefined: it has waited for long, and is read when it runs. */
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
