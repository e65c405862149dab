import Joi from "@hapi/joi";
import { setting, withPattern } from "@parley/core";

export const SPEAK_ENABLED = setting({
  key: "features.tts",
  schema: Joi.boolean().strict().default(false),
  group: "answering",
  title: { en: "Read answers aloud", zh: "朗读回答" },
  help: {
    en: "In conversations and channels that ask for it. When off, answers get no speech; single texts can still be played.",
    zh: "仅在会话或渠道要求时生效。关闭后回答不再生成语音，单条文本仍可播放。",
  },
});

export const TRANSCRIBE_ENABLED = setting({
  key: "voice.transcribe",
  schema: Joi.boolean().strict().default(true),
  group: "answering",
  title: { en: "Transcribe voice messages", zh: "语音消息转文字" },
  help: {
    en: "Requires a speech recognition model. Without one, the AI only knows that a voice message arrived.",
    zh: "需要语音识别模型；没有时，AI 只会得知收到了语音消息。",
  },
});

export const ANSWER_IN_KIND = setting({
  key: "voice.answer_in_kind",
  schema: Joi.boolean().strict().default(false),
  group: "answering",
  title: { en: "Answer voice messages with voice", zh: "用语音回复语音消息" },
  help: {
    en: "On every channel that supports files. The text is sent first, the voice follows.",
    zh: "适用于所有支持文件的渠道。先发送文字，语音随后到达。",
  },
});

export const SPOKEN_CHANNELS = setting({
  key: "voice.channels",
  schema: Joi.array<readonly string[]>()
    .items(withPattern(Joi.string(), /^[A-Za-z0-9_-]{2,64}$/, { en: "must be the id of a channel", zh: "须为渠道 ID" }))
    .max(200)
    .unique()
    .default([]),
  group: "answering",
  title: { en: "Channels whose answers are read aloud", zh: "朗读回答的渠道" },
  help: { en: "Channel IDs. Each channel must be allowed to send files.", zh: "渠道 ID，渠道须允许发送文件。" },
});
