/** English texts of plugin memory. */
export const en = {
  by_form: "no model could read it, so fixed patterns were used: {reason}",
  days_of_short: "expire_days is only for type short",
  fixed: "cannot be changed",
  full: "there are already {limit} memories",
  many: "at most {most} at once",
  no_character: "character '{id}' does not exist",
  no_memory: "is not a memory",
  nobody: "there is no conversation",
  not_one: "must belong to one person and one character, and be current",
  nothing_in_it: "it contains no memories",
  off: "memory is switched off",
  temporary: "nothing is remembered from a temporary conversation",
  vectors: "{count, plural, one {# memory} other {# memories}} got embeddings",
  were_new: "{count} of {found} were new",
  word_twice: "contains a word twice",
} as const;
