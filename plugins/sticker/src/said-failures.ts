import { failuresOf } from "@parley/core";

/** Localized errors of stickers. */
export const stickerFailure = failuresOf("sticker", {
  no_web_address: {
    en: "must be an http or https address without a user name or password",
    zh: "须为 http 或 https 地址，且不含用户名和密码",
  },
});
