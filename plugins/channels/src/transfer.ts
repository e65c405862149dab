import type { TransferSection } from "@parley/core";
import { resourceSection } from "@parley/core/transfer";
import type { ChannelService } from "./channels.ts";
import { BUILT_IN, channels } from "./config/schema.ts";
import { CHANNEL_SECRETS } from "./store/sealed-channels.ts";
import { channelsTexts } from "./texts.ts";

/** Creates the transfer section of channels. Secrets named by variable are not exported; those within addresses are on request. */
export function createChannelsSection(rows: () => ChannelService): TransferSection {
  return resourceSection(
    { id: "channels", title: channels.title.many },
    channels,
    () => rows().records,
    (item, there) =>
      there || !BUILT_IN.some(({ type }) => type === item.type)
        ? item
        : channelsTexts.error("conflict", "one_only", { type: item.type }),
    { secrets: CHANNEL_SECRETS, all: async () => rows().list() },
    ({ id }) => rows().getInitialState(id),
  );
}
