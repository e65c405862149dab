import { ChannelAdapters, Channels, Clock, definePlugin, Egress, RouteTables, serviceKey } from "@parley/core";
import type { ConnectionStatus } from "@parley/core/channels";
import { createImbAdapter } from "./adapter.ts";
import { createImbRoutes } from "./routes.ts";

const OwnConnections = serviceKey<Map<string, ConnectionStatus>>("imb.connections");

/** Connects imB: updates arrive by webhook or by polling, replies are sent with the Bot API. */
export default definePlugin({
  id: "imb",
  register({ provide, contribute }) {
    provide(OwnConnections, () => new Map());
    contribute(ChannelAdapters, (from) =>
      createImbAdapter({ clock: from.get(Clock), connections: from.get(OwnConnections) }),
    );
    contribute(RouteTables, (from) =>
      createImbRoutes({
        channels: () => from.get(Channels),
        connections: from.get(OwnConnections),
        egress: from.get(Egress),
      }),
    );
  },
});
