import { AppError } from "@parley/core";
import type { Configuration } from "./configuration.ts";
import { FIRST_PARTY } from "./first-party.ts";

/** The package that keeps the rows, where that is not the one that keeps them in the data folder. */
export function keeperElsewhere({ plugins }: Pick<Configuration, "plugins">): string | undefined {
  const storage = plugins.find(({ id, enabled }) => id === "storage" && enabled);
  return storage?.package === FIRST_PARTY.storage ? undefined : storage?.package;
}

/** What works on the files of the data folder alone would leave the rows out, or take old ones for those of today. */
export function refuseElsewhere(configuration: Pick<Configuration, "plugins">, what: string): void {
  const keeper = keeperElsewhere(configuration);
  if (keeper === undefined) return;
  throw new AppError(
    "unavailable",
    `${what} rows in the data folder, and ${keeper} keeps them elsewhere: see its README`,
  );
}
