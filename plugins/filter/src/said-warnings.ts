import { sentencesOf } from "@parley/core";

/** Creates localized warnings for authors of rules, and log lines of filter jobs. */
export const filterWarning = sentencesOf("filter", {
  hits_removed: { en: "{count} hits removed", zh: "已清理 {count} 条命中记录" },
  no_channel_yet: { en: "there is no channel '{id}' yet", zh: "尚无渠道“{id}”" },
  takes_for_ever: {
    en: "the pattern can take extremely long, for example on {example}; it is skipped for texts on which it takes longer than {seconds} s",
    zh: "此表达式可能耗时极长，例如匹配 {example} 时；若匹配一段文本超过 {seconds} 秒，则跳过此规则",
  },
});
