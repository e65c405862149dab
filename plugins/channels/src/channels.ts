import {
  AppError,
  type ChannelAdapter,
  type ChannelStatus,
  type Channels,
  type Clock,
  checkRevision,
  DeliveryError,
  type Gateway,
  type JsonFile,
  type List,
  type LiveEvents,
  listOf,
  newId,
  newTraceId,
  notFound,
  type Page,
  pageOfHeld,
  type Receipt,
  type ResourceRecords,
  resourceChanged,
  sessionIdOf,
  type Transport,
} from "@parley/core";
import { type ChannelFile, withBuiltIn } from "./channel-file.ts";
import type { Links } from "./links.ts";
import { draftOf, presetsFor } from "./presets.ts";
import {
  BUILT_IN,
  type ChannelDraft,
  type ChannelFields,
  type ChannelPatch,
  channels,
  checkConfig,
  NO_CAPABILITIES,
  type StoredChannel,
  type TestMessage,
} from "./records.ts";
import type { NoteRefusal } from "./refusals.ts";
import { checkedSettings, missingVariables, settingsSchema } from "./settings.ts";

const MAX_CHANNELS = 200;

export interface ChannelView extends StoredChannel {
  readonly webhook_path: string | null;
  readonly status: ChannelStatus;
  /** JSON Schema of `config`; null when no installed package serves the type. */
  readonly config_schema: object | null;
  /** Environment variables that are named in `config` and not set. */
  readonly missing_variables: readonly string[];
}

export interface ChannelRows extends Channels {
  readonly records: ResourceRecords<ChannelFields>;
  toggle(
    id: string,
    enabled?: boolean,
  ): Promise<{ readonly id: string; readonly enabled: boolean; readonly status: ChannelStatus }>;
  /** Sends a text by the link itself, past the queue: what the platform says comes back at once. */
  sendTest(id: string, test: TestMessage, signal: AbortSignal): Promise<Receipt>;
  presets(page: Page): List<object>;
  createPreset(presetId: string, given: Partial<ChannelDraft>): Promise<ChannelView>;
  /** Opens what is enabled; afterwards hand edits of the file are noticed by `refresh`. */
  start(): Promise<void>;
  refresh(): void;
}

export interface ChannelRowsParts {
  readonly file: JsonFile<ChannelFile>;
  readonly links: Links;
  readonly events: LiveEvents;
  readonly clock: Clock;
  /** Whether an environment variable has a value. */
  readonly isSet: (variable: string) => boolean;
  readonly noteRefusal: NoteRefusal;
  /** Why nothing of a channel is taken now. */
  readonly busy: Gateway["busy"];
}

export function createChannels({
  file,
  links,
  events,
  clock,
  isSet,
  noteRefusal,
  busy,
}: ChannelRowsParts): ChannelRows {
  let applied = new Map<string, StoredChannel>();
  const rows = (): readonly StoredChannel[] => withBuiltIn(file.read().channels);
  const find = (id: string) => {
    const row = rows().find((one) => one.id === id);
    if (!row) throw notFound("channel", id);
    return row;
  };
  const view = (row: StoredChannel): ChannelView => ({
    ...row,
    webhook_path: webhookPath(row, links.adapterFor(row.type)),
    status: links.status(row),
    config_schema: settingsSchema(links.adapterFor(row.type)),
    missing_variables: missingVariables(row.config, isSet),
  });
  const now = () => new Date(clock.now()).toISOString();
  const apply = (row: StoredChannel | undefined, id: string) => {
    if (row) applied.set(id, row);
    else applied.delete(id);
    return links.apply(row, id);
  };
  const store = async (change: (rows: readonly StoredChannel[]) => readonly StoredChannel[]) => {
    await file.update((content) => ({ ...content, channels: change(withBuiltIn(content.channels)) }));
  };
  const checkTransport = (type: string, transport: Transport) => {
    const adapter = links.adapterFor(type);
    if (adapter && !adapter.transports.includes(transport)) {
      throw new AppError("bad_request", `transport: channels of type '${type}' use ${adapter.transports.join(" or ")}`);
    }
  };
  const checkSettings = (type: string, config: Readonly<Record<string, unknown>>) => {
    checkConfig(config);
    const { value, error } = checkedSettings(links.adapterFor(type), type, config);
    if (error !== undefined) throw new AppError("bad_request", `config.${error}`);
    return value;
  };
  const put = async (id: string, change: (row: StoredChannel) => StoredChannel) => {
    let changed: StoredChannel | undefined;
    await store((all) =>
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
    const { id = newId("ch", clock.now()), type, ...rest } = draft;
    if (BUILT_IN.some((one) => one.type === type))
      throw new AppError("bad_request", `type: there is one '${type}' channel, and it is built in`);
    const adapter = links.adapterFor(type);
    const config = { ...adapter?.newSettings?.(id), ...draft.config };
    const transport = draft.transport ?? adapter?.transports[0] ?? "webhook";
    checkTransport(type, transport);
    const row: StoredChannel = {
      ...rest,
      id,
      type,
      transport,
      builtin: false,
      config: checkSettings(type, config),
      capabilities: { ...NO_CAPABILITIES, ...adapter?.capabilities, ...draft.capabilities },
      created_at: now(),
      updated_at: now(),
      revision: 1,
    };
    await store((all) => {
      if (all.length >= MAX_CHANNELS) throw new AppError("conflict", `there are ${MAX_CHANNELS} channels already`);
      if (all.some((one) => one.id.toLowerCase() === id.toLowerCase()))
        throw new AppError("conflict", `id: '${id}' is taken`);
      return [...all, row];
    });
    events.publish(resourceChanged("channel", id, "created", 1));
    void apply(row, id);
    return view(row);
  };

  const update = async (id: string, patch: ChannelPatch, ifMatch?: number): Promise<ChannelView> => {
    const old = find(id);
    checkRevision(old, ifMatch);
    if (
      old.builtin &&
      ((patch.type ?? old.type) !== old.type || (patch.transport ?? old.transport) !== old.transport)
    ) {
      throw new AppError("bad_request", "type: a built-in channel keeps its type and transport");
    }
    const type = patch.type ?? old.type;
    const transport = patch.transport ?? old.transport;
    checkTransport(type, transport);
    const fresh = links.adapterFor(type)?.newSettings?.(id) ?? {};
    // Another adapter, or a setting that is reset, begins like a new channel: never more open than one.
    const begun = type === old.type ? old.config : { ...fresh, ...old.config };
    const reset = Object.fromEntries(Object.entries(fresh).filter(([key]) => patch.config?.[key] === null));
    const config = patch.config
      ? checkSettings(type, { ...reset, ...withoutNulls({ ...begun, ...patch.config }) })
      : begun;
    const capabilities = { ...old.capabilities, ...patch.capabilities };
    const row = await put(id, (before) => ({ ...before, ...patch, type, transport, config, capabilities }));
    events.publish(resourceChanged("channel", id, "updated", row.revision));
    if (needsAnew(old, row)) void apply(row, id);
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
      if (row.builtin)
        throw new AppError("bad_request", `the built-in channel '${id}' can be switched off, not deleted`);
      await store((all) => all.filter((one) => one.id !== id));
      events.publish(resourceChanged("channel", id, "deleted"));
      await apply(undefined, id);
    },
  };

  return {
    get: (id) => rows().find((row) => row.id === id),
    list: rows,
    link: (id) => links.link(id),
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
      if (!row.enabled) throw new AppError("conflict", "the channel is switched off");
      if (links.isOpen(id)) return false;
      await links.apply(row, id);
      return true;
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
    async sendTest(id, { conversation_id, text, is_group }, signal) {
      const { enabled } = find(id);
      if (!enabled) throw new AppError("conflict", "the channel is switched off");
      const link = links.link(id);
      if (!link) throw new AppError("unavailable", links.status(find(id)).last_error ?? "the channel is not connected");
      const message = {
        deliveryId: newId("dlv", clock.now()),
        traceId: newTraceId(clock.now()),
        channelId: id,
        sessionId: sessionIdOf(id, conversation_id),
        conversation: { id: conversation_id, isGroup: is_group },
        text,
        attachments: [],
        part: 1,
        parts: 1,
      };
      try {
        await link.pace?.(message, signal);
        return await link.send(message, signal);
      } catch (error) {
        if (!DeliveryError.is(error)) throw error;
        throw new AppError("upstream_failed", `${error.message} (${error.failure})`, { cause: error });
      }
    },
    presets: (page) => listOf(presetsFor(links.adapterFor), page),
    createPreset: async (presetId, given) => create(draftOf(presetId, given)),
    async start() {
      applied = new Map(rows().map((row) => [row.id, row]));
      // Opening a channel may take long; the service does not wait for it.
      for (const row of rows()) void links.apply(row, row.id);
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

function needsAnew(before: StoredChannel, after: StoredChannel): boolean {
  const what = ({ type, transport, enabled, config }: StoredChannel) =>
    JSON.stringify([type, transport, enabled, config]);
  return what(before) !== what(after);
}

function withoutNulls(config: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}

/** The path its adapter gives; without one, the row that serves every channel. */
function webhookPath(row: StoredChannel, adapter: ChannelAdapter | undefined): string | null {
  if (row.transport !== "webhook") return null;
  return adapter?.webhookPath?.(row.id) ?? `/api/gateway/${row.id}/webhook`;
}
