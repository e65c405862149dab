import type { InboundMessage } from "@parley/core";
import type { Delivery } from "../store/delivery.ts";
import type { QueueItem } from "../store/inbox.ts";

/** A message that this node queues in memory, whichever node received it. */
export interface TakenMessage {
  readonly item: QueueItem;
  /** The message; undefined when it has waited for long and should be read only when its turn starts. */
  readonly message: InboundMessage | undefined;
}
export interface PartitionHandler {
  onMessage(taken: TakenMessage): void;
  onDeliveries(taken: readonly Delivery[]): void;
  /** Called when all fetched work is queued. */
  pump(): void;
  /** Called when another node asks to stop one turn, or all turns of a session. */
  onStopRequested(sessionId: string, traceId: string | undefined, isAbandoned: boolean): void;
  /** Returns the partitions with running work. */
  getBusyPartitions(): ReadonlySet<string>;
  /** Called when a handover was cancelled, so that the work continues on this node. */
  onHandoverCancelled(): void;
  /** Drops all work of partitions that other nodes own by now. */
  dropPartitions(partitions: ReadonlySet<string>): void;
  /** Called when other nodes regard this process as gone, so that its writes are rejected. */
  onFenced(): void;
}
