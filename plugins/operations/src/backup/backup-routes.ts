import {
  type Backups,
  isPerson,
  type LiveEvents,
  type RestoreInstructions,
  type RouteTable,
  rawReply,
  resourceChanged,
  route,
  type StoredBackup,
} from "@parley/core";
import {
  answerFields,
  attachmentNamed,
  deletedData,
  bytes as fileBytes,
  itemFailureFields,
  listData,
  listQuery,
  shape,
  toPage,
} from "@parley/core/http";
import { operationsTexts } from "../texts.ts";
import { BACKUPS } from "./backup-job.ts";

const { id, text, time, flag, count, texts, orNull, listOf } = answerFields;
const itemFailure = shape(itemFailureFields, "Said");
const way = shape<RestoreInstructions>(
  { commands: texts, is_container: flag, aside: orNull(text), rows_in: orNull(text) },
  "RestoreWay",
);
const backup = shape<StoredBackup>(
  {
    id,
    folder: text,
    created_at: time,
    problem: orNull(itemFailure),
    product_version: orNull(text),
    files: count,
    databases: count,
    bytes: count,
    missing: listOf(itemFailure),
    restore: orNull(way),
  },
  "Backup",
);

const ARCHIVE_TYPE = "application/gzip";

/** Routes to list, check, download and delete the backups of the data folder. */
export function createBackupRoutes(backups: () => Backups, events: LiveEvents): RouteTable {
  const path = "/api/backups";
  return [
    route({
      method: "GET",
      path,
      summary: "list backups, newest first, with the command that restores each",
      data: listData(backup),
      scope: "admin",
      query: listQuery({}),
      run: async ({ query }) => toPage(await backups().list(), query),
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
      method: "GET",
      path: `${path}/{backup_id}/download`,
      summary: "a backup as a compressed archive; unpacked, `restore` accepts its folder",
      data: { [ARCHIVE_TYPE]: fileBytes },
      reply: "raw",
      scope: "admin",
      async run({ params, caller }) {
        const body = await backups().pack(params.backup_id);
        // A backup contains password hashes and the key of all secrets, so that its holder can impersonate any account.
        if (!isPerson(caller)) {
          body.destroy();
          throw operationsTexts.error("permission_denied", "person_for_backup");
        }
        const headers = {
          "content-disposition": attachmentNamed(`${params.backup_id}.tar.gz`),
          "cache-control": "no-store",
        };
        return rawReply({ body, type: ARCHIVE_TYPE, headers });
      },
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
