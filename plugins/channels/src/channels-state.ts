import { type Clock, type Gateway, type LiveEvents, notFound } from "@parley/core";
import type { PresetDeps } from "./config/presets.ts";
import { type ChannelView, DEFAULT_TRANSPORTS, type StoredChannel } from "./config/schema.ts";
import { getWebhookPath, isUsedBy, listVariables, toSettingsSchema, validateSettings } from "./config/settings.ts";
import type { createChannelValidator } from "./config/validate-channel.ts";
import type { ConnectionTest } from "./connections/connection-test.ts";
import type { Links } from "./connections/links.ts";
import type { LogRejection } from "./inbound/webhook-rejections.ts";
import type { ChannelSecrets } from "./store/channel-secrets.ts";
import { CHANNEL_SECRETS, type SealedChannels } from "./store/sealed-channels.ts";

export interface ChannelServiceDeps {
  readonly stored: SealedChannels;
  readonly links: Links;
  readonly events: LiveEvents;
  readonly clock: Clock;
  readonly secrets: ChannelSecrets;
  readonly logRejection: LogRejection;
  /** Returns true when the service has a public address. */
  readonly isReachable: () => boolean;
  /** Returns true when the environment has a value of this variable. */
  readonly hasVariable: (name: string) => boolean;
  /** Returns the reason a channel accepts nothing now; else undefined. */
  readonly busy: Gateway["busy"];
}

export interface ChannelsState {
  readonly deps: ChannelServiceDeps;
  readonly validator: ReturnType<typeof createChannelValidator>;
  readonly connectionTest: ConnectionTest;
  /** The rows as their connections were last opened, by id. */
  readonly appliedById: Map<string, StoredChannel>;
}

export function findRow({ deps }: ChannelsState, id: string): StoredChannel | undefined {
  return deps.stored.read().find((row) => row.id === id);
}

export function getRow(state: ChannelsState, id: string): StoredChannel {
  const row = findRow(state, id);
  if (!row) throw notFound("channel", id);
  return row;
}

/** Fills in the defaults of missing settings. */
export function withDefaults<Row extends StoredChannel>({ deps: { links } }: ChannelsState, row: Row): Row {
  return {
    ...row,
    config: validateSettings(links.findAdapter(row.type), row.type, row.config, { isStored: true }).value,
  };
}

export function toView(state: ChannelsState, row: StoredChannel): ChannelView {
  const { links, secrets } = state.deps;
  const adapter = links.findAdapter(row.type);
  const config_schema = toSettingsSchema(adapter);
  const variables = secrets.listVariables(withDefaults(state, row));
  const namedVariables = new Set(listVariables(row.config).map((one) => one.name));
  return {
    ...CHANNEL_SECRETS.masked(row),
    webhook_path: getWebhookPath(row, adapter),
    status: links.status(row),
    config_schema,
    missing_variables: variables.flatMap(({ name, source, setting }) =>
      source === null && namedVariables.has(name) && isUsedBy(config_schema, row.transport, setting) ? name : [],
    ),
    variables,
    can_check: adapter?.check !== undefined,
    transports: adapter?.transports ?? DEFAULT_TRANSPORTS,
    can_begin: canBegin(state, row.id),
  };
}

/** Returns what decides about the presets: the installed adapters, and how platforms reach this service. */
export function getPresetDeps({ deps: { links, isReachable, hasVariable } }: ChannelsState): PresetDeps {
  return { adapters: links.listAdapters(), adapterFor: links.findAdapter, isReachable: isReachable(), hasVariable };
}

/** True when people of a channel can be written to unasked. Channels of plugins, which have no row, say nothing against it. */
export function canBegin(state: ChannelsState, id: string): boolean {
  const row = findRow(state, id);
  const adapter = row && state.deps.links.findAdapter(row.type);
  if (!row || !adapter) return true;
  return adapter.answersOnly !== true && adapter.canSend?.(withDefaults(state, row)) !== false;
}

/** Opens, reopens or closes the connection of a channel after a change; without a row, the channel was removed. */
export function apply({ deps: { links }, appliedById }: ChannelsState, row: StoredChannel | undefined, id: string) {
  if (row) appliedById.set(id, row);
  else appliedById.delete(id);
  return links.apply(row, id);
}
