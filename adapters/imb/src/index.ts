import { ChannelAdapters, Channels, definePlugin, Egress, RouteTables } from "@parley/core";
import { imbAdapter } from "./adapter.ts";
import { imbRoutes } from "./routes.ts";

/** imB: updates arrive by webhook, replies leave through the Bot API. */
export default definePlugin({
  id: "imb",
  register({ contribute }) {
    contribute(ChannelAdapters, () => imbAdapter);
    contribute(RouteTables, (from) =>
      imbRoutes({
        channels: () => from.get(Channels),
        egress: from.get(Egress),
      }),
    );
  },
});
