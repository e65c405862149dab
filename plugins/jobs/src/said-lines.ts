import { sentencesOf } from "@parley/core";

/** What the log of a job of jobs says, in both languages. */
export const jobLine = sentencesOf("jobs", {
  removed: { en: "{count} removed", zh: "已清理 {count} 个" },
});
