import { api, type Listed } from "./client.ts";

export const CAPABILITIES = [
  "supports_stream",
  "supports_progress_updates",
  "supports_file_send",
  "supports_stop",
  "supports_tools",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly transport: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly builtin: boolean;
  readonly config: Readonly<Record<string, unknown>>;
  readonly capabilities: Readonly<Partial<Record<Capability, boolean>>>;
  readonly webhook_path: string | null;
  readonly config_schema: object | null;
  readonly missing_variables: readonly string[];
  readonly status: {
    readonly state: "running" | "stopped" | "starting" | "error" | "disabled";
    readonly connected: boolean;
    readonly last_error: string | null;
    readonly last_inbound_at: string | null;
    readonly last_outbound_at: string | null;
    readonly warnings: readonly string[];
  };
}

export const TRANSPORTS = ["webhook", "websocket", "bridge", "polling"] as const;

export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** What is made of it, unless told otherwise. */
  readonly channel: { readonly id: string; readonly name: string };
  readonly installed: boolean;
}

export interface ChannelDraft {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Without it: the first one that the type has. */
  readonly transport?: string;
  readonly config?: object;
}

/** What the platform says about the address that it was given. */
export interface RegisteredWebhook {
  readonly webhook_url: string;
  readonly result: {
    readonly pending_update_count: number;
    /** Unix seconds. */
    readonly last_error_date?: number;
    readonly last_error_message?: string;
  };
}

export interface ChannelPatch {
  readonly name?: string;
  readonly description?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly capabilities?: Readonly<Partial<Record<Capability, boolean>>>;
}

const path = "/api/channels";

export const channels = {
  list: () => api.get<Listed<Channel>>(`${path}?limit=500`),
  presets: () => api.get<Listed<Preset>>(`${path}/presets?limit=500`),
  fromPreset: (preset: string, given: { readonly id: string; readonly name: string; readonly description: string }) =>
    api.post<Channel>(`${path}/presets/${preset}`, given),
  create: (draft: ChannelDraft) => api.post<Channel>(path, draft),
  update: (id: string, patch: ChannelPatch) => api.put<Channel>(`${path}/${id}`, patch),
  remove: (id: string) => api.remove(`${path}/${id}`),
  toggle: (id: string, enabled: boolean) => api.post(`${path}/${id}/toggle`, { enabled }),
  /** What the platform said to a text that was sent past the queue. */
  test: (
    id: string,
    message: { readonly conversation_id: string; readonly text: string; readonly is_group: boolean },
  ) =>
    api.post<{ readonly platform_message_id: string | null; readonly quality: string }>(
      `${path}/${id}/test-message`,
      message,
    ),
  setWebhook: (id: string, webhook_url: string) =>
    api.post<RegisteredWebhook>(`${path}/imB/${id}/set-webhook`, { webhook_url }),
};
