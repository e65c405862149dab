import { rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { type ItemFailure, unfinishedMove } from "@parley/core";
import type { Configuration } from "../configuration.ts";
import { FIRST_PARTY } from "../first-party.ts";
import { declaredSteps } from "../migrate/declared-steps.ts";
import { keptBy } from "../migrate/ends.ts";
import { moveRows } from "../migrate/move-rows.ts";
import { openRows, readStored } from "../migrate/open-rows.ts";
import { ownersIn, withAllPlugins } from "../migrate/plan-move.ts";
import { begunWith, endMove } from "../migrate/progress.ts";

/** What a process leaves where it worked. */
const OF_A_PROCESS = ["instance.json", "instance.lock"];

/**
 * The rows that a server has, as databases in the folder `into`, where a storage in files would look for them: those of one
 * moment, compared. Gives sentences about tables that are left out because no plugin here has them.
 */
export async function rowsAsFiles(configuration: Configuration, into: string): Promise<readonly ItemFailure[]> {
  const left: ItemFailure[] = [];
  await readStored(configuration, async ({ main, ownTables = [] }) => {
    if ((await begunWith(main)) !== undefined) throw unfinishedMove("the database");
    const owners = await ownersIn(main);
    const declared = await declaredSteps(withAllPlugins(configuration), owners);
    await using files = await openRows({ ...keptBy(configuration, FIRST_PARTY.storage as string), data: into });
    const { databases } = files;
    const opened = (file: string) => databases.open(placeOf(file, configuration.data, into));
    await moveRows({
      sources: [{ database: main, ownTables }],
      declared,
      target: databases,
      opened,
      copied() {},
      passedOver: (sentence) => left.push(sentence),
    });
    const others = new Set(declared.steps.flatMap(({ file }) => file ?? []));
    for (const file of others) await endMove(await opened(file));
    await endMove(databases.main);
  });
  for (const name of OF_A_PROCESS) await rm(join(into, name), { force: true });
  return left;
}

/** Where it is in the data folder; what would be kept elsewhere goes beside the main one. */
export function placeOf(file: string, data: string, into: string): string {
  const path = relative(data, file);
  return join(into, path.startsWith("..") ? basename(file) : path);
}
