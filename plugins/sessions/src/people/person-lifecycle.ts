import type { RecordPart } from "@parley/core";

/** The history takes people out by itself; what is told to many was written by administrators. */
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
