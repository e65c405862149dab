import {
  AppError,
  type ChannelStatus,
  type Channels,
  type Clock,
  checkRevision,
  type Gateway,
  type LiveEvents,
  newId,
  notFound,
  type ResourceRecords,
  resourceChanged,
  type SpeakOrder,
  toRecordPage,
  toSharedError,
} from "@parley/core";
import { type List, type Page, toPage } from "@parley/core/http";
import { listPresets, toDraft } from "./config/presets.ts";
import {
  BUILT_IN,
  type ChannelDraft,
  type ChannelFields,
  type ChannelPatch,
  type ChannelView,
  type CheckDraft,
  channels,
  NO_CAPABILITIES,
  type StoredChannel,
  type TestMessage,
} from "./config/schema.ts";
import { listVariables, settingsSchema, validateSettings, webhookPath } from "./config/settings.ts";
import { createChannelValidator } from "./config/validate-channel.ts";
import { type ConnectionTest, createConnectionTest } from "./connections/connection-test.ts";
import type { Links } from "./connections/links.ts";
import type { LogRejection } from "./inbound/webhook-rejections.ts";
import { needsReconnect } from "./store/channel-file.ts";
import type { ChannelSecrets } from "./store/channel-secrets.ts";
import { CHANNEL_SECRETS, type SealedChannels } from "./store/sealed-channels.ts";
import { channelsTexts } from "./texts.ts";

const MAX_CHANNELS = 200;

export interface ChannelService extends Channels {
  readonly records: ResourceRecords<ChannelFields>;
  toggle(
    id: string,
    enabled?: boolean,
  ): Promise<{ readonly id: string; readonly enabled: boolean; readonly status: ChannelStatus }>;
  sendTest(id: string, test: TestMessage, order: SpeakOrder, signal: AbortSignal): ReturnType<ConnectionTest["send"]>;
  /** Checks the credentials of a channel; given settings and secrets replace the stored ones. */
  check(id: string, given: CheckDraft, signal: AbortSignal): ReturnType<ConnectionTest["check"]>;
  presets(page: Page): List<object>;
  createPreset(presetId: string, given: Partial<ChannelDraft>): Promise<ChannelView>;
  /** Returns the initial state of a built-in channel; undefined for any other channel. */
  initial(id: string): StoredChannel | undefined;
  /** Opens the enabled channels without waiting for them; later, `refresh` applies edits of the file. */
  start(): void;
  /** Moves plain-text secrets from the file to the encrypted store. */
  sealAll(): Promise<void>;
  refresh(): void;
  /** Called when this node takes over the channel, to open its connection. */
  onClaimed(id: string): void;
  /** Called when another node takes over the channel; closes its connection here. */
  onReleased(id: string): Promise<void>;
}

export interface ChannelServiceDeps {
  readonly stored: SealedChannels;
  readonly links: Links;
  readonly events: LiveEvents;
  readonly clock: Clock;
  readonly secrets: ChannelSecrets;
  readonly logRejection: LogRejection;
  /** Returns the reason a channel accepts nothing now; else undefined. */
  readonly busy: Gateway["busy"];
}

export function createChannelService(deps: ChannelServiceDeps): ChannelService {
  const { stored, links, events, clock, secrets, logRejection, busy } = deps;
  let appliedById = new Map<string, StoredChannel>();
  const rows = stored.read;
  const find = (id: string) => {
    const row = rows().find((one) => one.id === id);
    if (!row) throw notFound("channel", id);
    return row;
  };
  const validator = createChannelValidator(links);
  const connectionTest = createConnectionTest({ links, secrets, clock });
  /** Fills in the defaults of missing settings. */
  const withDefaults = <Row extends StoredChannel>(row: Row): Row => ({
    ...row,
    config: validateSettings(links.adapterFor(row.type), row.type, row.config).value,
  });
  const toView = (row: StoredChannel): ChannelView => {
    const adapter = links.adapterFor(row.type);
    const variables = secrets.listVariables(withDefaults(row));
    const isNamed = new Set(listVariables(row.config).map((one) => one.name));
    return {
      ...CHANNEL_SECRETS.masked(row),
      webhook_path: webhookPath(row, adapter),
      status: links.status(row),
      config_schema: settingsSchema(adapter),
      missing_variables: variables.flatMap((one) => (one.source === null && isNamed.has(one.name) ? one.name : [])),
      variables,
      can_check: adapter?.check !== undefined,
    };
  };
  const now = () => new Date(clock.now()).toISOString();
  const apply = (row: StoredChannel | undefined, id: string) => {
    if (row) appliedById.set(id, row);
    else appliedById.delete(id);
    return links.apply(row, id);
  };
  const storeChange = async (id: string, change: (row: StoredChannel) => StoredChannel) => {
    let changed: StoredChannel | undefined;
    await stored.update((all) => {
      // This may run several times, and the row may be missing in a later one.
      changed = undefined;
      return all.map((row) => {
        if (row.id !== id) return row;
        changed = { ...change(row), updated_at: now(), revision: row.revision + 1 };
        return changed;
      });
    });
    if (!changed) throw notFound("channel", id);
    return changed;
  };

  const create = async (draft: ChannelDraft): Promise<ChannelView> => {
    const { id = newId("ch", clock.now()), type, secrets: given, ...rest } = CHANNEL_SECRETS.unmasked(draft);
    if (BUILT_IN.some((one) => one.type === type))
      throw channelsTexts.error("bad_request", "one_only", { type }, { field: "type" });
    validator.checkType(type);
    const adapter = links.adapterFor(type);
    const config = { ...adapter?.newSettings?.(id), ...rest.config };
    const transport = draft.transport ?? adapter?.transports[0] ?? "webhook";
    validator.checkTransport(type, transport);
    const row: StoredChannel = {
      ...rest,
      id,
      type,
      transport,
      builtin: false,
      config: validator.settings(type, config, rest.config ?? {}),
      capabilities: { ...NO_CAPABILITIES, ...adapter?.capabilities, ...draft.capabilities },
      created_at: now(),
      updated_at: now(),
      revision: 1,
    };
    secrets.check(row, given);
    await stored.update((all) => {
      if (all.length >= MAX_CHANNELS) throw channelsTexts.error("conflict", "full", { most: MAX_CHANNELS });
      if (all.some((one) => one.id.toLowerCase() === id.toLowerCase()))
        throw channelsTexts.error("conflict", "taken", { id }, { field: "id" });
      return [...all, row];
    });
    await secrets.store(row, given);
    events.publish(resourceChanged("channel", id, "created", 1));
    void apply(row, id);
    return toView(row);
  };

  const update = async (id: string, input: ChannelPatch, ifMatch?: number): Promise<ChannelView> => {
    const old = find(id);
    const { secrets: given, ...patch } = CHANNEL_SECRETS.unmasked(input, old);
    checkRevision(old, ifMatch);
    if (
      old.builtin &&
      ((patch.type ?? old.type) !== old.type || (patch.transport ?? old.transport) !== old.transport)
    ) {
      throw channelsTexts.error("bad_request", "built_in_kept", {}, { field: "type" });
    }
    const type = patch.type ?? old.type;
    const transport = patch.transport ?? old.transport;
    if (type !== old.type) validator.checkType(type);
    validator.checkTransport(type, transport);
    const row = await storeChange(id, (before) => {
      // Of two requests with the same revision, the second one is rejected here.
      checkRevision(before, ifMatch);
      const config = validator.mergeSettings(before, type, patch.config);
      secrets.check(withDefaults({ ...before, type, config }), given);
      return {
        ...before,
        ...patch,
        type,
        transport,
        config,
        capabilities: { ...before.capabilities, ...patch.capabilities },
      };
    });
    await secrets.store(withDefaults(row), given);
    events.publish(resourceChanged("channel", id, "updated", row.revision));
    if (given !== undefined || needsReconnect(old, row)) void apply(row, id);
    else appliedById.set(id, row);
    return toView(row);
  };

  const records: ResourceRecords<ChannelFields> = {
    async page({ builtin, ...query }) {
      const asked = rows().filter((row) => builtin === undefined || row.builtin === builtin);
      const { items, ...page } = toRecordPage(channels, asked, query, (a, b) => Number(b.builtin) - Number(a.builtin));
      return { items: items.map(toView), ...page };
    },
    get: async (id) => toView(find(id)),
    create,
    change: (id, patch, { ifMatch }) => update(id, patch, ifMatch),
    async remove(id, { ifMatch }) {
      const row = find(id);
      if (row.builtin) throw channelsTexts.error("bad_request", "built_in", { id });
      await stored.update((all) => {
        const before = all.find((one) => one.id === id);
        if (!before) throw notFound("channel", id);
        checkRevision(before, ifMatch);
        return all.filter((one) => one.id !== id);
      });
      await secrets.removeAll(id);
      events.publish(resourceChanged("channel", id, "deleted"));
      await apply(undefined, id);
    },
  };

  return {
    get: (id) => rows().find((row) => row.id === id),
    list: rows,
    link: (id) => links.link(id),
    secret: (id, variable) => secrets.get(withDefaults(find(id)), variable),
    status: (id) => links.status(find(id)),
    busy(id, address) {
      const found = busy(id);
      if (!found) return undefined;
      const rejection = { code: "unavailable", message: found.reason, cause: "queue_full" } as const;
      return { ...found, traceId: logRejection({ id, enabled: true }, address, rejection) };
    },
    refused(id, address, error) {
      const row = rows().find((one) => one.id === id);
      const isServed = row === undefined || links.serves(row.type);
      const known = isServed ? error : new AppError(error.code, error.message, { cause: "missing_parser" });
      return logRejection(row, address, known);
    },
    configure: async (id, settings) => void (await update(id, { config: settings })),
    async open(id) {
      const row = find(id);
      if (!row.enabled) throw toSharedError("conflict", "channel_off", {});
      return links.ensure(row);
    },
    async close(id) {
      find(id);
      const wasOpen = links.isOpen(id);
      await links.close(id);
      return wasOpen;
    },
    records,
    async toggle(id, wanted) {
      const old = find(id);
      const enabled = wanted ?? !old.enabled;
      if (enabled === old.enabled) return { id, enabled, status: links.status(old) };
      const row = await storeChange(id, (before) => ({ ...before, enabled }));
      events.publish(resourceChanged("channel", id, "toggled", row.revision));
      await apply(row, id);
      return { id, enabled, status: links.status(row) };
    },
    sendTest: (id, test, order, signal) => connectionTest.send(find(id), test, order, signal),
    check(id, sent, signal) {
      const row = find(id);
      const { config: changed, secrets: given } = CHANNEL_SECRETS.unmasked(sent, row);
      const config = validator.mergeSettings(row, row.type, changed);
      return connectionTest.check(withDefaults({ ...row, config }), given, signal);
    },
    presets: (page) => toPage(listPresets(links.adapters(), links.adapterFor), page),
    initial: (id) => BUILT_IN.filter((one) => one.id === id).map(withDefaults)[0],
    createPreset: async (presetId, given) => create(toDraft(links.adapters(), presetId, given)),
    sealAll: stored.sealAll,
    start() {
      appliedById = new Map(rows().map((row) => [row.id, row]));
      for (const row of rows()) void links.apply(row, row.id);
    },
    onClaimed(id) {
      const row = rows().find((one) => one.id === id);
      if (row?.enabled && !links.isOpen(id)) void links.ensure(row);
    },
    async onReleased(id) {
      const row = rows().find((one) => one.id === id);
      // Webhooks can arrive at any node.
      if (row && row.transport !== "webhook") await links.release(id);
    },
    refresh() {
      const current = rows();
      for (const row of current) {
        const before = appliedById.get(row.id);
        if (!before || needsReconnect(before, row)) void apply(row, row.id);
      }
      const ids = new Set(current.map(({ id }) => id));
      for (const id of [...appliedById.keys()]) if (!ids.has(id)) void apply(undefined, id);
    },
  };
}
