import { rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { ItemFailure } from "@parley/core";
import { createIncompleteMigrationError } from "@parley/core/storage";
import type { Configuration } from "../config/configuration.ts";
import { collectDeclaredSteps } from "../migrate/declared-steps.ts";
import { moveRows } from "../migrate/move-rows.ts";
import { openRows, readSnapshot } from "../migrate/open-rows.ts";
import { readOwners, withAllPlugins } from "../migrate/plan-move.ts";
import { finishMove, readMoveIdentity } from "../migrate/progress.ts";
import { withStorage } from "../migrate/storages.ts";
import { BUNDLED_PLUGINS } from "../plugins/first-party.ts";

/** Files that a process leaves in its working folder. */
const PROCESS_FILES = ["instance.json", "instance.lock"];

/** Exports a server's rows as verified databases into `into`. Returns sentences about omitted tables. */
export async function exportRows(configuration: Configuration, into: string): Promise<readonly ItemFailure[]> {
  const missing: ItemFailure[] = [];
  await readSnapshot(configuration, async ({ main, ownTables = [] }) => {
    if ((await readMoveIdentity(main)) !== undefined) throw createIncompleteMigrationError("the database");
    const owners = await readOwners(main);
    const declared = await collectDeclaredSteps(withAllPlugins(configuration), owners);
    const inFiles = withStorage(configuration, BUNDLED_PLUGINS.storage as string);
    await using files = await openRows({ ...inFiles, data: into });
    const { databases } = files;
    const openTarget = (file: string) => databases.open(toExportPath(file, configuration.data, into));
    await moveRows({
      sources: [{ database: main, ownTables }],
      declared,
      target: databases,
      openFile: openTarget,
      onCopied() {},
      onSkipped: (sentence) => missing.push(sentence),
    });
    const others = new Set(declared.steps.flatMap(({ file }) => file ?? []));
    for (const file of others) await finishMove(await openTarget(file));
    await finishMove(databases.main);
  });
  for (const name of PROCESS_FILES) await rm(join(into, name), { force: true });
  return missing;
}

/** Returns the path of a database in the export, as in the data folder; an external one is placed next to the main one. */
export function toExportPath(file: string, data: string, into: string): string {
  const path = relative(data, file);
  return join(into, path.startsWith("..") ? basename(file) : path);
}
