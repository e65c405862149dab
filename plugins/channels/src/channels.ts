import {
  AppError,
  type Busy,
  type ChannelStatus,
  type Channels,
  type ResourceRecords,
  type SpeakOrder,
  toSharedError,
} from "@parley/core";
import { type List, type Page, toPage } from "@parley/core/http";
import { createChannelRecords, createFromPreset, toggleChannel, updateChannel } from "./channel-changes.ts";
import {
  apply,
  type ChannelServiceDeps,
  type ChannelsState,
  canBegin,
  findRow,
  getPresetDeps,
  getRow,
  withDefaults,
} from "./channels-state.ts";
import { listPresets } from "./config/presets.ts";
import {
  BUILT_IN,
  type ChannelDraft,
  type ChannelFields,
  type ChannelView,
  type CheckDraft,
  type StoredChannel,
  type TestMessage,
} from "./config/schema.ts";
import { listChannelTypes } from "./config/type-list.ts";
import { createChannelValidator } from "./config/validate-channel.ts";
import { type ConnectionTest, createConnectionTest } from "./connections/connection-test.ts";
import { needsReconnect } from "./store/channel-file.ts";
import { CHANNEL_SECRETS } from "./store/sealed-channels.ts";

export interface ChannelService extends Channels {
  readonly records: ResourceRecords<ChannelFields>;
  toggle(
    id: string,
    enabled?: boolean,
  ): Promise<{ readonly id: string; readonly enabled: boolean; readonly status: ChannelStatus }>;
  sendTest(id: string, test: TestMessage, order: SpeakOrder, signal: AbortSignal): ReturnType<ConnectionTest["send"]>;
  /** Checks the credentials of a channel; given settings and secrets replace the stored ones. */
  check(id: string, given: CheckDraft, signal: AbortSignal): ReturnType<ConnectionTest["check"]>;
  listPresets(page: Page): List<object>;
  /** Lists the installed types with their features. */
  listTypes(page: Page): List<object>;
  createPreset(presetId: string, given: Partial<ChannelDraft>): Promise<ChannelView>;
  /** Returns the initial state of a built-in channel; undefined for any other channel. */
  getInitialState(id: string): StoredChannel | undefined;
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

export function createChannelService(deps: ChannelServiceDeps): ChannelService {
  const { stored, links, clock, secrets } = deps;
  const connectionTest = createConnectionTest({ links, secrets, clock });
  const state: ChannelsState = {
    deps,
    validator: createChannelValidator(links),
    connectionTest,
    appliedById: new Map(),
  };
  return {
    get: (id) => findRow(state, id),
    list: stored.read,
    link: (id) => links.link(id),
    secret: (id, variable) => secrets.get(withDefaults(state, getRow(state, id)), variable),
    status: (id) => links.status(getRow(state, id)),
    canBegin: (id) => canBegin(state, id),
    busy: (id, address) => findBusy(state, id, address),
    refused: (id, address, error) => logRefusal(state, id, address, error),
    configure: async (id, config, transport) =>
      void (await updateChannel(state, id, { config, ...(transport !== undefined && { transport }) })),
    open: (id) => openChannel(state, id),
    close: (id) => closeChannel(state, id),
    records: createChannelRecords(state),
    toggle: (id, enabled) => toggleChannel(state, id, enabled),
    sendTest: (id, test, order, signal) => connectionTest.send(getRow(state, id), test, order, signal),
    check: (id, given, signal) => checkChannel(state, id, given, signal),
    listPresets: (page) => toPage(listPresets(getPresetDeps(state)), page),
    listTypes: (page) => toPage(listChannelTypes(links.listAdapters()), page),
    getInitialState: (id) => BUILT_IN.filter((one) => one.id === id).map((row) => withDefaults(state, row))[0],
    createPreset: (presetId, given) => createFromPreset(state, presetId, given),
    sealAll: stored.sealAll,
    start: () => openAll(state),
    onClaimed: (id) => onClaimed(state, id),
    onReleased: (id) => onReleased(state, id),
    refresh: () => refresh(state),
  };
}

function checkChannel(state: ChannelsState, id: string, sent: CheckDraft, signal: AbortSignal) {
  const row = getRow(state, id);
  const { config: changed, secrets: given } = CHANNEL_SECRETS.unmasked(sent, row);
  const config = state.validator.mergeSettings(row, row.type, changed);
  return state.connectionTest.check(withDefaults(state, { ...row, config }), given, signal);
}

function openAll(state: ChannelsState): void {
  for (const row of state.deps.stored.read()) void apply(state, row, row.id);
}

async function openChannel(state: ChannelsState, id: string) {
  const row = getRow(state, id);
  if (!row.enabled) throw toSharedError("conflict", "channel_off", {});
  return state.deps.links.ensure(row);
}

async function closeChannel(state: ChannelsState, id: string): Promise<boolean> {
  const { links } = state.deps;
  getRow(state, id);
  const wasOpen = links.isOpen(id);
  await links.close(id);
  return wasOpen;
}

function onClaimed(state: ChannelsState, id: string): void {
  const { links } = state.deps;
  const row = findRow(state, id);
  if (row?.enabled && !links.isOpen(id)) void links.ensure(row);
}

async function onReleased(state: ChannelsState, id: string): Promise<void> {
  const row = findRow(state, id);
  // Webhooks can arrive at any node.
  if (row && row.transport !== "webhook") await state.deps.links.release(id);
}

function refresh(state: ChannelsState): void {
  const current = state.deps.stored.read();
  for (const row of current) {
    const before = state.appliedById.get(row.id);
    if (!before || needsReconnect(before, row)) void apply(state, row, row.id);
  }
  const ids = new Set(current.map(({ id }) => id));
  for (const id of [...state.appliedById.keys()]) if (!ids.has(id)) void apply(state, undefined, id);
}

function findBusy({ deps: { busy, logRejection } }: ChannelsState, id: string, address: string): Busy | undefined {
  const reject = (found: Busy | undefined): Busy | undefined => {
    if (!found) return undefined;
    const rejection = { code: "unavailable", message: found.reason, cause: "queue_full" } as const;
    return { ...found, traceId: logRejection({ id, enabled: true }, address, rejection) };
  };
  const found = busy(id);
  const wait = found?.wait;
  return found && wait ? { ...found, wait: () => wait().then(reject) } : reject(found);
}

function logRefusal(state: ChannelsState, id: string, address: string, error: Parameters<Channels["refused"]>[2]) {
  const { links, logRejection } = state.deps;
  const row = findRow(state, id);
  const isServed = row === undefined || links.serves(row.type);
  const known = isServed ? error : new AppError(error.code, error.message, { cause: "missing_parser" });
  return logRejection(row, address, known);
}
