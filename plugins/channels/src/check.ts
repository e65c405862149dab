import { type Check, type Finding, inBothLanguages } from "@parley/core";
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
          const { state, last_error, last_error_detail } = rows().status(id);
          if (!enabled || state !== "error" || BUILT_IN.some((one) => one.id === id)) return [];
          const reason = inBothLanguages(last_error ?? "", last_error_detail);
          return [
            {
              key: "channels.down",
              level: "problem",
              said: {
                en: `the channel ${name} is not connected: ${reason.en}`,
                zh: `渠道 ${name} 未连接：${reason.zh}`,
              },
              advice: {
                en: "mend its settings on the page Channels, or switch it off",
                zh: "请在“渠道”页面修正其设置，或将其关闭",
              },
              parameters: { channel: name, reason: reason.en },
              page: "/channels",
            },
          ];
        }),
  };
}
