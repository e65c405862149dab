import { sentencesOf } from "@parley/core";

/** Localized messages of the gateway besides errors: in the logs of jobs and deliveries. */
export const gatewayLine = sentencesOf("gateway", {
  removed: { en: "{count} rows removed", zh: "已清理 {count} 行" },
  unknown_outcome: {
    en: "it may have been sent: check before you repeat it",
    zh: "可能已经发送，重发前请先核对",
  },
});
