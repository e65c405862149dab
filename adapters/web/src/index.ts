import {
  Accounts,
  ChannelAdapters,
  Clock,
  ConfigSections,
  definePlugin,
  Gateway,
  HostControl,
  LiveEvents,
  LogFeed,
  Probes,
  RouteTables,
  Sessions,
  Settings,
  serviceKey,
  ToolConfirmations,
} from "@parley/core";
import { webChannel } from "./channel.ts";
import { pageRoutes } from "./pages.ts";
import { createSocketHub, type SocketHub } from "./sockets/hub.ts";
import { socketProbe } from "./sockets/probe.ts";

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
        web: from.get(ConfigSections).section("web"),
        confirmations: () => from.find(ToolConfirmations),
        log,
      }),
    );
    contribute(ChannelAdapters, () => webChannel());
    contribute(RouteTables, (from) => pageRoutes(from.get(Settings)));
    contribute(Probes, (from) => socketProbe(from.get(ConsoleSockets)));
  },
  async start({ get, defer }) {
    const { server } = get(HostControl);
    // Without HTTP (`--mcp-only`) there is no console.
    if (server) defer(get(ConsoleSockets).attach(server));
  },
});
