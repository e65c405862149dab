import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const SPEAK = setting({
  key: "features.tts",
  schema: Joi.boolean().strict().default(false),
  group: "answering",
  title: { en: "Read answers aloud", zh: "朗读回答" },
  help: {
    en: "Where a conversation or a channel asks for it. Off: no answer gets a sound; single texts can still be played.",
    zh: "仅在会话或渠道要求时生效。关闭后回答不再生成语音，单条文本仍可播放。",
  },
});

export const TRANSCRIBE = setting({
  key: "voice.transcribe",
  schema: Joi.boolean().strict().default(true),
  group: "answering",
  title: { en: "Turn voice messages into text", zh: "语音消息转文字" },
  help: {
    en: "Needs a model for speech recognition. Without one the AI is told that a voice message came.",
    zh: "需要语音识别模型；没有时，AI 只会得知收到了语音消息。",
  },
});

export const ANSWER_IN_KIND = setting({
  key: "voice.answer_in_kind",
  schema: Joi.boolean().strict().default(false),
  group: "answering",
  title: { en: "Answer voice messages with a voice", zh: "用语音回复语音消息" },
  help: {
    en: "On every channel that takes files. The text comes first, the voice follows it.",
    zh: "适用于所有支持文件的渠道。先发送文字，语音随后到达。",
  },
});

export const SPOKEN_CHANNELS = setting({
  key: "voice.channels",
  schema: Joi.array<readonly string[]>()
    .items(Joi.string().pattern(/^[A-Za-z0-9_-]{2,64}$/, "the id of a channel"))
    .max(200)
    .unique()
    .default([]),
  group: "answering",
  title: { en: "Channels whose answers are read aloud", zh: "朗读回答的渠道" },
  help: { en: "Ids of channels. Each must be allowed to send files.", zh: "渠道 ID，渠道须允许发送文件。" },
});
