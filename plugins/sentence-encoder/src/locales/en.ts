/** English texts of plugin sentence-encoder. */
export const en = {
  closed: "the sentence encoder is closed",
  failed: "the sentence encoder failed: {why}",
} as const;
