import {
  addDocuments,
  addResource,
  Channels,
  Characters,
  Checks,
  type ConsoleArea,
  ConsoleAreas,
  definePlugin,
  EditedFiles,
  Gateway,
  JsonFiles,
  Models,
  Nodes,
  PRIVATE_OUTBOUND,
  Probes,
  RouteTables,
  Secrets,
  SettingDefinitions,
  Settings,
  serviceKey,
  TransferSections,
} from "@parley/core";
import { runOnceVersionsMatch } from "@parley/core/storage";
import { assemble, getEditedFiles, REFRESH_INTERVAL_MS } from "./assemble.ts";
import { createChannelsCheck } from "./check.ts";
import { channels } from "./config/schema.ts";
import { CHANNEL_STATES } from "./connections/cluster-states.ts";
import { ADMIN_IDS, MASTER_ID } from "./inbound/administrators.ts";
import { createChannelsProbe } from "./probe.ts";
import { createChannelRoutes } from "./routes.ts";
import { createChannelsSection } from "./transfer.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("channels.own");

const AREA: ConsoleArea = {
  id: "channels",
  group: "connections",
  title: { en: "Channels", zh: "渠道" },
  icon: "channel",
  order: 10,
  scope: "admin",
  view: { kind: "page", page: "channels" },
};

/** Stores the configured channels, and holds an open link for each enabled one. */
export default definePlugin({
  id: "channels",
  requires: [Gateway, JsonFiles, Secrets, Settings],
  register(context) {
    const { log, provide, contribute } = context;
    provide(Own, (from) => assemble(from, log));
    provide(Channels, (from) => from.get(Own).service);
    for (const setting of [MASTER_ID, ADMIN_IDS, PRIVATE_OUTBOUND]) contribute(SettingDefinitions, () => setting);
    addDocuments(context, CHANNEL_STATES);
    addResource(context, channels, (from) => from.get(Own).service.records);
    contribute(RouteTables, (from) => createChannelRoutes(from.get(Own).service));
    contribute(EditedFiles, (from) => getEditedFiles(from).channels);
    contribute(EditedFiles, (from) => getEditedFiles(from).secrets);
    contribute(TransferSections, (from) => createChannelsSection(() => from.get(Own).service));
    contribute(Checks, (from) =>
      createChannelsCheck({
        channels: () => from.get(Own).service,
        models: () => from.find(Models),
        characters: () => from.find(Characters),
      }),
    );
    contribute(Probes, (from) => createChannelsProbe(from.get(Own).service));
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get, find, log, defer }) {
    const { service, links, clusterStates } = get(Own);
    if (find(Nodes)) defer(await clusterStates.start(links.onRemoteStatus));
    defer(() => links.closeAll());
    defer(await runOnceVersionsMatch(find(Nodes), log, service.sealAll));
    service.start();
    const { claims } = get(Gateway);
    if (claims) {
      defer(claims.onClaimed((id) => service.onClaimed(id)));
      defer(claims.onReleasing((id) => service.onReleased(id)));
    }
    const timer = setInterval(() => service.refresh(), REFRESH_INTERVAL_MS);
    defer(() => clearInterval(timer));
  },
});
