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
  onceOfOneVersion,
  Paths,
  PRIVATE_OUTBOUND,
  Probes,
  Redaction,
  type Resolver,
  RouteTables,
  SecretBox,
  SettingDefinitions,
  Settings,
  serviceKey,
  TransferSections,
  windowOf,
} from "@parley/core";
import { ADMIN_IDS, isAdministrator, MASTER_ID } from "./administrators.ts";
import { parseChannels } from "./channel-file.ts";
import { type ChannelRows, createChannels } from "./channels.ts";
import { channelsCheck } from "./check.ts";
import { createKeptSecrets, type KeptSecrets, parseSecrets, type SecretFile } from "./kept-secrets.ts";
import { createLinks, type Links } from "./links.ts";
import { BUILT_IN, channels } from "./records.ts";
import { createRefusals } from "./refusals.ts";
import { channelRoutes } from "./routes.ts";
import { createSealedRows } from "./sealed-rows.ts";
import { createSharedStates, type SharedStates } from "./shared-states.ts";
import { channelsSection } from "./transfer.ts";

const LOOK_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
const States = serviceKey<SharedStates>("channels.states");
const OpenLinks = serviceKey<Links>("open-links");
const SecretsFile = serviceKey<JsonFile<SecretFile>>("channels.secrets-file");
const StoredSecrets = serviceKey<KeptSecrets>("channel-secrets");
const StoredChannels = serviceKey<ChannelRows>("stored-channels");

/** The configured entrances, and one open link for each that is enabled. */
export default definePlugin({
  id: "channels",
  requires: [Gateway, JsonFiles, SecretBox, Settings],
  register(context) {
    const { log, provide, contribute } = context;
    addResource(context, channels, (from) => from.get(StoredChannels).records);
    provide(OpenLinks, (from) =>
      createLinks({
        adapters: () => from.all(ChannelAdapters),
        gateway: () => from.get(Gateway),
        secret: (channel, variable) => from.get(StoredSecrets).value(channel, variable),
        egress: from.get(Egress),
        files: () => from.find(Files),
        events: from.get(LiveEvents),
        redaction: from.get(Redaction),
        clock: from.get(Clock),
        log,
        servedBy: (type) => from.get(HostControl).contributor("channel type", type),
        isAdmin: (channelId, userId) => isAdministrator(from.get(Settings), `${channelId}:${userId}`),
        isCommand: (text) => {
          const [word = ""] = text.trim().split(/\s/, 1);
          return from.all(ChatCommands).some(({ name, aliases = [] }) => name === word || aliases.includes(word));
        },
        random: Math.random,
        hooked: windowOf(from, "webhooks", MINUTE_MS),
        // What comes by calls comes to every node; a connection is one node's alone.
        isOurs: async ({ id, transport }) =>
          id === "web" || transport === "webhook" || ((await from.get(Gateway).claims?.claim(id)) ?? true),
        states: () => (from.find(Nodes) ? from.get(States) : undefined),
        mayReachPrivate: () => from.get(Settings).get(PRIVATE_OUTBOUND),
        // With `--mcp-only` nothing comes in, so only what sends by itself is opened.
        isOpenable: ({ transport }) =>
          transport === "webhook" || from.find(ConfigSections)?.section("mcp").only !== "true",
      }),
    );
    provide(States, (from) =>
      createSharedStates({
        kept: () => from.get(Collections).open("channel-states"),
        node: () => from.get(Nodes).id,
        log,
      }),
    );
    provide(SecretsFile, (from) =>
      from.get(JsonFiles).open({ ...secretsFile(from), empty: { secrets: [] }, minCheckMs: LOOK_EVERY_MS }),
    );
    contribute(EditedFiles, channelsFile);
    contribute(EditedFiles, secretsFile);
    provide(StoredSecrets, (from) =>
      createKeptSecrets({
        file: from.get(SecretsFile),
        box: from.get(SecretBox),
        environment: from.get(Environment),
        redaction: from.get(Redaction),
        clock: from.get(Clock),
      }),
    );
    provide(StoredChannels, (from) =>
      createChannels({
        stored: sealedRows(from, log),
        links: from.get(OpenLinks),
        events: from.get(LiveEvents),
        clock: from.get(Clock),
        busy: (id) => from.get(Gateway).busy(id),
        noteRefusal: createRefusals(from.get(Clock), () => from.find(GatewayLog)),
        secrets: from.get(StoredSecrets),
      }),
    );
    provide(Channels, (from) => from.get(StoredChannels));
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
    contribute(TransferSections, (from) => channelsSection(() => from.get(StoredChannels)));
    contribute(RouteTables, (from) => channelRoutes(from.get(StoredChannels)));
    contribute(Checks, (from) =>
      channelsCheck({
        rows: () => from.get(StoredChannels),
        models: () => from.find(Models),
        characters: () => from.find(Characters),
      }),
    );
    contribute(Probes, (from) => ({
      id: "channels",
      async health() {
        const rows = from.get(StoredChannels);
        const broken = rows.list().flatMap(({ id, enabled }) => {
          const { state, last_error, held_elsewhere: isElsewhere } = rows.status(id);
          return enabled && !isElsewhere && state === "error" && !BUILT_IN.some((one) => one.id === id)
            ? [`${id}: ${last_error}`]
            : [];
        });
        const detail = broken.join("; ");
        return { status: broken.length > 0 ? "degraded" : "ok", detail };
      },
    }));
  },
  async start({ get, find, log, defer }) {
    const rows = get(StoredChannels);
    const links = get(OpenLinks);
    if (find(Nodes)) defer(await get(States).start(links.heard));
    defer(() => links.closeAll());
    defer(await onceOfOneVersion(find(Nodes), log, rows.sealAll));
    rows.start();
    const { claims } = get(Gateway);
    if (claims) {
      defer(claims.onClaimed((id) => rows.claimed(id)));
      defer(claims.onReleasing((id) => rows.released(id)));
    }
    const timer = setInterval(() => rows.refresh(), LOOK_EVERY_MS);
    defer(() => clearInterval(timer));
  },
});

const channelsFile = (from: Resolver) => ({
  path: join(from.get(Paths).data, "channels.json"),
  parse: parseChannels,
  page: "/channels",
});

const secretsFile = (from: Resolver) => ({
  path: join(from.get(Paths).data, "channel_secrets.json"),
  parse: parseSecrets,
  page: "/channels",
});

const sealedRows = (from: Resolver, log: Logger) =>
  createSealedRows({
    file: from.get(JsonFiles).open({ ...channelsFile(from), empty: { channels: [] }, minCheckMs: LOOK_EVERY_MS }),
    secretFile: from.get(SecretsFile),
    from,
    clock: from.get(Clock),
    log,
  });
