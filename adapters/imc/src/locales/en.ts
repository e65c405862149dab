/** English texts of adapter imc. */
export const en = {
  app_shape: "must be cli_ and 16 hex digits",
  lost: "the connection was lost",
  not_taken: "the platform rejected the connection",
  open: "the webhook is open: neither an encrypt key nor a verification token is set",
  platform: "{reason}",
} as const;
