import type { Check, Finding } from "@parley/core";
import type { ChannelRows } from "./channels.ts";
import { BUILT_IN } from "./records.ts";

/** Whether the channels that are switched on are connected. */
export function channelsCheck(rows: () => Pick<ChannelRows, "list" | "status">): Check {
  return {
    id: "channels",
    run: async () =>
      rows()
        .list()
        .flatMap(({ id, name, enabled }): readonly Finding[] => {
          const { state, last_error } = rows().status(id);
          if (!enabled || state !== "error" || BUILT_IN.some((one) => one.id === id)) return [];
          const reason = last_error ?? "";
          return [
            {
              key: "channels.down",
              level: "problem",
              said: `the channel ${name} is not connected: ${reason}`,
              advice: "mend its settings on the page Channels, or switch it off",
              parameters: { channel: name, reason },
              page: "/channels",
            },
          ];
        }),
  };
}
