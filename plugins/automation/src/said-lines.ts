import { sentencesOf } from "@parley/core";

/** Creates localized log lines of run jobs. */
export const runLine = sentencesOf("automation", {
  removed: { en: "{count} removed", zh: "已清理 {count} 个" },
});
