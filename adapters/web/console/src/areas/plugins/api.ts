import { parley } from "../../shared/api/client.ts";

export const plugins = {
  list: () => parley.get("/api/plugins"),
  change: (id: string, body: { readonly enabled?: boolean; readonly config?: Readonly<Record<string, unknown>> }) =>
    parley.put("/api/plugins/{id}", { path: { id }, body }),
};
