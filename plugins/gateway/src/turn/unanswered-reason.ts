import {
  type InboundMessage,
  type Localized,
  type Turn,
  UNANSWERED_REASONS,
  type UnaddressedReason,
  type UnansweredReason,
} from "@parley/core";
import type { InboxState } from "../store/tables.ts";

/** Stored cause of a message whose turn ended without an answer. */
export type UnansweredCause = UnaddressedReason | UnansweredReason | "no_answer";

/** Reasons of the causes that have names of their own. */
const REASONS_BY_CAUSE: ReadonlyMap<string, UnansweredReason> = new Map([
  ["album", "merged"],
  ["cannot_send", "paused"],
  ["empty", "ignored_form"],
  ["groups_off", "denied"],
  ["no_answer", "failed"],
  ["not_allowed", "denied"],
  ["not_mentioned", "not_addressed"],
]);

/** Reasons of the states that need no cause. */
const REASONS_BY_STATE: Partial<Record<InboxState, UnansweredReason>> = {
  dead: "failed",
  expired: "failed",
  failed: "failed",
  ignored: "ignored_form",
  skipped: "rate_limited",
  stopped: "stopped",
};

/** Texts of causes that say more than their reason. */
const TEXTS_BY_CAUSE: ReadonlyMap<string, Localized> = new Map([
  ["cannot_send", { en: "this channel cannot send", zh: "此渠道不能发送消息" }],
  ["groups_off", { en: "this channel does not answer in groups", zh: "此渠道不在群聊中回复" }],
  ["no_answer", { en: "no answer was made", zh: "没有生成回复" }],
  [
    "not_allowed",
    { en: "the channel's allow and deny lists leave it out", zh: "不在渠道的允许名单内，或在拒绝名单中" },
  ],
  ["not_mentioned", { en: "the bot was not mentioned", zh: "没有提及机器人" }],
]);

/** Returns why a stored message has no answer; null while it waits, and for an answered one. */
export function toUnansweredReason({
  state,
  cause,
}: {
  readonly state: InboxState;
  readonly cause: string | null;
}): UnansweredReason | null {
  // The cause of a failure is the code of its error, which may have the name of another reason.
  if (state === "failed") return cause === "budget" ? "budget" : "failed";
  if (isReason(cause)) return cause;
  return (cause === null ? undefined : REASONS_BY_CAUSE.get(cause)) ?? REASONS_BY_STATE[state] ?? null;
}

/** Returns why a turn without an error has no answer; undefined for edits and deletions, which are never answered. */
export function findUnansweredCause(
  state: "blocked" | "stopped" | "ignored",
  { stopped }: Turn,
  { unaddressedReason }: InboundMessage,
): UnansweredCause | undefined {
  if (state === "blocked") return "filtered";
  if (stopped?.unanswered !== undefined) return stopped.unanswered;
  return state === "stopped" ? "no_answer" : unaddressedReason;
}

/** Returns the cause as a text for the log. */
export function describeUnanswered(cause: UnansweredCause): Localized {
  const reason = toUnansweredReason({ state: "done", cause }) ?? "failed";
  return TEXTS_BY_CAUSE.get(cause) ?? UNANSWERED_REASONS[reason];
}

function isReason(cause: string | null): cause is UnansweredReason {
  return cause !== null && Object.hasOwn(UNANSWERED_REASONS, cause);
}
