import { resourceSection, type TransferSection } from "@parley/core";
import type { ChannelRows } from "./channels.ts";
import { BUILT_IN, channels } from "./records.ts";
import { channelFailure } from "./said-failures.ts";

/** The entrances. Their secrets are names of variables, so they go along as they are. */
export function channelsSection(rows: () => ChannelRows): TransferSection {
  return resourceSection(
    { id: "channels", title: channels.title.many },
    channels,
    () => rows().records,
    (item, there) =>
      there || !BUILT_IN.some(({ type }) => type === item.type)
        ? item
        : channelFailure("conflict", "one_only", { type: item.type }),
  );
}
