import {
  ChannelAdapters,
  Channels,
  Clock,
  ConfigSections,
  definePlugin,
  Files,
  HostControl,
  LiveEvents,
  RouteTables,
  Secrets,
  Sessions,
  Settings,
  SocketEndpoints,
  serviceKey,
} from "@parley/core";
import { webSection } from "@parley/core/http";
import { openSharedWindow } from "@parley/core/limits";
import { createWidgetAdapter } from "./adapter.ts";
import { createWidgetRoutes } from "./routes.ts";
import { createScriptReader } from "./script.ts";
import type { ActionDeps } from "./sockets/actions.ts";
import { createWidgetEndpoint, type EndpointDeps } from "./sockets/endpoint.ts";
import { showEvent, startPings } from "./sockets/live.ts";
import type { Rooms } from "./sockets/room.ts";
import { createVisitorTokens } from "./visitors.ts";

const MINUTE_MS = 60_000;
const OwnRooms = serviceKey<Rooms>("widget.rooms");
const OwnDeps = serviceKey<EndpointDeps>("widget.deps");

/** Puts a chat on any website: the script, the socket of its visitors, and the channel behind it. */
export default definePlugin({
  id: "widget",
  requires: [Sessions, Settings],
  register({ log, provide, contribute }) {
    provide(OwnRooms, () => new Map());
    provide(OwnDeps, (from) => {
      const clock = from.get(Clock);
      return {
        rooms: from.get(OwnRooms),
        channels: () => from.get(Channels),
        sessions: () => from.get(Sessions),
        files: () => from.find(Files),
        tokens: createVisitorTokens(() => from.get(Secrets), clock),
        messageWindow: openSharedWindow(from, "widget-messages", MINUTE_MS),
        web: () => webSection(from.get(ConfigSections), from.get(Settings)),
        getBoundAddress: () => getBoundAddress(from.get(HostControl).server),
        clock,
        monotonic: () => clock.monotonic(),
        log,
      };
    });
    contribute(ChannelAdapters, (from) => createWidgetAdapter({ rooms: from.get(OwnRooms), clock: from.get(Clock) }));
    contribute(SocketEndpoints, (from) => createWidgetEndpoint(from.get(OwnDeps)));
    contribute(RouteTables, (from) =>
      createWidgetRoutes({
        ...from.get(OwnDeps),
        readScript: createScriptReader(),
        uploadWindow: openSharedWindow(from, "widget-files", MINUTE_MS),
      }),
    );
  },
  async start({ get, defer }) {
    const rooms = get(OwnRooms);
    const deps: ActionDeps = get(OwnDeps);
    defer(get(LiveEvents).watch((event) => showEvent(event, rooms, deps)));
    defer(startPings(rooms));
  },
});

function getBoundAddress(server: HostControl["server"]): string {
  const address = server?.address();
  return typeof address === "object" && address ? address.address : "";
}
