import { failuresOf } from "@parley/core";

/** Localized errors of world books and entries. */
export const bookFailure = failuresOf("world_books", {
  blank: { en: "must not be blank", zh: "不能为空" },
  card_large: { en: "the data besides the entries is larger than 1 MiB", zh: "条目以外的内容超过 1 MiB" },
  full: { en: "a book holds at most {most} entries", zh: "一本世界书最多 {most} 个条目" },
  id_taken: { en: "'{id}' is taken", zh: "“{id}”已被使用" },
  kept_large: { en: "is larger than {most} KiB", zh: "超过 {most} KiB" },
  many_books: { en: "more than {most} books", zh: "超过 {most} 本" },
  many_entries: { en: "too many entries for one book", zh: "条目过多，一本世界书容纳不下" },
  model_late: { en: "the model did not answer within {seconds} s", zh: "模型在 {seconds} 秒内没有回答" },
  model_unusable: { en: "the model returned nothing usable", zh: "模型没有给出可用的内容" },
  must_be_list: { en: "must be a list", zh: "必须是列表" },
  must_be_object: { en: "must be an object", zh: "必须是对象" },
  no_book: {
    en: "is not a world book, a character card's lorebook or a World Info file",
    zh: "不是世界书、角色卡的 Lorebook 或 World Info 文件",
  },
  no_book_but: {
    en: "is not a world book, a character card's lorebook or a World Info file; it looks like {likeness}",
    zh: "不是世界书、角色卡的 Lorebook 或 World Info 文件，看起来是{likeness}",
  },
  no_entry_read: {
    en: "none of its {count} entries can be read; the first: {reason}",
    zh: "其 {count} 个条目均无法读取，第一个：{reason}",
  },
  no_entry: { en: "the model returned no usable entry", zh: "模型没有给出可用的条目" },
  no_list: { en: "is not a list", zh: "不是列表" },
  no_models: { en: "no enabled plugin provides models", zh: "没有已启用的插件调用模型" },
  no_regex: { en: "{problem}", zh: "不是有效的正则表达式：{problem}" },
  nothing_in_it: { en: "it contains no world books", zh: "其中没有世界书" },
});
