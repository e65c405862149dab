import { sentencesOf } from "@parley/core";

/** Localized log messages of speech jobs. */
export const voiceLine = sentencesOf("voice", {
  not_played: {
    en: "Answers are not sent as voice here: the platform plays none of the audio formats this service can make.",
    zh: "此处的回答不会以语音发送：本服务能生成的音频格式该平台都无法播放。",
  },
  removed: { en: "{count} speech files removed", zh: "已清理 {count} 个语音文件" },
});
