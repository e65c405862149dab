import {
  ChannelAdapters,
  Clock,
  definePlugin,
  Gateway,
  RouteTables,
  Sessions,
  SocketEndpoints,
  serviceKey,
} from "@parley/core";
import { createImaAdapter, type ImaDeps } from "./adapter.ts";
import { createImaBotAdapter } from "./bot/adapter.ts";
import { createGatewaySessions } from "./bot/gateway-socket.ts";
import { createReverseEndpoint } from "./bridge/reverse-connection.ts";
import { IMA_TIMING } from "./bridge/timing.ts";
import { createHandedOverSockets } from "./handed-over-sockets.ts";
import { createManagement } from "./management.ts";
import { createImaRoutes } from "./routes.ts";

const OwnImaDeps = serviceKey<ImaDeps>("ima.deps");

/** imA: an account driven by a bridge program that speaks OneBot v11; imAbot: the platform's official bot. */
export const createImaPlugin = (timing = IMA_TIMING) => {
  // After a reload, links may be opened before this plugin has started.
  const handedOver = createHandedOverSockets();
  const sessions = createGatewaySessions();
  return definePlugin({
    id: "ima",
    register({ provide, contribute }) {
      provide(OwnImaDeps, (from) => ({
        timing,
        reverseEndpoint: createReverseEndpoint(),
        handedOver,
        bridges: new Map(),
        random: Math.random,
        listRecentConversations: (channelId) => listRecentConversations(from.get(Sessions), channelId),
      }));
      contribute(SocketEndpoints, (from) => from.get(OwnImaDeps).reverseEndpoint);
      contribute(ChannelAdapters, (from) => createImaAdapter(from.get(OwnImaDeps)));
      contribute(ChannelAdapters, (from) =>
        createImaBotAdapter({ clock: from.get(Clock), random: Math.random, sessions }),
      );
      contribute(RouteTables, (from) =>
        createImaRoutes(
          createManagement({
            sessions: () => from.get(Sessions),
            gateway: () => from.get(Gateway),
            bridge: () => from.get(OwnImaDeps).bridges.get("imA")?.(),
            clock: from.get(Clock),
          }),
        ),
      );
    },
    async start({ acrossReloads }) {
      acrossReloads(
        "bridges",
        () => handedOver,
        () => handedOver.end(),
      );
      acrossReloads(
        "bot-sessions",
        () => sessions,
        () => sessions.clear(),
      );
      handedOver.begin();
    },
  });
};

export default createImaPlugin();

const MAX_RECENT = 50;

/** Lists recent conversations, since the platform does not repeat messages sent while the service was down. */
async function listRecentConversations(sessions: Sessions, channelId: string) {
  const { items } = await sessions.list({ channelId, limit: MAX_RECENT, offset: 0 });
  return items.flatMap(({ conversation_id: conversation, last_message_at }) =>
    conversation && last_message_at ? [{ conversation, lastMs: Date.parse(last_message_at) }] : [],
  );
}
