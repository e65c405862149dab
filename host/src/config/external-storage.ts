import { BUNDLED_PLUGINS } from "../plugins/first-party.ts";
import type { Configuration } from "./configuration.ts";

/** Returns the package that stores the rows instead of the data folder's storage; undefined when none does. */
export function findExternalStorage({ plugins }: Pick<Configuration, "plugins">): string | undefined {
  const storage = plugins.find(({ id, enabled }) => id === "storage" && enabled);
  return storage?.package === BUNDLED_PLUGINS.storage ? undefined : storage?.package;
}
