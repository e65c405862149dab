import { api, type Listed } from "../../shared/api/client.ts";

export interface HttpImplementation {
  readonly type: "http";
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly headers_env: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: string | object;
  readonly response_path: string;
  readonly timeout_s: number;
  readonly max_length: number;
  readonly error_message: string;
}
export interface StaticImplementation {
  readonly type: "static";
  readonly result: string;
}

export interface Tool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly implementation: HttpImplementation | StaticImplementation | { readonly type: "builtin" };
  readonly requires_confirm: boolean;
  readonly builtin: boolean;
  readonly source: "custom" | "builtin" | "plugin";
  readonly group: string | null;
  readonly is_offered: boolean;
}

export interface Trial {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  } | null;
  readonly status: number | null;
  readonly result: string | null;
  readonly error: { readonly code: string; readonly error: string } | null;
  readonly duration_ms: number;
}

const at = (id: string) => `/api/tools/${encodeURIComponent(id)}`;

export const tools = {
  list: () => api.get<Listed<Tool>>("/api/tools?limit=500"),
  create: (draft: object) => api.post<Tool>("/api/tools", draft),
  update: (id: string, patch: object) => api.put<Tool>(at(id), patch),
  remove: (id: string) => api.remove(at(id)),
  toggle: (id: string, enabled: boolean) => api.post(`${at(id)}/toggle`, { enabled }),
  attempt: (body: object) => api.post<Trial>("/api/tools/try", body),
};
