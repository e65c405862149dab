import { failuresOf } from "@parley/core";

/** What goes wrong with a webhook, for people in both languages. */
export const genericFailure = failuresOf("generic", {
  nobody: { en: "auth.secret_env is not set: everybody is refused", zh: "未设置 auth.secret_env，将拒绝所有请求" },
});
