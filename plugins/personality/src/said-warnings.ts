import { sentencesOf } from "@parley/core";

/** What people should know of a character card that was taken in all the same, in both languages. */
export const cardWarning = sentencesOf("personality", {
  books_left_out: {
    en: "world_book_ids: books of another installation were left out",
    zh: "world_book_ids：其他服务中的世界书未导入",
  },
  files_left_out: { en: "{count} other files of the card were left out", zh: "角色卡中的其他 {count} 个文件未导入" },
  first_of_many: {
    en: "the file holds {count} cards: the first was taken",
    zh: "文件中有 {count} 张角色卡，只导入了第一张",
  },
  key_left_out: { en: "the key '{name}' was left out", zh: "键“{name}”未导入" },
  of_field: { en: "{field}: {problem}", zh: "{field}：{problem}" },
  portrait_large: {
    en: "the portrait is larger than {most} MiB and was left out",
    zh: "立绘超过 {most} MiB，未导入",
  },
  portrait_left_out: { en: "the portrait was left out: {reason}", zh: "立绘未导入：{reason}" },
  spec_unknown: {
    en: "spec: is not known; the card was read as one of V2",
    zh: "spec：未知的格式，已按 V2 读取",
  },
  two_cards: {
    en: "the picture holds two cards that differ; that of V3 was taken",
    zh: "图片中有两张不同的角色卡，已采用 V3 的一张",
  },
});
