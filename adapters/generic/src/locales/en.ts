/** English texts of adapter generic. */
export const en = {
  nobody: "auth.secret_env is not set: all requests are rejected",
  open: "the webhook is open: anyone can send messages to it",
  over_https: "must be an https address; http is allowed on this machine only",
} as const;
