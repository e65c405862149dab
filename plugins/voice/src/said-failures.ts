import { failuresOf } from "@parley/core";

/** Localized errors of speech synthesis and transcription. */
export const voiceFailure = failuresOf("voice", {
  empty: { en: "is empty", zh: "是空的" },
  large: { en: "is larger than 25 MiB", zh: "超过 25 MiB" },
  message_large: { en: "it is larger than 25 MiB", zh: "超过 25 MiB" },
  missing: { en: "is missing", zh: "缺少" },
  model_late: { en: "the model did not answer in time", zh: "模型没有及时回答" },
  no_sound: { en: "the model did not return playable audio", zh: "模型给出的不是可播放的音频" },
  nothing_to_say: { en: "there is nothing to read aloud in it", zh: "其中没有可朗读的内容" },
  one_recording: { en: "only one recording can be uploaded at a time", zh: "一次只能上传一段录音" },
  unknown_kind: {
    en: "is not wav, mp3, m4a, ogg, opus, webm or flac",
    zh: "不是 wav、mp3、m4a、ogg、opus、webm 或 flac",
  },
});
