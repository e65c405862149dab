import { type ArchiveFile, collectPersonRows, type PersonData, writeArchive } from "@parley/core";
import { fromMessageRow, fromSessionRow } from "../rows.ts";
import type { MessageTable, SessionTables } from "../tables.ts";
import { type ErasuresDeps, rowsOptions } from "./erasures.ts";

/** A ZIP of everything that is stored of a person. */
export async function exportPerson(deps: ErasuresDeps, person: PersonData): Promise<Uint8Array> {
  const files: ArchiveFile[] = [
    json("person.json", { addresses: person.addresses.map(({ address }) => address), exported_at: nowOf(deps) }),
    json("conversations.json", await conversationsOf(deps, person)),
    json("messages.json", await messagesOf(deps, person)),
  ];
  for (const [table, rows] of Object.entries(await collectPersonRows(rowsOptions(deps), person))) {
    files.push(json(`tables/${table}.json`, rows));
  }
  for (const part of deps.personParts()) files.push(...((await part.collect?.(person)) ?? []));
  return writeArchive(files);
}

function nowOf({ parts }: ErasuresDeps): string {
  return new Date(parts().clock.now()).toISOString();
}

function json(name: string, value: unknown): ArchiveFile {
  return { name, bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`) };
}

async function conversationsOf({ database, parts }: ErasuresDeps, { sessions, sharedSessions }: PersonData) {
  const tables = database().tables<SessionTables>();
  const rows = await Promise.all(
    [...sessions, ...sharedSessions].map((id) =>
      tables.selectFrom("sessions").selectAll().where("id", "=", id).executeTakeFirst(),
    ),
  );
  const shared = new Set(sharedSessions);
  return rows.flatMap((row) => {
    if (!row) return [];
    const { id, name, type, channel_id, created_at } = fromSessionRow(row, false, parts().clock.now());
    return [{ id, name, type, channel_id, created_at, is_with_others: shared.has(id) }];
  });
}

async function messagesOf({ database, parts }: ErasuresDeps, { sessions, messages }: PersonData) {
  const tables = database().tables<SessionTables>();
  const own = await Promise.all(
    sessions.map((id) =>
      tables.selectFrom("messages").selectAll().where("session_id", "=", id).orderBy("seq").execute(),
    ),
  );
  return [...own.flat().map((row) => fromMessageRow(row as MessageTable)), ...(await parts().messages.byIds(messages))];
}
