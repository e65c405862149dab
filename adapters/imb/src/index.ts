import { ChannelAdapters, Channels, definePlugin, Egress, RouteTables } from "@parley/core";
import { imbAdapter } from "./adapter.ts";
import { createImbRoutes } from "./routes.ts";

/** Connects imB: updates arrive by webhook, replies are sent with the Bot API. */
export default definePlugin({
  id: "imb",
  register({ contribute }) {
    contribute(ChannelAdapters, () => imbAdapter);
    contribute(RouteTables, (from) =>
      createImbRoutes({
        channels: () => from.get(Channels),
        egress: from.get(Egress),
      }),
    );
  },
});
