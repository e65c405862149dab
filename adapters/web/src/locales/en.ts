/** English texts of adapter web. */
export const en = {
  avatar_greeting: "Hello! What shall we do?",
  avatar_status: "How is everything?",
  avatar_tell: "Tell me something",
  avatar_cheer: "Cheer me up",
  avatar_late: "the model did not answer within {seconds} s",
  avatar_off: "the companion is switched off",
  context_large: "is larger than 4 KiB",
  internal: "internal error",
  many_joined: "at most {most} conversations per connection",
  no_model: "no model is set up for the companion",
  not_joined: "open the conversation first",
  too_often: "too many requests: try again in {seconds} s",
} as const;
