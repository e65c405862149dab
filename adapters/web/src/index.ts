import {
  Accounts,
  ChannelAdapters,
  Clock,
  ConfigSections,
  ConsoleAreas,
  ConsolePages,
  definePlugin,
  Gateway,
  HostControl,
  LiveEvents,
  LogFeed,
  Presence,
  Probes,
  Resources,
  RouteTables,
  Sessions,
  SettingDefinitions,
  Settings,
  SocketDoors,
  serviceKey,
  ToolConfirmations,
  webSection,
} from "@parley/core";
import { webChannel } from "./channel.ts";
import { consolePages } from "./console-pages.ts";
import { consoleRoutes } from "./console-routes.ts";
import { pageRoutes } from "./pages.ts";
import { createSocketHub, type SocketHub } from "./sockets/hub.ts";
import { socketProbe } from "./sockets/probe.ts";
import { TITLE } from "./title.ts";

const ConsoleSockets = serviceKey<SocketHub>("console-sockets");

/** The web channel: the console's pages and its socket. */
export default definePlugin({
  id: "web",
  requires: [Accounts, Gateway, Sessions, Settings],
  register({ log, provide, contribute }) {
    provide(ConsoleSockets, (from) =>
      createSocketHub({
        accounts: from.get(Accounts),
        gateway: from.get(Gateway),
        sessions: from.get(Sessions),
        events: from.get(LiveEvents),
        logFeed: from.get(LogFeed),
        clock: from.get(Clock),
        web: webSection(from.get(ConfigSections), from.get(Settings)),
        boundTo: () => boundAddress(from.get(HostControl).server),
        confirmations: () => from.find(ToolConfirmations),
        log,
      }),
    );
    provide(Presence, (from) => ({ isVisible: (sessionId) => from.get(ConsoleSockets).isVisible(sessionId) }));
    contribute(SocketDoors, (from) => from.get(ConsoleSockets).door);
    contribute(ChannelAdapters, () => webChannel());
    contribute(SettingDefinitions, () => TITLE);
    contribute(RouteTables, (from) => pageRoutes(from.get(Settings)));
    contribute(RouteTables, (from) =>
      consoleRoutes({ areas: () => from.all(ConsoleAreas), resources: () => from.all(Resources) }),
    );
    contribute(ConsolePages, () => ({ names: consolePages() }));
    contribute(Probes, (from) => socketProbe(from.get(ConsoleSockets)));
  },
  async start({ get, defer }) {
    // Without HTTP (`--mcp-only`) there is no console.
    if (get(HostControl).server) defer(get(ConsoleSockets).start());
  },
});

function boundAddress(server: HostControl["server"]): string {
  const address = server?.address();
  return typeof address === "object" && address ? address.address : "";
}
