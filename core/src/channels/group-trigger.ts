import type { ChannelConfig } from "../points/turn/channel-adapter.ts";

const JOINING_TRIGGERS: ReadonlySet<unknown> = new Set(["all", "probability", "judge", "keywords"]);

/** Returns true when a channel may answer group messages that do not mention the bot, so that their quotes and files are needed. */
export function mayJoinIn({ config }: Pick<ChannelConfig, "config">): boolean {
  return JOINING_TRIGGERS.has(config.group_trigger);
}
