import {
  AppError,
  type ChannelStatus,
  type Channels,
  type Clock,
  checkRevision,
  explained,
  type Gateway,
  type List,
  type LiveEvents,
  listOf,
  newId,
  notFound,
  type Page,
  pageOfHeld,
  type ResourceRecords,
  resourceChanged,
  type SpeakOrder,
} from "@parley/core";
import { needsAnew } from "./channel-file.ts";
import type { KeptSecrets } from "./kept-secrets.ts";
import type { Links } from "./links.ts";
import { draftOf, presetsFor } from "./presets.ts";
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
} from "./records.ts";
import type { NoteRefusal } from "./refusals.ts";
import { channelFailure } from "./said-failures.ts";
import { CHANNEL_SECRETS, type SealedRows } from "./sealed-rows.ts";
import { checkedSettings, namedVariables, settingsSchema, webhookPath } from "./settings.ts";
import { createTrials, type Trials } from "./trials.ts";
import { createWanted } from "./wanted.ts";

const MAX_CHANNELS = 200;

export interface ChannelRows extends Channels {
  readonly records: ResourceRecords<ChannelFields>;
  toggle(
    id: string,
    enabled?: boolean,
  ): Promise<{ readonly id: string; readonly enabled: boolean; readonly status: ChannelStatus }>;
  sendTest(id: string, test: TestMessage, order: SpeakOrder, signal: AbortSignal): ReturnType<Trials["send"]>;
  /** With other settings and secrets than those that are stored, where some are given. */
  check(id: string, given: CheckDraft, signal: AbortSignal): ReturnType<Trials["check"]>;
  presets(page: Page): List<object>;
  createPreset(presetId: string, given: Partial<ChannelDraft>): Promise<ChannelView>;
  /** Opens what is enabled; afterwards hand edits of the file are noticed by `refresh`. */
  start(): void;
  /** Keeps apart the secrets that stand in the file in clear. */
  sealAll(): Promise<void>;
  refresh(): void;
  /** This node works for the channel from now on: its connection is opened where another node had it. */
  claimed(id: string): void;
  /** Another node is to work for the channel: its connection ends here. */
  released(id: string): Promise<void>;
}

export interface ChannelRowsParts {
  readonly stored: SealedRows;
  readonly links: Links;
  readonly events: LiveEvents;
  readonly clock: Clock;
  readonly secrets: KeptSecrets;
  readonly noteRefusal: NoteRefusal;
  /** Why nothing of a channel is taken now. */
  readonly busy: Gateway["busy"];
}

export function createChannels({
  stored,
  links,
  events,
  clock,
  secrets,
  noteRefusal,
  busy,
}: ChannelRowsParts): ChannelRows {
  let applied = new Map<string, StoredChannel>();
  const rows = stored.read;
  const find = (id: string) => {
    const row = rows().find((one) => one.id === id);
    if (!row) throw notFound("channel", id);
    return row;
  };
  const wanted = createWanted(links);
  const trials = createTrials({ links, secrets, clock });
  /** With the defaults of settings that the file leaves out. */
  const completed = <Row extends StoredChannel>(row: Row): Row => ({
    ...row,
    config: checkedSettings(links.adapterFor(row.type), row.type, row.config).value,
  });
  const view = (row: StoredChannel): ChannelView => {
    const adapter = links.adapterFor(row.type);
    const variables = secrets.named(completed(row));
    const isNamed = new Set(namedVariables(row.config).map((one) => one.name));
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
    if (row) applied.set(id, row);
    else applied.delete(id);
    return links.apply(row, id);
  };
  const put = async (id: string, change: (row: StoredChannel) => StoredChannel) => {
    let changed: StoredChannel | undefined;
    await stored.update((all) =>
      all.map((row) => {
        if (row.id !== id) return row;
        changed = { ...change(row), updated_at: now(), revision: row.revision + 1 };
        return changed;
      }),
    );
    if (!changed) throw notFound("channel", id);
    return changed;
  };

  const create = async (draft: ChannelDraft): Promise<ChannelView> => {
    const { id = newId("ch", clock.now()), type, secrets: given, ...rest } = CHANNEL_SECRETS.unmasked(draft);
    if (BUILT_IN.some((one) => one.type === type))
      throw channelFailure("bad_request", "one_only", { type }, { field: "type" });
    wanted.checkType(type);
    const adapter = links.adapterFor(type);
    const config = { ...adapter?.newSettings?.(id), ...rest.config };
    const transport = draft.transport ?? adapter?.transports[0] ?? "webhook";
    wanted.checkTransport(type, transport);
    const row: StoredChannel = {
      ...rest,
      id,
      type,
      transport,
      builtin: false,
      config: wanted.settings(type, config, rest.config ?? {}),
      capabilities: { ...NO_CAPABILITIES, ...adapter?.capabilities, ...draft.capabilities },
      created_at: now(),
      updated_at: now(),
      revision: 1,
    };
    secrets.check(row, given);
    await stored.update((all) => {
      if (all.length >= MAX_CHANNELS) throw channelFailure("conflict", "full", { most: MAX_CHANNELS });
      if (all.some((one) => one.id.toLowerCase() === id.toLowerCase()))
        throw channelFailure("conflict", "taken", { id }, { field: "id" });
      return [...all, row];
    });
    await secrets.store(row, given);
    events.publish(resourceChanged("channel", id, "created", 1));
    void apply(row, id);
    return view(row);
  };

  const update = async (id: string, sent: ChannelPatch, ifMatch?: number): Promise<ChannelView> => {
    const old = find(id);
    const { secrets: given, ...patch } = CHANNEL_SECRETS.unmasked(sent, old);
    checkRevision(old, ifMatch);
    if (
      old.builtin &&
      ((patch.type ?? old.type) !== old.type || (patch.transport ?? old.transport) !== old.transport)
    ) {
      throw channelFailure("bad_request", "built_in_kept", {}, { field: "type" });
    }
    const type = patch.type ?? old.type;
    const transport = patch.transport ?? old.transport;
    if (type !== old.type) wanted.checkType(type);
    wanted.checkTransport(type, transport);
    const row = await put(id, (before) => {
      // Of two that saw the same, the second one finds out here.
      checkRevision(before, ifMatch);
      const config = wanted.changed(before, type, patch.config);
      secrets.check(completed({ ...before, type, config }), given);
      return {
        ...before,
        ...patch,
        type,
        transport,
        config,
        capabilities: { ...before.capabilities, ...patch.capabilities },
      };
    });
    await secrets.store(completed(row), given);
    events.publish(resourceChanged("channel", id, "updated", row.revision));
    if (given !== undefined || needsAnew(old, row)) void apply(row, id);
    else applied.set(id, row);
    return view(row);
  };

  const records: ResourceRecords<ChannelFields> = {
    async page({ builtin, ...query }) {
      const asked = rows().filter((row) => builtin === undefined || row.builtin === builtin);
      const { items, ...page } = pageOfHeld(channels, asked, query, (a, b) => Number(b.builtin) - Number(a.builtin));
      return { items: items.map(view), ...page };
    },
    get: async (id) => view(find(id)),
    create,
    change: (id, patch, { ifMatch }) => update(id, patch, ifMatch),
    async remove(id, { ifMatch }) {
      const row = find(id);
      checkRevision(row, ifMatch);
      if (row.builtin) throw channelFailure("bad_request", "built_in", { id });
      await stored.update((all) => all.filter((one) => one.id !== id));
      await secrets.forget(id);
      events.publish(resourceChanged("channel", id, "deleted"));
      await apply(undefined, id);
    },
  };

  return {
    get: (id) => rows().find((row) => row.id === id),
    list: rows,
    link: (id) => links.link(id),
    secret: (id, variable) => secrets.value(completed(find(id)), variable),
    status: (id) => links.status(find(id)),
    busy(id, address) {
      const found = busy(id);
      if (!found) return undefined;
      const refusal = { code: "unavailable", message: found.reason, cause: "queue_full" } as const;
      return { ...found, traceId: noteRefusal({ id, enabled: true }, address, refusal) };
    },
    refused(id, address, error) {
      const row = rows().find((one) => one.id === id);
      const isServed = row === undefined || links.serves(row.type);
      const known = isServed ? error : new AppError(error.code, error.message, { cause: "missing_parser" });
      return noteRefusal(row, address, known);
    },
    configure: async (id, settings) => void (await update(id, { config: settings })),
    async open(id) {
      const row = find(id);
      if (!row.enabled) throw explained("conflict", "channel_off", {});
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
      const row = await put(id, (before) => ({ ...before, enabled }));
      events.publish(resourceChanged("channel", id, "toggled", row.revision));
      await apply(row, id);
      return { id, enabled, status: links.status(row) };
    },
    sendTest: (id, test, order, signal) => trials.send(find(id), test, order, signal),
    check(id, sent, signal) {
      const row = find(id);
      const { config: changed, secrets: given } = CHANNEL_SECRETS.unmasked(sent, row);
      const config = wanted.changed(row, row.type, changed);
      return trials.check(completed({ ...row, config }), given, signal);
    },
    presets: (page) => listOf(presetsFor(links.adapters(), links.adapterFor), page),
    createPreset: async (presetId, given) => create(draftOf(links.adapters(), presetId, given)),
    sealAll: stored.sealAll,
    start() {
      applied = new Map(rows().map((row) => [row.id, row]));
      // Opening a channel may take long; the service does not wait for it.
      for (const row of rows()) void links.apply(row, row.id);
    },
    claimed(id) {
      const row = rows().find((one) => one.id === id);
      if (row?.enabled && !links.isOpen(id)) void links.ensure(row);
    },
    async released(id) {
      const row = rows().find((one) => one.id === id);
      // What comes by calls comes to every node.
      if (row && row.transport !== "webhook") await links.leave(id);
    },
    refresh() {
      const current = rows();
      for (const row of current) {
        const before = applied.get(row.id);
        if (!before || needsAnew(before, row)) void apply(row, row.id);
      }
      const ids = new Set(current.map(({ id }) => id));
      for (const id of [...applied.keys()]) if (!ids.has(id)) void apply(undefined, id);
    },
  };
}
