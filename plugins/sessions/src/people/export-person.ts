import { collectPersonRows, type PersonData } from "@parley/core";
import { type ArchiveFile, writeArchive } from "@parley/core/archive";
import { fromMessageRow, fromSessionRow } from "../store/rows.ts";
import type { MessageTable, SessionTables } from "../store/tables.ts";
import { type ErasuresDeps, toPersonRowsOptions } from "./erasures.ts";

/** Builds a ZIP file of all data about a person. */
export async function exportPerson(deps: ErasuresDeps, person: PersonData): Promise<Uint8Array> {
  const files: ArchiveFile[] = [
    toJsonFile("person.json", {
      addresses: person.addresses.map(({ address }) => address),
      exported_at: getIsoNow(deps),
    }),
    toJsonFile("conversations.json", await exportConversations(deps, person)),
    toJsonFile("messages.json", await exportMessages(deps, person)),
  ];
  for (const [table, rows] of Object.entries(await collectPersonRows(toPersonRowsOptions(deps), person))) {
    files.push(toJsonFile(`tables/${table}.json`, rows));
  }
  for (const part of deps.personLifecycles()) files.push(...((await part.collect?.(person)) ?? []));
  return writeArchive(files);
}

function getIsoNow({ sessionDeps }: ErasuresDeps): string {
  return new Date(sessionDeps().clock.now()).toISOString();
}

function toJsonFile(name: string, value: unknown): ArchiveFile {
  return { name, bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`) };
}

async function exportConversations({ database, sessionDeps }: ErasuresDeps, { sessions, sharedSessions }: PersonData) {
  const tables = database().tables<SessionTables>();
  const rows = await Promise.all(
    [...sessions, ...sharedSessions].map((id) =>
      tables.selectFrom("sessions").selectAll().where("id", "=", id).executeTakeFirst(),
    ),
  );
  const shared = new Set(sharedSessions);
  return rows.flatMap((row) => {
    if (!row) return [];
    const { id, name, type, channel_id, created_at } = fromSessionRow(row, false, sessionDeps().clock.now());
    return [{ id, name, type, channel_id, created_at, is_with_others: shared.has(id) }];
  });
}

async function exportMessages({ database, sessionDeps }: ErasuresDeps, { sessions, messages }: PersonData) {
  const tables = database().tables<SessionTables>();
  const own = await Promise.all(
    sessions.map((id) =>
      tables.selectFrom("messages").selectAll().where("session_id", "=", id).orderBy("seq").execute(),
    ),
  );
  return [
    ...own.flat().map((row) => fromMessageRow(row as MessageTable)),
    ...(await sessionDeps().messages.byIds(messages)),
  ];
}
