import { checkRevision, newId, notFound, type ResourceRecords, resourceChanged, toRecordPage } from "@parley/core";
import { apply, type ChannelsState, getPresetDeps, getRow, toView, withDefaults } from "./channels-state.ts";
import { toDraft } from "./config/presets.ts";
import {
  BUILT_IN,
  type ChannelDraft,
  type ChannelFields,
  type ChannelPatch,
  type ChannelView,
  channels,
  NO_CAPABILITIES,
  type StoredChannel,
} from "./config/schema.ts";
import { needsReconnect } from "./store/channel-file.ts";
import { CHANNEL_SECRETS } from "./store/sealed-channels.ts";
import { channelsTexts } from "./texts.ts";

const MAX_CHANNELS = 200;

export function createChannelRecords(state: ChannelsState): ResourceRecords<ChannelFields> {
  return {
    async page({ builtin, ...query }) {
      const asked = state.deps.stored.read().filter((row) => builtin === undefined || row.builtin === builtin);
      const { items, ...page } = toRecordPage(channels, asked, query, (a, b) => Number(b.builtin) - Number(a.builtin));
      return { items: items.map((row) => toView(state, row)), ...page };
    },
    get: async (id) => toView(state, getRow(state, id)),
    create: (draft) => createChannel(state, draft),
    change: (id, patch, { ifMatch }) => updateChannel(state, id, patch, ifMatch),
    remove: (id, { ifMatch }) => removeChannel(state, id, ifMatch),
  };
}

async function createChannel(state: ChannelsState, draft: ChannelDraft): Promise<ChannelView> {
  const { stored, secrets, events, clock } = state.deps;
  const { id = newId("ch", clock.now()), secrets: given, ...fields } = CHANNEL_SECRETS.unmasked(draft);
  const row = toNewRow(state, id, fields);
  secrets.check(row, given);
  await stored.update((all) => {
    if (all.length >= MAX_CHANNELS) throw channelsTexts.error("conflict", "full", { most: MAX_CHANNELS });
    if (all.some((one) => one.id.toLowerCase() === id.toLowerCase()))
      throw channelsTexts.error("conflict", "taken", { id }, { field: "id" });
    return [...all, row];
  });
  await secrets.store(row, given);
  events.publish(resourceChanged("channel", id, "created", 1));
  void apply(state, row, id);
  return toView(state, row);
}

function toNewRow(
  { deps: { links, clock }, validator }: ChannelsState,
  id: string,
  draft: Omit<ChannelDraft, "id" | "secrets">,
): StoredChannel {
  const { type } = draft;
  if (BUILT_IN.some((one) => one.type === type))
    throw channelsTexts.error("bad_request", "one_only", { type }, { field: "type" });
  validator.checkType(type);
  const adapter = links.findAdapter(type);
  const transport = draft.transport ?? adapter?.transports[0] ?? "webhook";
  validator.checkTransport(type, transport);
  const config = { ...adapter?.newSettings?.(id), ...draft.config };
  const at = new Date(clock.now()).toISOString();
  return {
    ...draft,
    id,
    type,
    transport,
    builtin: false,
    config: validator.toValidSettings(type, config, draft.config ?? {}),
    capabilities: { ...NO_CAPABILITIES, ...adapter?.capabilities, ...draft.capabilities },
    created_at: at,
    updated_at: at,
    revision: 1,
  };
}

export async function createFromPreset(
  state: ChannelsState,
  presetId: string,
  given: Partial<ChannelDraft>,
): Promise<ChannelView> {
  return createChannel(state, toDraft(getPresetDeps(state), presetId, given));
}

export async function updateChannel(
  state: ChannelsState,
  id: string,
  input: ChannelPatch,
  ifMatch?: number,
): Promise<ChannelView> {
  const { secrets, events } = state.deps;
  const old = getRow(state, id);
  const { secrets: given, ...patch } = CHANNEL_SECRETS.unmasked(input, old);
  checkRevision(old, ifMatch);
  const { type, transport } = validateType(state, old, patch);
  const row = await storeChange(state, id, (before) => {
    // Of two requests with the same revision, the second one is rejected here.
    checkRevision(before, ifMatch);
    const config = state.validator.mergeSettings(before, type, patch.config);
    secrets.check(withDefaults(state, { ...before, type, config }), given);
    const capabilities = { ...before.capabilities, ...patch.capabilities };
    return { ...before, ...patch, type, transport, config, capabilities };
  });
  await secrets.store(withDefaults(state, row), given);
  events.publish(resourceChanged("channel", id, "updated", row.revision));
  if (given !== undefined || needsReconnect(old, row)) void apply(state, row, id);
  else state.appliedById.set(id, row);
  return toView(state, row);
}

/** Returns the type and transport after a change; throws `bad_request` when they are unknown, or fixed for a built-in channel. */
function validateType({ validator }: ChannelsState, old: StoredChannel, patch: ChannelPatch) {
  const { type = old.type, transport = old.transport } = patch;
  if (old.builtin && (type !== old.type || transport !== old.transport))
    throw channelsTexts.error("bad_request", "built_in_kept", {}, { field: "type" });
  if (type !== old.type) validator.checkType(type);
  validator.checkTransport(type, transport);
  return { type, transport };
}

async function removeChannel(state: ChannelsState, id: string, ifMatch?: number): Promise<void> {
  const { stored, secrets, events } = state.deps;
  if (getRow(state, id).builtin) throw channelsTexts.error("bad_request", "built_in", { id });
  await stored.update((all) => {
    const before = all.find((one) => one.id === id);
    if (!before) throw notFound("channel", id);
    checkRevision(before, ifMatch);
    return all.filter((one) => one.id !== id);
  });
  await secrets.removeAll(id);
  events.publish(resourceChanged("channel", id, "deleted"));
  await apply(state, undefined, id);
}

export async function toggleChannel(state: ChannelsState, id: string, wanted: boolean | undefined) {
  const { links, events } = state.deps;
  const old = getRow(state, id);
  const enabled = wanted ?? !old.enabled;
  if (enabled === old.enabled) return { id, enabled, status: links.status(old) };
  const row = await storeChange(state, id, (before) => ({ ...before, enabled }));
  events.publish(resourceChanged("channel", id, "toggled", row.revision));
  await apply(state, row, id);
  return { id, enabled, status: links.status(row) };
}

async function storeChange(
  { deps: { stored, clock } }: ChannelsState,
  id: string,
  change: (row: StoredChannel) => StoredChannel,
): Promise<StoredChannel> {
  const updated_at = new Date(clock.now()).toISOString();
  let changed: StoredChannel | undefined;
  await stored.update((all) => {
    // This may run several times, and the row may be missing in a later one.
    changed = undefined;
    return all.map((row) => {
      if (row.id !== id) return row;
      changed = { ...change(row), updated_at, revision: row.revision + 1 };
      return changed;
    });
  });
  if (!changed) throw notFound("channel", id);
  return changed;
}
