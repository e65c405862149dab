import { join } from "node:path";
import {
  ChannelAdapters,
  ChatCommands,
  Clock,
  ConfigSections,
  type EditedFile,
  Egress,
  Environment,
  Files,
  Gateway,
  GatewayLog,
  HostControl,
  JsonFiles,
  LiveEvents,
  type Logger,
  Nodes,
  Paths,
  PRIVATE_OUTBOUND,
  RecordStore,
  Redaction,
  type Resolver,
  Secrets,
  Settings,
} from "@parley/core";
import { webSection } from "@parley/core/http";
import { openSharedWindow } from "@parley/core/limits";
import { createChannelService } from "./channels.ts";
import { CHANNEL_STATES, type ClusterStates, createClusterStates } from "./connections/cluster-states.ts";
import { createLinks, type LinksDeps } from "./connections/links.ts";
import { isAdministrator } from "./inbound/administrators.ts";
import { createRejectionLog } from "./inbound/webhook-rejections.ts";
import { parseChannels } from "./store/channel-file.ts";
import { type ChannelSecrets, createChannelSecrets, parseSecrets } from "./store/channel-secrets.ts";
import { createSealedChannels } from "./store/sealed-channels.ts";

export const REFRESH_INTERVAL_MS = 1_000;
const MINUTE_MS = 60_000;

/** Creates the services of the plugin: the stored channels, their secrets, and their open links. */
export function assemble(from: Resolver, log: Logger) {
  const clock = from.get(Clock);
  const settings = from.get(Settings);
  const files = openStoredFiles(from);
  const secrets = createChannelSecrets({
    file: files.secrets,
    secrets: from.get(Secrets),
    environment: from.get(Environment),
    clock,
  });
  const clusterStates = createClusterStates({
    collection: () => from.get(RecordStore).documents(CHANNEL_STATES),
    node: () => from.get(Nodes).id,
    log,
  });
  const links = createLinks(assembleLinkDeps(from, log, secrets, clusterStates));
  const service = createChannelService({
    stored: createSealedChannels({ file: files.channels, secretFile: files.secrets, from, clock, log }),
    links,
    events: from.get(LiveEvents),
    clock,
    isReachable: () => {
      const sections = from.find(ConfigSections);
      return sections !== undefined && Boolean(webSection(sections, settings).public_base_url);
    },
    hasVariable: (name) => from.get(Environment).secret(name) !== undefined,
    busy: (id) => from.get(Gateway).busy(id),
    logRejection: createRejectionLog(clock, () => from.find(GatewayLog)),
    secrets,
  });
  return { service, links, clusterStates };
}

function assembleLinkDeps(
  from: Resolver,
  log: Logger,
  secrets: ChannelSecrets,
  clusterStates: ClusterStates,
): LinksDeps {
  const settings = from.get(Settings);
  return {
    adapters: () => from.all(ChannelAdapters),
    gateway: () => from.get(Gateway),
    secret: (channel, variable) => secrets.get(channel, variable),
    egress: from.get(Egress),
    files: () => from.find(Files),
    events: from.get(LiveEvents),
    redaction: from.get(Redaction),
    clock: from.get(Clock),
    log,
    findPlugin: (type) => from.get(HostControl).contributor("channel type", type),
    isAdmin: (channelId, userId) => isAdministrator(settings, `${channelId}:${userId}`),
    isCommand: (text) => {
      const [word = ""] = text.trim().split(/\s/, 1);
      return from.all(ChatCommands).some(({ name, aliases = [] }) => name === word || aliases.includes(word));
    },
    random: Math.random,
    webhookWindow: openSharedWindow(from, "webhooks", MINUTE_MS),
    // Webhooks can arrive at any node; a connection belongs to one.
    isOwnedHere: async ({ id, transport }) =>
      id === "web" || transport === "webhook" || ((await from.get(Gateway).claims?.claim(id)) ?? true),
    clusterStates: () => (from.find(Nodes) ? clusterStates : undefined),
    mayReachPrivate: () => settings.get(PRIVATE_OUTBOUND),
    // With `--mcp-only` no messages arrive, so only channels that can send on their own are opened.
    isOpenable: ({ transport }) => transport === "webhook" || from.find(ConfigSections)?.section("mcp").only !== "true",
  };
}

/** Returns the files that people may edit: channels and their secrets. */
export function getEditedFiles(from: Resolver) {
  const folder = from.get(Paths).data;
  const parse = (json: unknown) => parseChannels(json, from.all(ChannelAdapters));
  return {
    channels: { path: join(folder, "channels.json"), parse, page: "/channels" },
    secrets: { path: join(folder, "channel_secrets.json"), parse: parseSecrets, page: "/channels" },
  } satisfies Record<string, EditedFile>;
}

function openStoredFiles(from: Resolver) {
  const { channels, secrets } = getEditedFiles(from);
  const json = from.get(JsonFiles);
  return {
    channels: json.open({ ...channels, empty: { channels: [] }, minCheckMs: REFRESH_INTERVAL_MS }),
    secrets: json.open({ ...secrets, empty: { secrets: [] }, minCheckMs: REFRESH_INTERVAL_MS }),
  };
}
