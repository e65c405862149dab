import { inLanguage, type Localized, senderLanguage, type TurnStage } from "@parley/core";

const UNREADABLE_NOTICE: Localized = {
  en: "I can't read this kind of message. Please send it as text, a picture or a file.",
  zh: "我无法读取此类消息，请以文字、图片或文件发送。",
};

/**
 * Informs the sender of an unreadable message instead of answering. It is not in the channels plugin, because a replay
 * starts plugins with stages and must not open channels.
 */
export const unreadableStage: TurnStage = {
  id: "chat.unreadable",
  phase: "context",
  concerns: ({ inbound, replies }) => inbound.unreadable !== undefined && replies.length === 0,
  async run(turn) {
    const notice = inLanguage(UNREADABLE_NOTICE, senderLanguage(turn.inbound));
    return { ...turn, stopped: { by: "chat.unreadable", reason: "ignored", unanswered: "ignored_form", told: notice } };
  },
};
