import { resourceSection, type TransferSection } from "@parley/core";
import type { ChannelRows } from "./channels.ts";
import { BUILT_IN, channels } from "./records.ts";

/** The entrances. Their secrets are names of variables, so they go along as they are. */
export function channelsSection(rows: () => ChannelRows): TransferSection {
  return resourceSection(
    { id: "channels", title: channels.title.many },
    channels,
    () => rows().records,
    (item, there) =>
      there || !BUILT_IN.some(({ type }) => type === item.type)
        ? item
        : "there is one channel of this type, and it is built in",
  );
}
