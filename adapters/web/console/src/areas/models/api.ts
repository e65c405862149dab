import { api, type Listed } from "../../shared/api/client.ts";

/** A model as it is set up (what the console shows and changes of it). */
export interface ModelSettings {
  readonly name: string;
  readonly purpose: string;
  readonly protocol: string;
  readonly base_url: string;
  readonly append_base_url_path: boolean;
  readonly model: string;
  readonly api_key_env: string | null;
  readonly temperature: number;
  readonly top_p: number;
  readonly frequency_penalty: number;
  readonly presence_penalty: number;
  readonly max_tokens: number;
  readonly max_context_length: number;
  readonly timeout_s: number;
  readonly retry_count: number;
  readonly input_price: number;
  readonly output_price: number;
  readonly failover_timeout_s: number;
  readonly token_limit_daily: number;
  readonly token_limit_weekly: number;
  readonly system_prompt: string;
  readonly supports_tools: boolean;
  readonly supports_reasoning: boolean;
  readonly supports_stream: boolean;
}

export interface Model extends ModelSettings {
  readonly id: string;
  readonly enabled: boolean;
  readonly is_active: boolean;
  readonly has_api_key: boolean;
  readonly api_key_masked: string;
}

export interface Protocol {
  readonly id: string;
  readonly name: string;
  readonly purposes: readonly string[];
  readonly default_base_url: string;
  readonly key_env: string | null;
}

export interface Purpose {
  readonly id: string;
  readonly name: string;
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** What a try of a connection came to; a failed one is an answer, not an error. */
export interface Trial {
  readonly ok: boolean;
  readonly elapsed_ms: number;
  readonly status_code: number | null;
  readonly category: string | null;
  readonly detail: string | null;
  readonly sample?: string;
}

/** How a model did lately, and what it has used. */
export interface Health {
  readonly state: "healthy" | "cooling" | "exhausted" | "disabled";
  readonly last_error: { readonly category: string; readonly detail: string } | null;
  readonly last_success_at: string | null;
  readonly cooldown_until: string | null;
  readonly token_usage: { readonly daily: number; readonly weekly: number };
}

interface Queued {
  readonly model_id: string;
  readonly health: Health;
}

interface UsageOfMonth {
  readonly total: { readonly total_tokens: number; readonly requests: number; readonly cost: number | null };
  readonly history: readonly {
    readonly date: string;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost: number | null;
  }[];
}

/** The model that answers conversations, and why it is this one. */
export interface EffectiveModel {
  readonly model_id: string | null;
  readonly model: string | null;
  readonly protocol: string | null;
  readonly source: string | null;
}

type Draft = Partial<ModelSettings> & { readonly api_key?: string };
type Connection = Pick<Draft, "protocol" | "base_url" | "model" | "api_key" | "api_key_env">;

const base = "/api/ai-models";

export const models = {
  list: () => api.get<Listed<Model>>(`${base}?limit=500`),
  protocols: () => api.get<Listed<Protocol>>(`${base}/protocols`),
  purposes: () => api.get<Listed<Purpose>>(`${base}/purposes`),
  effective: () => api.get<{ readonly effective: EffectiveModel }>("/api/ai-config"),
  create: (draft: Draft) => api.post<Model>(base, draft),
  update: (id: string, draft: Draft) => api.put<Model>(`${base}/${id}`, draft),
  remove: (id: string) => api.remove(`${base}/${id}`),
  apply: (id: string) => api.post(`${base}/${id}/apply`),
  toggle: (id: string) => api.post(`${base}/${id}/toggle`),
  clone: (id: string) => api.post<Model>(`${base}/${id}/clone`),
  test: (id: string) => api.post<Trial>(`${base}/${id}/test`),
  ask: (id: string, prompt: string) => api.post<Trial>(`${base}/${id}/test`, { prompt, timeout_s: 120 }),
  queue: (purpose: string) => api.get<Listed<Queued>>(`${base}/failover-queue/${purpose}`),
  reorder: (purpose: string, priorities: readonly { readonly id: string; readonly priority: number }[]) =>
    api.post(`${base}/failover-reorder`, { purpose, priorities }),
  reset: (id: string) => api.post(`${base}/failover-reset`, { model_id: id }),
  usage: () => api.get<UsageOfMonth>("/api/tokens?date_range=30d"),
  testConnection: (connection: Connection) => api.post<Trial>("/api/ai-config/test", connection),
};
