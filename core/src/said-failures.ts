import { failuresOf } from "./error-texts.ts";

/** Creates localized errors about JSON, archives and paths that people send. */
export const coreFailure = failuresOf("core", {
  archive_broken: {
    en: "the archive cannot be used: it is damaged, or is not a ZIP archive",
    zh: "压缩包已损坏，或不是 ZIP 文件",
  },
  archive_entries: {
    en: "the archive is too large: it has more than {most} entries",
    zh: "压缩包过大：条目超过 {most} 个",
  },
  archive_encrypted: { en: "the archive cannot be used: '{name}' is encrypted", zh: "压缩包中的“{name}”已加密" },
  archive_entry_broken: { en: "the archive cannot be used: '{name}' is damaged", zh: "压缩包中的“{name}”已损坏" },
  archive_entry_large: {
    en: "the archive is too large: '{name}' is larger than {most}",
    zh: "压缩包过大：“{name}”超过 {most}",
  },
  archive_method: {
    en: "the archive cannot be used: '{name}' uses an unknown compression method",
    zh: "压缩包中的“{name}”使用了未知的压缩方式",
  },
  archive_name: { en: "the archive cannot be used: '{name}' {problem}", zh: "压缩包中“{name}”的名称不可用" },
  archive_no_file: {
    en: "the archive cannot be used: '{name}' is not a regular file",
    zh: "压缩包中的“{name}”不是普通文件",
  },
  archive_packed: { en: "the archive is too large: it is larger than {most}", zh: "压缩包过大：超过 {most}" },
  archive_ratio: {
    en: "the archive is too large: '{name}' unpacks to more than {most} times its size",
    zh: "压缩包过大：“{name}”解压后超过其大小的 {most} 倍",
  },
  archive_twice: { en: "the archive cannot be used: it contains '{name}' twice", zh: "压缩包中的“{name}”重复" },
  archive_unpacked: {
    en: "the archive is too large: it unpacks to more than {most}",
    zh: "压缩包过大：解压后超过 {most}",
  },
  card_large: {
    en: "extensions and card_extra together are larger than {most} MiB",
    zh: "extensions 与 card_extra 合计超过 {most} MiB",
  },
  json_deep: { en: "is nested deeper than {most} levels", zh: "嵌套超过 {most} 层" },
  json_key: { en: "is not allowed", zh: "不允许填写" },
  json_many: { en: "contains more than {most} values", zh: "包含的值超过 {most} 个" },
  json_name_long: { en: "contains a name longer than {most} bytes", zh: "其中有字段名超过 {most} 字节" },
  json_names: { en: "contains more than {most} names", zh: "包含的字段名超过 {most} 个" },
  json_names_each: {
    en: "contains an object with more than {most} names",
    zh: "其中有对象的字段名超过 {most} 个",
  },
  json_number: { en: "is a number too large to store", zh: "数字超出可保存的范围" },
  json_object: { en: "must be an object", zh: "必须是对象" },
  none_imported: {
    en: "none of the {count} could be imported: {reasons}",
    zh: "{count} 项均未能导入：{reasons}",
  },
  nul: { en: "must not contain the character U+0000", zh: "不能含有空字符" },
  metadata_large: { en: "is larger than 16 KiB", zh: "超过 16 KiB" },
  no_json: {
    en: "is not valid JSON: line {line}, column {column}",
    zh: "不是有效的 JSON：第 {line} 行第 {column} 列",
  },
  file_empty: {
    en: "is empty: fill it again, or remove it",
    zh: "文件为空：请重新填写或删除",
  },
  file_line: { en: "line {line}: {problem}", zh: "第 {line} 行：{problem}" },
  file_forbidden: { en: "may not be read by this user", zh: "当前用户无权读取" },
  file_is_folder: { en: "is a folder", zh: "是一个文件夹" },
  file_unread: { en: "cannot be read: {reason}", zh: "无法读取：{reason}" },
  no_utf8: { en: "is not UTF-8: save it as UTF-8", zh: "不是 UTF-8 编码，请以 UTF-8 保存" },
  no_picture: {
    en: "must be a stored file (/static/files/…) or an https address",
    zh: "必须是已保存的文件（/static/files/…）或 https 地址",
  },
  path_character: { en: "contains a character that is not allowed", zh: "含有不允许的字符" },
  path_deep: { en: "is too deep", zh: "层级过深" },
  path_dot: { en: "has a part that begins or ends with a dot or a space", zh: "各级名称不能以点或空格开头或结尾" },
  path_empty: { en: "is empty or too long", zh: "为空，或过长" },
  path_leaves: { en: "points outside its folder", zh: "指向文件夹之外" },
  path_part: { en: "has a part that is empty or too long", zh: "某一级名称为空或过长" },
  path_relative: { en: "must be relative", zh: "必须是相对路径" },
  path_reserved: { en: "contains a reserved name", zh: "含有保留的名称" },
});
