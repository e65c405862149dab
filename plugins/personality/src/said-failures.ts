import { failuresOf } from "@parley/core";

/** Localized errors of presets, character cards and portraits. */
export const personalityFailure = failuresOf("personality", {
  bundle_form: {
    en: "no card found: manifest.json is not that of a bundle of character cards",
    zh: "没有找到角色卡：manifest.json 不是角色卡合集的清单",
  },
  bundle_gap: { en: "the bundle's manifest names a card that is not in it", zh: "合集清单中的角色卡不在文件中" },
  built_in: { en: "preset '{id}' is built in and cannot be changed", zh: "内置预设“{id}”不能更改" },
  card_base64: {
    en: "the card in the picture is damaged: it is not valid base64",
    zh: "图片中的角色卡已损坏：不是有效的 base64",
  },
  card_deep: { en: "the card is nested deeper than {most} levels", zh: "角色卡嵌套超过 {most} 层" },
  card_large: { en: "the card is larger than {most} MiB", zh: "角色卡超过 {most} MiB" },
  card_no_json: { en: "the card {problem}", zh: "角色卡{problem}" },
  card_packed: { en: "the card in the picture is damaged or too large", zh: "图片中的角色卡已损坏或过大" },
  card_values: { en: "the card contains too many values", zh: "角色卡中的值过多" },
  empty_bundle: { en: "no card found: the bundle is empty", zh: "没有找到角色卡：合集是空的" },
  file_large: { en: "the file is larger than {most} MiB", zh: "文件超过 {most} MiB" },
  file_no_json: { en: "the file {problem}", zh: "文件{problem}" },
  file_values: { en: "the file contains too many values", zh: "文件中的值过多" },
  id_taken: { en: "'{id}' is taken", zh: "“{id}”已被使用" },
  many_cards: { en: "it contains more than {most} cards", zh: "其中的角色卡超过 {most} 张" },
  many_in_archive: {
    en: "the archive has several folders with a {file}: import one card at a time, or a bundle with a manifest.json",
    zh: "压缩包中有多个文件夹含有 {file}：请逐张导入，或使用带 manifest.json 的卡包",
  },
  many_ids: { en: "there are more than {most}", zh: "超过 {most} 个" },
  missing: { en: "is missing", zh: "缺少" },
  model_late: { en: "the model did not answer in time", zh: "模型没有及时回答" },
  model_unusable: { en: "the model returned nothing usable", zh: "模型没有给出可用的内容" },
  nameless: { en: "the card has no name", zh: "角色卡没有名称" },
  no_card: {
    en: "no card found: it is not a character card of a known format",
    zh: "没有找到角色卡：不是已知格式的角色卡",
  },
  no_card_but: {
    en: "no card found: it looks like {likeness}",
    zh: "没有找到角色卡：看起来是{likeness}",
  },
  no_card_in_archive: {
    en: "no card found: the archive has no card.json (CHARX), character.json or manifest.json",
    zh: "没有找到角色卡：压缩包中没有 card.json（CHARX）、character.json 或 manifest.json",
  },
  no_card_in_file: { en: "no card found in the file", zh: "没有找到角色卡：文件中没有" },
  no_card_in_picture: { en: "no card found in the picture", zh: "没有找到角色卡：图片中没有" },
  no_picture: { en: "the model returned no usable picture", zh: "模型没有生成可用的图片" },
  no_platform: {
    en: "no platform for character cards is set up (card_platforms)",
    zh: "尚未设置角色卡平台（card_platforms）",
  },
  no_png: {
    en: "the card has no portrait that is a stored PNG picture",
    zh: "角色卡没有已保存的 PNG 立绘",
  },
  not_a_picture: { en: "is not a PNG, JPEG, GIF or WebP picture", zh: "不是 PNG、JPEG、GIF 或 WebP 图片" },
  not_a_portrait: { en: "is not a portrait's address", zh: "不是立绘的地址" },
  not_valid: { en: "is not valid", zh: "无效" },
  one_picture: { en: "exactly one picture is required", zh: "只能上传一张图片" },
  picture_damaged: { en: "is damaged", zh: "图片已损坏" },
  picture_large: { en: "the picture is larger than 10 MiB", zh: "图片超过 10 MiB" },
  picture_side: { en: "has a side of more than {most} pixels", zh: "边长超过 {most} 像素" },
  platform_answered: { en: "the platform answered {status}", zh: "平台返回了 {status}" },
  platform_late: { en: "{name} did not answer in time", zh: "{name} 没有及时响应" },
  platform_no_json: { en: "the platform answered with something that is not JSON", zh: "平台返回的不是 JSON" },
  platform_odd: {
    en: "the platform's answer was not as expected: {problem}",
    zh: "平台返回的内容与约定不符：{problem}",
  },
  platform_unknown: { en: "is not a platform that is set up", zh: "不在已设置的平台之中" },
  png_damaged: {
    en: "the picture cannot be read: it is damaged, or is not a PNG",
    zh: "无法读取图片：已损坏或不是 PNG",
  },
  unconfirmed: { en: "uploading a card needs confirm: true", zh: "上传角色卡需要确认" },
  unknown: { en: "is not known", zh: "未知" },
});
