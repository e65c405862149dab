import { findById, MAX_LIMIT_QUERY, parley, type Shapes } from "./client.ts";
import { readWholeList } from "./list-pages.ts";

export type Channel = Shapes["Channel"];
export type Capability = keyof Channel["capabilities"];
export const CAPABILITIES = [
  "supports_stream",
  "supports_progress_updates",
  "supports_file_send",
  "supports_stop",
  "supports_tools",
] as const satisfies readonly Capability[];
export const TRANSPORTS = [
  "webhook",
  "websocket",
  "bridge",
  "polling",
] as const satisfies readonly Channel["transport"][];
export type Preset = Shapes["ChannelPreset"];
export type ChannelType = Shapes["ChannelType"];

export interface ChannelDraft {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Default: the first transport of the type. */
  readonly transport?: Channel["transport"];
  readonly config?: Channel["config"];
}

/** Secrets by variable; null deletes the stored one. */
export type Secrets = Readonly<Record<string, string | null>>;
export interface ChannelPatch
  extends Partial<Pick<Channel, "name" | "description" | "enabled" | "transport" | "config">> {
  readonly capabilities?: Partial<Channel["capabilities"]>;
  readonly secrets?: Secrets;
}

const CHANNELS_PATH = "/api/channels";
const CHANNEL_PATH = `${CHANNELS_PATH}/{channel_id}` as const;

export const channels = {
  list: () => readWholeList((page) => parley.get(CHANNELS_PATH, { query: page })),
  /** Fetches the message counts of the last seven days by channel, in both directions. */
  countMessages: async () => {
    const { items } = await parley.get("/api/stats/platforms", { query: { ...MAX_LIMIT_QUERY, period: "week" } });
    return new Map(items.map(({ channel_id, value }) => [channel_id, value]));
  },
  listPresets: () => parley.get(`${CHANNELS_PATH}/presets`, { query: MAX_LIMIT_QUERY }),
  /** Lists the installed channel types with what each can do. */
  listTypes: () => parley.get(`${CHANNELS_PATH}/types`, { query: MAX_LIMIT_QUERY }),
  createFromPreset: (preset_id: string, body: Pick<Channel, "id" | "name" | "description" | "enabled">) =>
    parley.post(`${CHANNELS_PATH}/presets/{preset_id}`, { path: { preset_id }, body }),
  create: (body: ChannelDraft) => parley.post(CHANNELS_PATH, { body }),
  get: async (id: string) => findById(await channels.list(), id),
  update: (channel_id: string, body: ChannelPatch, ifMatch: number | undefined) =>
    parley.put(CHANNEL_PATH, { path: { channel_id }, body, ifMatch }),
  remove: (channel_id: string) => parley.delete(CHANNEL_PATH, { path: { channel_id } }),
  setEnabled: (channel_id: string, enabled: boolean) =>
    parley.post(`${CHANNEL_PATH}/toggle`, { path: { channel_id }, body: { enabled } }),
  /** Tests the credentials at the platform, including unsaved ones, and returns the account they belong to. */
  checkCredentials: (channel_id: string, body: { readonly config: Channel["config"]; readonly secrets: Secrets }) =>
    parley.post(`${CHANNEL_PATH}/check`, { path: { channel_id }, body }),
  /** Sends a text at once, without the queue, and returns the platform's response. */
  sendTestMessage: (
    channel_id: string,
    body: { readonly conversation_id: string; readonly text: string; readonly is_group: boolean },
  ) => parley.post(`${CHANNEL_PATH}/test-message`, { path: { channel_id }, body }),
  /** Opens the connection of a polling channel anew. */
  startPolling: (channel_id: string) => parley.post(`${CHANNEL_PATH}/polling/start`, { path: { channel_id } }),
  setWebhook: (channel_id: string, webhook_url: string) =>
    parley.post(`${CHANNELS_PATH}/imB/{channel_id}/set-webhook`, { path: { channel_id }, body: { webhook_url } }),
};

/** The platform's response to a registered webhook. */
export type RegisteredWebhook = Awaited<ReturnType<typeof channels.setWebhook>>;
