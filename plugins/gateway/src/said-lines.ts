import { sentencesOf } from "@parley/core";

/** What the log of a job of the gateway says, in both languages. */
export const gatewayLine = sentencesOf("gateway", {
  removed: { en: "{count} rows removed", zh: "已清理 {count} 行" },
});
