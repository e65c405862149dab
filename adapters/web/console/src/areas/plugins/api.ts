import { findById, parley } from "../../shared/api/client.ts";
import { toReloadError } from "../../shared/ui/feedback/reload.tsx";

export const plugins = {
  list: () => parley.get("/api/plugins"),
  get: async (id: string) => findById(await plugins.list(), id),
  change: (
    id: string,
    body: { readonly enabled?: boolean; readonly config?: Readonly<Record<string, unknown>> },
    ifMatch?: number,
  ) => parley.put("/api/plugins/{id}", { path: { id }, body, ifMatch }),
  remove: (id: string) => parley.delete("/api/plugins/{id}", { path: { id } }),
  /** Reloads plugins without losing messages; rejects with the reason why one does not start. */
  async reload(packages?: readonly string[]) {
    const { failed } = await parley.post("/api/system/reload-core", { body: packages ? { packages } : {} });
    const [first] = failed;
    if (first) throw toReloadError(first);
  },
};
