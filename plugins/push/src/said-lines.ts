import { sentencesOf } from "@parley/core";

/** Localized log messages of a notification, one per browser. */
export const pushLine = sentencesOf("push", {
  failed: { en: "{id} at {host}: {why}", zh: "{id}（{host}）：{why}" },
  gone: { en: "{id} at {host}: subscription expired", zh: "{id}（{host}）：订阅已失效" },
  later: { en: "{id} at {host}: will be sent later", zh: "{id}（{host}）：稍后再发" },
  sent: { en: "{id} at {host}: sent", zh: "{id}（{host}）：已发送" },
});
