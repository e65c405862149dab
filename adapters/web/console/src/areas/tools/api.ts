import type { Localized } from "@parley/core";
import { api, findById, type Listed } from "../../shared/api/client.ts";
import type { HttpImplementation, StaticImplementation } from "../../shared/tools/request-draft.ts";

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
  readonly help: Localized | null;
  readonly is_offered: boolean;
  readonly revision: number;
}

export interface ToolTrialResult {
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

const toolPath = (id: string) => `/api/tools/${encodeURIComponent(id)}`;

export const tools = {
  list: () => api.get<Listed<Tool>>("/api/tools?limit=500"),
  create: (draft: object) => api.post<Tool>("/api/tools", draft),
  get: async (id: string): Promise<Tool> => findById(await tools.list(), id),
  update: (id: string, patch: object, ifMatch: number | undefined) =>
    api.call<Tool>("put", toolPath(id), { body: patch, ifMatch }),
  remove: (id: string) => api.remove(toolPath(id)),
  toggle: (id: string, enabled: boolean) => api.post(`${toolPath(id)}/toggle`, { enabled }),
  attempt: (body: object) => api.post<ToolTrialResult>("/api/tools/try", body),
};
