import {
  ChannelAdapters,
  Clock,
  definePlugin,
  Gateway,
  RouteTables,
  Sessions,
  SocketDoors,
  serviceKey,
} from "@parley/core";
import { type ImaParts, imaAdapter } from "./adapter.ts";
import { imaBotAdapter } from "./bot/adapter.ts";
import { createLeftSockets } from "./left-sockets.ts";
import { createManagement } from "./management.ts";
import { createReverseDoor } from "./reverse.ts";
import { imaRoutes } from "./routes.ts";
import { IMA_TIMING } from "./timing.ts";

const Parts = serviceKey<ImaParts>("ima.parts");

/** imA: an account driven by a bridge program that speaks OneBot v11; imAbot: the platform's official bot. */
export const imaPlugin = (timing = IMA_TIMING) => {
  // Links of the next set of plugins may be opened before this plugin starts in it.
  const left = createLeftSockets();
  return definePlugin({
    id: "ima",
    register({ provide, contribute }) {
      provide(Parts, (from) => ({
        timing,
        door: createReverseDoor(),
        left,
        bridges: new Map(),
        random: Math.random,
        recent: (channelId) => recentConversations(from.get(Sessions), channelId),
      }));
      contribute(SocketDoors, (from) => from.get(Parts).door);
      contribute(ChannelAdapters, (from) => imaAdapter(from.get(Parts)));
      contribute(ChannelAdapters, (from) => imaBotAdapter({ clock: from.get(Clock), random: Math.random }));
      contribute(RouteTables, (from) =>
        imaRoutes(
          createManagement({
            sessions: () => from.get(Sessions),
            gateway: () => from.get(Gateway),
            bridge: () => from.get(Parts).bridges.get("imA")?.(),
            clock: from.get(Clock),
          }),
        ),
      );
    },
    async start({ acrossReloads }) {
      acrossReloads(
        "bridges",
        () => left,
        () => left.end(),
      );
      left.begin();
    },
  });
};

export default imaPlugin();

const MOST_RECENT = 50;

/** The platform does not say again what was said while the service was away: it is looked up where people talked last. */
async function recentConversations(sessions: Sessions, channelId: string) {
  const { items } = await sessions.list({ channelId, limit: MOST_RECENT, offset: 0 });
  return items.flatMap(({ conversation_id: conversation, last_message_at }) =>
    conversation && last_message_at ? [{ conversation, lastMs: Date.parse(last_message_at) }] : [],
  );
}
