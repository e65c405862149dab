import { FIRST_PARTY } from "../plugins/first-party.ts";
import type { Configuration } from "./configuration.ts";

/** The package that keeps the rows, where that is not the one that keeps them in the data folder. */
export function findExternalStorage({ plugins }: Pick<Configuration, "plugins">): string | undefined {
  const storage = plugins.find(({ id, enabled }) => id === "storage" && enabled);
  return storage?.package === FIRST_PARTY.storage ? undefined : storage?.package;
}
