/** English texts of plugin postgres. */
export const en = {
  changed: "the record was changed meanwhile",
  closed: "the storage is closed",
  damaged: "the database is damaged",
  exists: "a record with these values exists already",
  not_open: "the storage is not open",
  statement: "a statement failed",
  taken_for_dead: "the other nodes considered this node offline",
  finding_failing: "{reason}",
  finding_failing_advice:
    "check the server, the network and the variable with its address; the service cannot start until then",
  finding_slow: "the database takes {ms} ms to answer; above {limit} ms each message waits for it noticeably",
  finding_slow_advice: "run the service and its database in one place, or check the network between them",
} as const;
