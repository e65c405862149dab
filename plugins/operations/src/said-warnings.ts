import { sentencesOf } from "@parley/core";

/** Localized warnings about parts of a configuration package that were not imported. */
export const packageWarning = sentencesOf("operations", {
  no_picture: { en: "is not a picture", zh: "不是图片" },
  of_picture: { en: "{name}: {reason}", zh: "{name}：{reason}" },
  of_record: { en: "{section}: {record}: {reason}", zh: "{section}：{record}：{reason}" },
});
