import { sentencesOf } from "@parley/core";

/** Localized warnings about imported character cards. */
export const cardWarning = sentencesOf("personality", {
  books_left_out: {
    en: "world_book_ids: world books of another installation were not imported",
    zh: "world_book_ids：其他服务中的世界书未导入",
  },
  files_left_out: {
    en: "{count} other files of the card were not imported",
    zh: "角色卡中的其他 {count} 个文件未导入",
  },
  first_of_many: {
    en: "the file contains {count} cards: only the first was imported",
    zh: "文件中有 {count} 张角色卡，只导入了第一张",
  },
  key_left_out: { en: "the key '{name}' was not imported", zh: "键“{name}”未导入" },
  of_field: { en: "{field}: {problem}", zh: "{field}：{problem}" },
  portrait_large: {
    en: "the portrait is larger than {most} MiB and was not imported",
    zh: "立绘超过 {most} MiB，未导入",
  },
  portrait_left_out: { en: "the portrait was not imported: {reason}", zh: "立绘未导入：{reason}" },
  spec_unknown: {
    en: "spec: unknown format; the card was read as V2",
    zh: "spec：未知的格式，已按 V2 读取",
  },
  two_cards: {
    en: "the picture contains two different cards; the V3 card was used",
    zh: "图片中有两张不同的角色卡，已采用 V3 的一张",
  },
});
