import { sentencesOf } from "@parley/core";

/** Localized warnings about stored entries and imported books. */
export const bookWarning = sentencesOf("world_books", {
  counts_as: { en: "{name} {value} counts as {clamped}", zh: "{name} 的值 {value} 按 {clamped} 计" },
  decorators: {
    en: "decorators (@@…) in the content are kept but have no effect",
    zh: "内容中的修饰符（@@…）会保留，但不生效",
  },
  entry_left_out: { en: "entry {index} was not imported: {reason}", zh: "条目 {index} 未导入：{reason}" },
  keys_left_out: {
    en: "keywords longer than 200 characters, and those after the first {most}, are not matched",
    zh: "超过 200 个字符的关键词，以及第 {most} 个之后的关键词，不会匹配",
  },
  many_more: { en: "and {count} more warnings", zh: "另有 {count} 条提示" },
  never_by_chance: { en: "can never trigger: its probability is 0", zh: "永远不会触发：概率为 0" },
  never_triggers: {
    en: "can never trigger: it has no keywords or scene and is not always active",
    zh: "永远不会触发：没有关键词和场景，也未设为始终注入",
  },
  of_entry: { en: "entry {index} ({name}): {warning}", zh: "条目 {index}（{name}）：{warning}" },
  one_character: {
    en: "the keyword '{keyword}' is a single character and matches almost every text",
    zh: "关键词“{keyword}”只有一个字符，几乎在所有文本中都会触发",
  },
  original_left_out: {
    en: "'originalData' is larger than 1 MiB and is not kept",
    zh: "originalData 超过 1 MiB，未保留",
  },
  position_unheard: {
    en: "'position' {position} is kept but has no effect: the entry stays with the world books",
    zh: "position 的值 {position} 会保留，但不生效：条目放在世界书的位置",
  },
  regex_aside: {
    en: "a regular expression took too long and is skipped until the entry is edited",
    zh: "有正则表达式耗时过长，在编辑此条目之前不再匹配",
  },
  regex_off: {
    en: "its regular expressions are not matched: the plugin that runs them (filter) is off",
    zh: "不会匹配其正则表达式：负责匹配的插件（filter）已关闭",
  },
  regex_wrong: {
    en: "{field}: {problem}; the entry is switched off",
    zh: "{field}：不是有效的正则表达式（{problem}），条目已停用",
  },
  second_unheard: {
    en: "the secondary keywords have no effect: selective is off",
    zh: "次要关键词不起作用：未启用 selective",
  },
  unheard: { en: "'{name}' is kept but has no effect", zh: "{name} 会保留，但不生效" },
});
