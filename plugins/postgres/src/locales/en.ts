/** English texts of plugin postgres. */
export const en = {
  changed: "the record was changed meanwhile",
  closed: "the storage is closed",
  damaged: "the database is damaged",
  exists: "a record with these values exists already",
  not_open: "the storage is not open",
  statement: "a statement failed",
  taken_for_dead: "the other nodes considered this node offline",
} as const;
