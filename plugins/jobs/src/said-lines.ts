import { sentencesOf } from "@parley/core";

/** Creates localized log lines of the jobs plugin's own jobs. */
export const jobLine = sentencesOf("jobs", {
  removed: { en: "{count} removed", zh: "已清理 {count} 个" },
});
