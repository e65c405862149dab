import type { InboundMessage, Localized, Turn, UnaddressedReason } from "@parley/core";

/** Stored cause of a message whose turn ended without an answer. */
export type UnansweredCause = UnaddressedReason | "filtered" | "taken_over" | "no_answer";

const REASONS: Readonly<Record<UnansweredCause, Localized>> = {
  cannot_send: { en: "this channel cannot send", zh: "此渠道不能发送消息" },
  empty: { en: "there is nothing in it to answer", zh: "消息中没有可回复的内容" },
  groups_off: { en: "this channel does not answer in groups", zh: "此渠道不在群聊中回复" },
  not_allowed: { en: "the channel's allow and deny lists leave it out", zh: "不在渠道的允许名单内，或在拒绝名单中" },
  not_mentioned: { en: "the bot was not mentioned", zh: "没有提及机器人" },
  filtered: { en: "the message filter blocked it", zh: "已被消息过滤拦截" },
  taken_over: { en: "a person has taken over this conversation", zh: "会话已由人工接管" },
  no_answer: { en: "no answer was made", zh: "没有生成回复" },
};

const TAKEN_OVER_STAGE = "sessions.taken-over";

/** Returns why a turn without an error has no answer; undefined for edits and deletions, which are never answered. */
export function findUnansweredCause(
  state: "blocked" | "stopped" | "ignored",
  { stopped }: Turn,
  { unaddressedReason }: InboundMessage,
): UnansweredCause | undefined {
  if (state === "blocked") return "filtered";
  if (stopped?.by === TAKEN_OVER_STAGE) return "taken_over";
  return state === "stopped" ? "no_answer" : unaddressedReason;
}

/** Returns the cause as a text for the log. */
export function describeUnanswered(cause: UnansweredCause): Localized {
  return REASONS[cause];
}
