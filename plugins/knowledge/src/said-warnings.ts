import { warningsBy } from "@parley/core";

/** What people should know of a search that found something all the same, in both languages. */
export const searchWarning = warningsBy("knowledge", {
  words_only: { en: "only words were searched: {reason}", zh: "仅按字词搜索：{reason}" },
});
