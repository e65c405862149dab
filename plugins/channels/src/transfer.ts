import { resourceSection, type TransferSection } from "@parley/core";
import type { ChannelRows } from "./channels.ts";
import { BUILT_IN, channels } from "./records.ts";
import { channelFailure } from "./said-failures.ts";
import { CHANNEL_SECRETS } from "./sealed-rows.ts";

/** The entrances. Secrets that they name do not go along; those in their addresses do when they are asked for. */
export function channelsSection(rows: () => ChannelRows): TransferSection {
  return resourceSection(
    { id: "channels", title: channels.title.many },
    channels,
    () => rows().records,
    (item, there) =>
      there || !BUILT_IN.some(({ type }) => type === item.type)
        ? item
        : channelFailure("conflict", "one_only", { type: item.type }),
    { secrets: CHANNEL_SECRETS, all: async () => rows().list() },
  );
}
