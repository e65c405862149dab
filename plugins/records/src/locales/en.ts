/** English texts of plugin records. */
export const en = {
  contested: "{name} '{id}' keeps being changed by others",
  copy_broken: "{problem}; the copy of its last good content cannot be used either: {copy}",
  file_contested: "the file keeps being changed by others",
  file_locked: "the file cannot be written at the moment",
  fixed: "cannot be changed",
  many_at_once: "too many requests at once",
  sealed: "a stored secret cannot be decrypted: it was encrypted with a different key",
  taken: "'{value}' is taken",
  file_broken: "the file must be repaired first: {problem}",
} as const;
