import type { en } from "./en.ts";

/** Chinese texts of plugin voice. */
export const zh: Readonly<Record<keyof typeof en, string>> = {
  empty: "是空的",
  large: "超过 25 MiB",
  message_large: "超过 25 MiB",
  missing: "缺少",
  model_late: "模型没有及时回答",
  no_sound: "模型给出的不是可播放的音频",
  not_played: "此处不会以语音发送回复：该平台无法播放本服务能生成的任何音频格式。",
  nothing_to_say: "其中没有可朗读的内容",
  one_recording: "一次只能上传一段录音",
  removed: "已清理 {count} 个语音文件",
  unknown_kind: "不是 wav、mp3、m4a、ogg、opus、webm 或 flac",
  trace_not_transcribed: "语音消息未能转成文字：{why}",
  trace_unreadable: "无法读取",
};
