/** English texts of plugin sharing. */
export const en = {
  long: "the conversation is too long to publish as a whole: publish a part of it",
  nothing_here: "nothing is published here, or it is no longer published",
  nothing_to_show: "there is nothing to show: select other messages",
  order: "must not be after message_end",
  password_needed: "this conversation needs its password",
  small: "is too small for this much text: use {width} or more",
  text_bytes: "must be at most {most} bytes long",
  text_long: "is too long for level {level}",
  wrong_passwords: "too many wrong passwords",
} as const;
