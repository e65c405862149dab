import {
  Accounts,
  ChannelAdapters,
  Channels,
  Clock,
  ConfigSections,
  ConfirmableTools,
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
  SocketEndpoints,
  serviceKey,
  ToolConfirmations,
} from "@parley/core";
import { webSection } from "@parley/core/http";
import { openSharedWindow } from "@parley/core/limits";
import { createAvatar, RATE_WINDOW_MS } from "./avatar/avatar.ts";
import { type AvatarHistory, createAvatarHistory } from "./avatar/history.ts";
import { createAvatarRoutes } from "./avatar/routes.ts";
import { AVATAR_ENABLED } from "./avatar/schema.ts";
import { AVATAR_MIGRATIONS } from "./avatar/tables.ts";
import { createWebChannel } from "./channel.ts";
import { listConsolePages } from "./console-pages.ts";
import { createConsoleRoutes } from "./console-routes.ts";
import { createPageRoutes } from "./pages.ts";
import { createSocketHub, type SocketHub } from "./sockets/hub.ts";
import { createOpenSockets } from "./sockets/open-sockets.ts";
import { createSocketProbe } from "./sockets/probe.ts";
import { TITLE_SETTING } from "./title.ts";

const OwnAvatarHistory = serviceKey<AvatarHistory>("web.avatar-history");
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
        getBoundAddress: () => getBoundAddress(from.get(HostControl).server),
        confirmations: () => from.find(ToolConfirmations),
        onLeaving: createDrainListener(from.find(Nodes)),
        log,
      }),
    );
    provide(Presence, (from) => ({ isVisible: (sessionId) => from.get(ConsoleSockets).isVisible(sessionId) }));
    contribute(SocketEndpoints, (from) => from.get(ConsoleSockets).endpoint);
    contribute(ChannelAdapters, () => createWebChannel());
    contribute(SettingDefinitions, () => TITLE_SETTING);
    contribute(SettingDefinitions, () => AVATAR_ENABLED);
    provide(OwnAvatarHistory, (from) => createAvatarHistory(() => from.get(Databases).main, from.get(Clock)));
    contribute(RecordLifecycle, (from) => from.get(OwnAvatarHistory).part);
    contribute(RouteTables, (from) =>
      createAvatarRoutes(
        createAvatar({
          history: from.get(OwnAvatarHistory),
          settings: from.get(Settings),
          calls: () => from.find(ModelCalls),
          models: () => from.find(Models),
          filter: () => from.find(MessageFilter),
          sessions: () => from.get(Sessions),
          channels: () => from.find(Channels),
          getRequestedTools: () => from.find(ConfirmableTools),
          clock: from.get(Clock),
          requestWindow: openSharedWindow(from, "avatar", RATE_WINDOW_MS),
        }),
      ),
    );
    contribute(RouteTables, (from) => createPageRoutes(from.get(Settings)));
    contribute(RouteTables, (from) =>
      createConsoleRoutes({ areas: () => from.all(ConsoleAreas), resources: () => from.all(Resources) }),
    );
    contribute(ConsolePages, () => ({ names: listConsolePages() }));
    contribute(Probes, (from) => createSocketProbe(from.get(ConsoleSockets)));
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

function getBoundAddress(server: HostControl["server"]): string {
  const address = server?.address();
  return typeof address === "object" && address ? address.address : "";
}

/** Notifies the browsers of a node being drained, so that they reconnect to one that accepts messages. */
function createDrainListener(nodes: Nodes | undefined): (listener: () => void) => () => void {
  return (listener) => nodes?.onDraining(() => nodes.isDraining() && listener()) ?? (() => {});
}
