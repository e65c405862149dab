/** English texts of plugin sticker. */
export const en = {
  no_web_address: "must be an http or https address without a user name or password",
} as const;
