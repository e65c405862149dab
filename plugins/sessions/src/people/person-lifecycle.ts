import type { RecordPart } from "@parley/core";

/** Tables that the erasure of rows skips: the history erases people itself, and administrators write broadcasts. */
export const PERSON_LIFECYCLE: RecordPart = {
  id: "sessions.of-person",
  of: "person",
  tables: [
    { table: "sessions", isKept: true },
    { table: "messages", isKept: true },
    { table: "message_branches", isKept: true },
    { table: "message_counts", isKept: true },
    { table: "message_favorites", isKept: true },
    { table: "broadcasts", isKept: true },
  ],
};
