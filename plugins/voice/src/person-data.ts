import { type Database, derivedId, type Files, type PersonData, type RecordPart } from "@parley/core";
import type { VoiceTables } from "./tables.ts";

const PAGE_SIZE = 500;
const MAX_RECORDINGS = 20;

export interface PersonDataDeps {
  readonly database: () => Database;
  readonly files: () => Pick<Files, "remove">;
}

/** Creates the export and erasure of personal data: recordings of the person, and speech generated only for them. */
export function createPersonDataPart({ database, files }: PersonDataDeps): RecordPart {
  return {
    id: "voice.of-person",
    of: "person",
    tables: ["spoken", "spoken_uses", "heard"].map((table) => ({ table, isKept: true })),
    async erase(person) {
      const tables = database().tables<VoiceTables>();
      const spoken = await listSpokenTo(database(), person);
      for (const { key, filename } of spoken) {
        await files().remove(filename);
        await database().write([
          { query: tables.deleteFrom("spoken").where("key", "=", key) },
          { query: tables.deleteFrom("spoken_uses").where("key", "=", key) },
        ]);
      }
      const ids = person.traces.flatMap((trace) =>
        Array.from({ length: MAX_RECORDINGS }, (_, index) => derivedId("heard", trace, String(index))),
      );
      for (let at = 0; at < ids.length; at += PAGE_SIZE) {
        await database().write([
          { query: tables.deleteFrom("heard").where("id", "in", ids.slice(at, at + PAGE_SIZE)) },
        ]);
      }
      return spoken.length;
    },
  };
}

async function listSpokenTo(database: Database, { sessions, sharedSessions, files }: PersonData) {
  const tables = database.tables<VoiceTables>();
  const uses = await tables.selectFrom("spoken_uses").selectAll().execute();
  const rows = await tables.selectFrom("spoken").select(["key", "filename"]).execute();
  const [own, shared] = [new Set(sessions), new Set(sharedSessions)];
  const usesByKey = Map.groupBy(uses, ({ key }) => key);
  return rows.filter(({ key, filename }) => {
    const users = usesByKey.get(key) ?? [];
    const isAnswer = files.some((url) => url.endsWith(`/${filename}`));
    const isOthers = users.some(({ session_id: id }) => !own.has(id) && !(isAnswer && shared.has(id)));
    return !isOthers && (isAnswer || users.length > 0);
  });
}
