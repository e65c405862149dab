/** English texts of the website channel. */
export const en = {
  visitor: "Visitor {number}",
  foreign_origin: "pages of this website may not show the chat: add its origin to the channel's allowed websites",
  foreign_host: "the host name is not one of this service",
  no_script: "the chat's script is not built",
  unknown_visitor: "the visitor is not known any more",
  blocked: "this chat is not available to you",
  not_greeted: "send a hello frame first",
  unknown_type: "frames of type {type} are not known",
  empty: "write a text or attach a file",
  too_fast: "too many messages: wait {seconds, plural, one {# second} other {# seconds}}",
  many_sockets: "too many open connections",
  files_off: "files cannot be sent here",
  file_unknown: "the file does not exist any more: attach it again",
  file_missing: "attach one file",
  visitor_missing: "must come before the file",
  internal: "internal error",
} as const;
