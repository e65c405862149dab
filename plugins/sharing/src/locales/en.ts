/** English texts of the page of a shared conversation. */
export const pageTexts = {
  shared: "Shared conversation",
  published: "Published",
  until: "Readable until",
  you: "User",
  assistant: "Assistant",
  scenario: "Scenario",
  earlier: "Earlier messages",
  later: "Later messages",
  password: "Password",
  locked: "This conversation is protected by a password.",
  open: "Open",
  wrong: "Wrong password.",
  tooMany: "Too many wrong passwords. Try again in a few minutes.",
  gone: "Nothing here",
  goneText: "This link does not lead to a conversation, or the conversation is no longer shared.",
} as const;

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
