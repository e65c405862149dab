import { type ChannelCheck, type ItemFailure, localizeMessage } from "@parley/core";
import {
  findOtherReader,
  findWebhookProblem,
  listDeliveryWarnings,
  type WebhookInfo,
} from "./inbound/webhook-watch.ts";
import type { ImbSettings } from "./settings.ts";
import { imbTexts } from "./texts.ts";

/** The bot as the platform describes it. */
export interface BotAccount {
  readonly first_name: string;
  readonly username?: string;
  /** False in privacy mode: in groups the bot gets only commands, replies and mentions. */
  readonly can_read_all_group_messages?: boolean;
}

export interface CheckedBot {
  readonly channelId: string;
  readonly transport: string;
  readonly settings: ImbSettings;
  /** True when the bot should answer all messages of groups. */
  readonly answersAll: boolean;
  readonly bot: BotAccount;
  readonly info: WebhookInfo;
}

/** Returns whether messages arrive, and whether the bot may read what it should answer. */
export function listChecks(checked: CheckedBot): readonly ChannelCheck[] {
  return [checkUpdates(checked), checkPrivacy(checked)];
}

function checkUpdates({ channelId, transport, settings, info }: CheckedBot): ChannelCheck {
  if (transport === "polling") {
    const reader = findOtherReader(info);
    return reader ? toFailed("webhook", reader, "fix_other_reader") : toOk("webhook", "check_polls");
  }
  const problem = findWebhookProblem(info, settings, channelId);
  if (problem) return toFailed("webhook", problem, "fix_register");
  const [late] = listDeliveryWarnings(info);
  return late ? toFailed("webhook", late, "fix_reach") : toOk("webhook", "check_webhook");
}

function checkPrivacy({ answersAll, bot: { can_read_all_group_messages: readsAll } }: CheckedBot): ChannelCheck {
  if (readsAll === undefined)
    return { check: "permissions", state: "unknown", message: imbTexts.localized("check_privacy_unknown", {}) };
  if (readsAll) return toOk("permissions", "check_reads_all");
  if (!answersAll) return toOk("permissions", "check_privacy");
  return {
    check: "permissions",
    state: "failed",
    message: imbTexts.localized("check_privacy_blocks", {}),
    fix: imbTexts.localized("fix_privacy", {}),
  };
}

function toOk(check: string, key: "check_polls" | "check_webhook" | "check_reads_all" | "check_privacy"): ChannelCheck {
  return { check, state: "ok", message: imbTexts.localized(key, {}) };
}

function toFailed(
  check: string,
  { error = "", detail }: ItemFailure,
  fix: "fix_other_reader" | "fix_register" | "fix_reach",
): ChannelCheck {
  return { check, state: "failed", message: localizeMessage(error, detail), fix: imbTexts.localized(fix, {}) };
}
