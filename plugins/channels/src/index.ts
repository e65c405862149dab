import { join } from "node:path";
import {
  addResource,
  ChannelAdapters,
  Channels,
  Characters,
  ChatCommands,
  Checks,
  Clock,
  Collections,
  ConfigSections,
  type ConsoleArea,
  ConsoleAreas,
  definePlugin,
  EditedFiles,
  Egress,
  Environment,
  Files,
  Gateway,
  GatewayLog,
  HostControl,
  type JsonFile,
  JsonFiles,
  LiveEvents,
  type Logger,
  Models,
  Nodes,
  openSharedWindow,
  Paths,
  PRIVATE_OUTBOUND,
  Probes,
  Redaction,
  type Resolver,
  RouteTables,
  runOnceVersionsMatch,
  SecretBox,
  SettingDefinitions,
  Settings,
  serviceKey,
  TransferSections,
} from "@parley/core";
import { type ChannelService, createChannelService } from "./channels.ts";
import { channelsCheck } from "./check.ts";
import { BUILT_IN, channels } from "./config/schema.ts";
import { type ClusterStates, createClusterStates } from "./connections/cluster-states.ts";
import { createLinks, type Links } from "./connections/links.ts";
import { ADMIN_IDS, isAdministrator, MASTER_ID } from "./inbound/administrators.ts";
import { createRejectionLog } from "./inbound/webhook-rejections.ts";
import { channelRoutes } from "./routes.ts";
import { parseChannels } from "./store/channel-file.ts";
import { type ChannelSecrets, createChannelSecrets, parseSecrets, type SecretFile } from "./store/channel-secrets.ts";
import { createSealedChannels } from "./store/sealed-channels.ts";
import { channelsSection } from "./transfer.ts";

const REFRESH_INTERVAL_MS = 1_000;
const MINUTE_MS = 60_000;
const ClusterStatesKey = serviceKey<ClusterStates>("channels.states");
const LinksKey = serviceKey<Links>("open-links");
const SecretsFileKey = serviceKey<JsonFile<SecretFile>>("channels.secrets-file");
const ChannelSecretsKey = serviceKey<ChannelSecrets>("channel-secrets");
const ChannelServiceKey = serviceKey<ChannelService>("stored-channels");

/** The configured entrances, and one open link for each that is enabled. */
export default definePlugin({
  id: "channels",
  requires: [Gateway, JsonFiles, SecretBox, Settings],
  register(context) {
    const { log, provide, contribute } = context;
    addResource(context, channels, (from) => from.get(ChannelServiceKey).records);
    provide(LinksKey, (from) =>
      createLinks({
        adapters: () => from.all(ChannelAdapters),
        gateway: () => from.get(Gateway),
        secret: (channel, variable) => from.get(ChannelSecretsKey).get(channel, variable),
        egress: from.get(Egress),
        files: () => from.find(Files),
        events: from.get(LiveEvents),
        redaction: from.get(Redaction),
        clock: from.get(Clock),
        log,
        findPlugin: (type) => from.get(HostControl).contributor("channel type", type),
        isAdmin: (channelId, userId) => isAdministrator(from.get(Settings), `${channelId}:${userId}`),
        isCommand: (text) => {
          const [word = ""] = text.trim().split(/\s/, 1);
          return from.all(ChatCommands).some(({ name, aliases = [] }) => name === word || aliases.includes(word));
        },
        random: Math.random,
        webhookWindow: openSharedWindow(from, "webhooks", MINUTE_MS),
        // Webhooks can arrive at any node; a connection belongs to one.
        isOwnedHere: async ({ id, transport }) =>
          id === "web" || transport === "webhook" || ((await from.get(Gateway).claims?.claim(id)) ?? true),
        clusterStates: () => (from.find(Nodes) ? from.get(ClusterStatesKey) : undefined),
        mayReachPrivate: () => from.get(Settings).get(PRIVATE_OUTBOUND),
        // With `--mcp-only` nothing arrives, so only channels that can send by themselves are opened.
        isOpenable: ({ transport }) =>
          transport === "webhook" || from.find(ConfigSections)?.section("mcp").only !== "true",
      }),
    );
    provide(ClusterStatesKey, (from) =>
      createClusterStates({
        collection: () => from.get(Collections).open("channel-states"),
        node: () => from.get(Nodes).id,
        log,
      }),
    );
    provide(SecretsFileKey, (from) =>
      from.get(JsonFiles).open({ ...secretsFile(from), empty: { secrets: [] }, minCheckMs: REFRESH_INTERVAL_MS }),
    );
    contribute(EditedFiles, channelsFile);
    contribute(EditedFiles, secretsFile);
    provide(ChannelSecretsKey, (from) =>
      createChannelSecrets({
        file: from.get(SecretsFileKey),
        box: from.get(SecretBox),
        environment: from.get(Environment),
        redaction: from.get(Redaction),
        clock: from.get(Clock),
      }),
    );
    provide(ChannelServiceKey, (from) =>
      createChannelService({
        stored: createSealedChannelsFrom(from, log),
        links: from.get(LinksKey),
        events: from.get(LiveEvents),
        clock: from.get(Clock),
        busy: (id) => from.get(Gateway).busy(id),
        logRejection: createRejectionLog(from.get(Clock), () => from.find(GatewayLog)),
        secrets: from.get(ChannelSecretsKey),
      }),
    );
    provide(Channels, (from) => from.get(ChannelServiceKey));
    contribute(
      ConsoleAreas,
      (): ConsoleArea => ({
        id: "channels",
        group: "connections",
        title: { en: "Channels", zh: "渠道" },
        icon: "channel",
        order: 10,
        scope: "admin",
        view: { kind: "page", page: "channels" },
      }),
    );
    for (const offered of [MASTER_ID, ADMIN_IDS, PRIVATE_OUTBOUND]) contribute(SettingDefinitions, () => offered);
    contribute(TransferSections, (from) => channelsSection(() => from.get(ChannelServiceKey)));
    contribute(RouteTables, (from) => channelRoutes(from.get(ChannelServiceKey)));
    contribute(Checks, (from) =>
      channelsCheck({
        channels: () => from.get(ChannelServiceKey),
        models: () => from.find(Models),
        characters: () => from.find(Characters),
      }),
    );
    contribute(Probes, (from) => ({
      id: "channels",
      async health() {
        const rows = from.get(ChannelServiceKey);
        const broken = rows.list().flatMap(({ id, enabled }) => {
          const { state, last_error, held_elsewhere: isRemote } = rows.status(id);
          return enabled && !isRemote && state === "error" && !BUILT_IN.some((one) => one.id === id)
            ? [`${id}: ${last_error}`]
            : [];
        });
        const detail = broken.join("; ");
        return { status: broken.length > 0 ? "degraded" : "ok", detail };
      },
    }));
  },
  async start({ get, find, log, defer }) {
    const rows = get(ChannelServiceKey);
    const links = get(LinksKey);
    if (find(Nodes)) defer(await get(ClusterStatesKey).start(links.onRemoteStatus));
    defer(() => links.closeAll());
    defer(await runOnceVersionsMatch(find(Nodes), log, rows.sealAll));
    rows.start();
    const { claims } = get(Gateway);
    if (claims) {
      defer(claims.onClaimed((id) => rows.onClaimed(id)));
      defer(claims.onReleasing((id) => rows.onReleased(id)));
    }
    const timer = setInterval(() => rows.refresh(), REFRESH_INTERVAL_MS);
    defer(() => clearInterval(timer));
  },
});

const channelsFile = (from: Resolver) => ({
  path: join(from.get(Paths).data, "channels.json"),
  parse: (json: unknown) => parseChannels(json, from.all(ChannelAdapters)),
  page: "/channels",
});

const secretsFile = (from: Resolver) => ({
  path: join(from.get(Paths).data, "channel_secrets.json"),
  parse: parseSecrets,
  page: "/channels",
});

const createSealedChannelsFrom = (from: Resolver, log: Logger) =>
  createSealedChannels({
    file: from.get(JsonFiles).open({ ...channelsFile(from), empty: { channels: [] }, minCheckMs: REFRESH_INTERVAL_MS }),
    secretFile: from.get(SecretsFileKey),
    from,
    clock: from.get(Clock),
    log,
  });
