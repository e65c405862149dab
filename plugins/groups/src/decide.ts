import { type ConversationSettings, isQuiet, type UnansweredReason } from "@parley/core";

const HOUR_MS = 3_600_000;

/** Settings that decide about a message of a group. */
export type GroupSettings = Pick<
  ConversationSettings,
  "group_trigger" | "group_probability" | "group_cooldown_s" | "group_hourly_limit" | "quiet_hours"
> & {
  /** IANA name. */
  readonly timeZone: string;
};

/** A message of a group, as far as the decision needs it. */
export interface GroupMessage {
  readonly atMs: number;
  /** True for a mention, a reply to the bot, or a wake word where it counts. */
  readonly isCalled: boolean;
  /** Returns the times at which the bot joined in unasked, newest first. */
  listUnprompted(): Promise<readonly number[]>;
  /** Returns true when the message is judged to be meant for the bot. */
  judge(): Promise<boolean>;
  /** Returns a number from 0 up to 1. */
  random(): number;
}

/** `called`: the bot was spoken to; `unprompted`: it joins in; else the reason for its silence. */
export type GroupDecision = "called" | "unprompted" | UnansweredReason;

/** Decides whether the bot answers a message of a group. */
export async function decideAnswer(settings: GroupSettings, message: GroupMessage): Promise<GroupDecision> {
  const { group_trigger: trigger, quiet_hours, timeZone } = settings;
  if (trigger === "never") return "denied";
  if (message.isCalled) return "called";
  if (trigger !== "all" && trigger !== "probability" && trigger !== "judge") return "not_addressed";
  if (isQuiet(quiet_hours, timeZone, message.atMs)) return "quiet_hours";
  if (trigger === "all") return "unprompted";
  return (
    (await findLimit(settings, message)) ?? (trigger === "judge" ? decideByJudge(message) : roll(settings, message))
  );
}

/** Returns the limit that forbids joining in now. Times in the future are of a clock that was set back, and do not count. */
async function findLimit(
  { group_cooldown_s, group_hourly_limit }: GroupSettings,
  { atMs, listUnprompted }: GroupMessage,
): Promise<UnansweredReason | undefined> {
  const ages = (await listUnprompted()).map((time) => atMs - time).filter((age) => age >= 0);
  if (ages.some((age) => age < group_cooldown_s * 1_000)) return "cooldown";
  return ages.filter((age) => age < HOUR_MS).length >= group_hourly_limit ? "hourly_limit" : undefined;
}

async function decideByJudge({ judge }: GroupMessage): Promise<GroupDecision> {
  return (await judge()) ? "unprompted" : "judge";
}

function roll({ group_probability }: GroupSettings, { random }: GroupMessage): GroupDecision {
  return random() < group_probability ? "unprompted" : "probability";
}
