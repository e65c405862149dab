import { sentencesOf } from "@parley/core";

/** What the log of a job of runs says, in both languages. */
export const runLine = sentencesOf("automation", {
  removed: { en: "{count} removed", zh: "已清理 {count} 个" },
});
