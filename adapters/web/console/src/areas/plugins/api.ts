import type { PluginStatus } from "@parley/core";
import { api, type Listed } from "../../shared/api/client.ts";

export const plugins = {
  list: () => api.get<Listed<PluginStatus>>("/api/plugins"),
  change: (id: string, patch: { readonly enabled?: boolean; readonly config?: Readonly<Record<string, unknown>> }) =>
    api.put(`/api/plugins/${id}`, patch),
};
