import {
  Accounts,
  ChannelAdapters,
  Channels,
  Clock,
  ConfigSections,
  ConsoleAreas,
  ConsolePages,
  Databases,
  definePlugin,
  Gateway,
  HostControl,
  LiveEvents,
  LogFeed,
  MessageFilter,
  ModelCalls,
  Models,
  Nodes,
  Presence,
  Probes,
  RecordLifecycle,
  Resources,
  RouteTables,
  Sessions,
  SettingDefinitions,
  Settings,
  SharedWindows,
  SocketDoors,
  serviceKey,
  ToolConfirmations,
  WantedTools,
  webSection,
  windowOf,
} from "@parley/core";
import { ASKED_WITHIN_MS, createAvatar } from "./avatar/avatar.ts";
import { type AvatarHistory, createAvatarHistory } from "./avatar/history.ts";
import { avatarRoutes } from "./avatar/routes.ts";
import { AVATAR } from "./avatar/schema.ts";
import { AVATAR_MIGRATIONS } from "./avatar/tables.ts";
import { webChannel } from "./channel.ts";
import { consolePages } from "./console-pages.ts";
import { consoleRoutes } from "./console-routes.ts";
import { pageRoutes } from "./pages.ts";
import { createSocketHub, type SocketHub } from "./sockets/hub.ts";
import { createOpenSockets } from "./sockets/open-sockets.ts";
import { socketProbe } from "./sockets/probe.ts";
import { TITLE } from "./title.ts";

const Companions = serviceKey<AvatarHistory>("web.avatar-history");
const ConsoleSockets = serviceKey<SocketHub>("console-sockets");

/** The web channel: the console's pages and its socket. */
export default definePlugin({
  id: "web",
  requires: [Accounts, Databases, Gateway, Sessions, Settings],
  register({ log, provide, contribute }) {
    provide(ConsoleSockets, (from) =>
      createSocketHub({
        accounts: from.get(Accounts),
        gateway: from.get(Gateway),
        sessions: from.get(Sessions),
        clock: from.get(Clock),
        web: webSection(from.get(ConfigSections), from.get(Settings)),
        windows: () => from.find(SharedWindows),
        boundTo: () => boundAddress(from.get(HostControl).server),
        confirmations: () => from.find(ToolConfirmations),
        onLeaving: whenDrained(from.find(Nodes)),
        log,
      }),
    );
    provide(Presence, (from) => ({ isVisible: (sessionId) => from.get(ConsoleSockets).isVisible(sessionId) }));
    contribute(SocketDoors, (from) => from.get(ConsoleSockets).door);
    contribute(ChannelAdapters, () => webChannel());
    contribute(SettingDefinitions, () => TITLE);
    contribute(SettingDefinitions, () => AVATAR);
    provide(Companions, (from) => createAvatarHistory(() => from.get(Databases).main, from.get(Clock)));
    contribute(RecordLifecycle, (from) => from.get(Companions).part);
    contribute(RouteTables, (from) =>
      avatarRoutes(
        createAvatar({
          history: from.get(Companions),
          settings: from.get(Settings),
          calls: () => from.find(ModelCalls),
          models: () => from.find(Models),
          filter: () => from.find(MessageFilter),
          sessions: () => from.get(Sessions),
          channels: () => from.find(Channels),
          wanted: () => from.find(WantedTools),
          clock: from.get(Clock),
          asked: windowOf(from, "avatar", ASKED_WITHIN_MS),
        }),
      ),
    );
    contribute(RouteTables, (from) => pageRoutes(from.get(Settings)));
    contribute(RouteTables, (from) =>
      consoleRoutes({ areas: () => from.all(ConsoleAreas), resources: () => from.all(Resources) }),
    );
    contribute(ConsolePages, () => ({ names: consolePages() }));
    contribute(Probes, (from) => socketProbe(from.get(ConsoleSockets)));
  },
  async start({ get, log, defer, acrossReloads }) {
    await get(Databases).main.migrate("web", AVATAR_MIGRATIONS);
    // Without HTTP (`--mcp-only`) there is no console.
    if (!get(HostControl).server) return;
    const make = () => createOpenSockets({ events: get(LiveEvents), logFeed: get(LogFeed), clock: get(Clock), log });
    const sockets = acrossReloads("sockets", make, (open) => open.end());
    defer(get(ConsoleSockets).start(sockets));
  },
});

function boundAddress(server: HostControl["server"]): string {
  const address = server?.address();
  return typeof address === "object" && address ? address.address : "";
}

/** Browsers of a node that is drained come to one that takes what they say. */
function whenDrained(nodes: Nodes | undefined): (heard: () => void) => () => void {
  return (heard) => nodes?.onDraining(() => nodes.isDraining() && heard()) ?? (() => {});
}
