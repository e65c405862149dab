/** English texts of plugin push. */
export const en = {
  failed: "{id} at {host}: {why}",
  fragment: "must have no fragment",
  full: "an account has at most {most} subscriptions",
  gone: "{id} at {host}: subscription expired",
  https: "must be https",
  key_length: "must be {length} bytes long",
  key_point: "is not a point of P-256",
  keys: "push: the key pair of this service can neither be read nor created",
  later: "{id} at {host}: will be sent later",
  notice_approval: "Waiting for your approval: {tool}",
  notice_failed: "Could not answer: {error}",
  notice_files: "Sent a file",
  notice_test: "This is a test. Notifications work on this device.",
  sent: "{id} at {host}: sent",
} as const;
