import { AppError } from "@parley/core";
import type { QueueItem } from "../../store/inbox.ts";

/** Reason why a message shares a later one's answer: its model was not asked yet (`merged`), or was interrupted (`superseded`). */
export type MergeReason = "merged" | "superseded";

/** Abort reason of a turn whose message is answered together with a later one. */
export class AnsweredLater extends AppError {
  readonly later: QueueItem;
  readonly reason: MergeReason;
  constructor(later: QueueItem, reason: MergeReason) {
    super("unavailable", "a later message is answered together with this one");
    this.later = later;
    this.reason = reason;
  }
}
