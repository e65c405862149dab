import type { Localized } from "../../localized.ts";

/** Features of channel types, in the order in which people compare types, with titles. */
export const CHANNEL_FEATURES = {
  groups: { en: "Groups", zh: "群聊" },
  threads: { en: "Threads", zh: "话题" },
  files_in: { en: "Receives files", zh: "接收文件" },
  files_out: { en: "Sends files", zh: "发送文件" },
  voice: { en: "Voice messages", zh: "语音消息" },
  formatting: { en: "Formatted text", zh: "文本格式" },
  streaming: { en: "Shows answers as they are written", zh: "逐步显示回复" },
  typing: { en: "Typing indicator", zh: "正在输入提示" },
  buttons: { en: "Buttons", zh: "按钮" },
  lists: { en: "Selection lists", zh: "选择列表" },
  cards: { en: "Cards", zh: "卡片" },
  edits: { en: "Sees edits by people", zh: "识别用户的编辑" },
  deletions: { en: "Sees deletions by people", zh: "识别用户的撤回" },
  recall: { en: "Deletes its own messages", zh: "撤回自己的消息" },
} satisfies Readonly<Record<string, Localized>>;

/**
 * A feature of a channel type. `threads` are conversations of their own; `voice` is played as a voice message; other elements than those
 * named become numbered lines of the text.
 */
export type ChannelFeature = keyof typeof CHANNEL_FEATURES;
