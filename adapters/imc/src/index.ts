import { ChannelAdapters, Channels, Clock, definePlugin, RouteTables, serviceKey } from "@parley/core";
import type { ConnectionStatus } from "@parley/core/channels";
import { createImcAdapter } from "./adapter.ts";
import { createImcRoutes } from "./routes.ts";

const OwnConnections = serviceKey<Map<string, ConnectionStatus>>("imc.connections");

/** Connects imC (Lark and Feishu): events arrive by webhook or long connection, replies are sent with the open API. */
export default definePlugin({
  id: "imc",
  register({ provide, contribute }) {
    provide(OwnConnections, () => new Map());
    contribute(ChannelAdapters, (from) =>
      createImcAdapter({ clock: from.get(Clock), connections: from.get(OwnConnections), random: Math.random }),
    );
    contribute(RouteTables, (from) =>
      createImcRoutes({
        channels: () => from.get(Channels),
        connections: from.get(OwnConnections),
      }),
    );
  },
});
