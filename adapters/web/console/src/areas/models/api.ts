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
  testConnection: (connection: Connection) => api.post<Trial>("/api/ai-config/test", connection),
};
