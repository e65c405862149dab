import type { QueueItem } from "../store/inbox.ts";

/** One running turn. */
export interface ActiveTurn {
  readonly item: QueueItem;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}
