import {
  answered,
  type Backups,
  deletedData,
  itemFailureFields,
  type KeptBackup,
  type LiveEvents,
  listData,
  listOf,
  listQuery,
  type RestoreWay,
  type RouteTable,
  resourceChanged,
  route,
  shape,
} from "@parley/core";
import { BACKUPS } from "./backup-job.ts";

const { id, text, time, flag, count, texts, orNull, listOf: manyOf } = answered;
const itemFailure = shape(itemFailureFields, "Said");
const way = shape<RestoreWay>(
  { commands: texts, is_container: flag, aside: orNull(text), rows_in: orNull(text) },
  "RestoreWay",
);
const backup = shape<KeptBackup>(
  {
    id,
    folder: text,
    created_at: time,
    problem: orNull(itemFailure),
    product_version: orNull(text),
    files: count,
    databases: count,
    bytes: count,
    missing: manyOf(itemFailure),
    restore: orNull(way),
  },
  "Backup",
);

/** The backups of the data folder: what there is, whether it is whole, and away with one. */
export function backupRoutes(backups: () => Backups, events: LiveEvents): RouteTable {
  const path = "/api/backups";
  return [
    route({
      method: "GET",
      path,
      summary: "backups, newest first, with how each is restored",
      data: listData(backup),
      scope: "admin",
      query: listQuery({}),
      run: async ({ query }) => listOf(await backups().list(), query),
    }),
    route({
      method: "POST",
      path: `${path}/{backup_id}/check`,
      summary: "read all of a backup, as a restore would",
      data: shape({ id, problem: orNull(itemFailure) }),
      scope: "admin",
      timeoutMs: 3_600_000,
      run: async ({ params }) => ({ id: params.backup_id, problem: await backups().check(params.backup_id) }),
    }),
    route({
      method: "DELETE",
      path: `${path}/{backup_id}`,
      summary: "delete a backup",
      data: deletedData,
      scope: "admin",
      async run({ params }) {
        await backups().remove(params.backup_id);
        events.publish(resourceChanged(BACKUPS, params.backup_id, "deleted"));
        return { id: params.backup_id, deleted: true };
      },
    }),
  ];
}
