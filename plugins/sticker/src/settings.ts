import Joi from "@hapi/joi";
import { reportProblem, setting } from "@parley/core";
import { stickerTexts } from "./texts.ts";

export const STICKER_ENABLED = setting<boolean>({
  key: "features.sticker",
  schema: Joi.boolean().strict().default(false),
  group: "answering",
  env: "SVC_STICKER_ENABLED",
  title: { en: "Stickers", zh: "表情贴图" },
  help: { en: "Adds a picture that suits the mood to some answers.", zh: "部分回答会附上符合心情的表情图片。" },
});

export const STICKER_PROBABILITY = setting<number>({
  key: "features.sticker_probability",
  schema: Joi.number().min(0).max(1).strict().default(0.3),
  group: "answering",
  env: "SVC_STICKER_PROBABILITY",
  title: { en: "Share of answers with a sticker", zh: "附表情的回答比例" },
  help: { en: "0: none, 1: all.", zh: "0：从不，1：总是。" },
});

export const STICKER_API_URL = setting<string>({
  key: "features.sticker_api_url",
  schema: Joi.string()
    .allow("")
    .max(500)
    .custom((text: string, helpers) =>
      isHttpUrl(text) ? text : reportProblem(stickerTexts.error("bad_request", "no_web_address"), helpers),
    )
    .default(""),
  group: "answering",
  env: "SVC_STICKER_API_URL",
  title: { en: "Address of the sticker service", zh: "表情服务地址" },
  help: { en: "Requests go to <address>/<category>.", zh: "将请求 <地址>/<分类>。" },
});

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
