import type { RecordPart } from "@parley/core";

/** Tables whose data is erased elsewhere: the history removes people itself, and broadcasts are written by administrators. */
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
