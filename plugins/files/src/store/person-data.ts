import { type Database, isStoredUrl, type PersonData, type PersonFile, type RecordPart } from "@parley/core";
import type { WorkspaceStore } from "../workspace/workspaces.ts";
import type { FileStore } from "./file-store.ts";
import type { FileTables } from "./tables.ts";

export interface PersonDataDeps {
  readonly database: () => Database;
  readonly files: Pick<FileStore, "find" | "open" | "remove">;
  readonly workspaces: Pick<WorkspaceStore, "removeSession">;
}

/** Collects or erases the files in a person's messages that nobody else uses; erasing removes the workspaces of the person's conversations, too. */
export function createPersonDataPart({ database, files, workspaces }: PersonDataDeps): RecordPart {
  const findOwnFiles = async (person: PersonData) => {
    const found = await Promise.all(person.files.filter(isStoredUrl).map((url) => files.find(url)));
    const others = await findNamesUsedByOthers(database(), person);
    return found.flatMap((file) => (file && !others.has(file.safeName) ? [file] : []));
  };
  return {
    id: "files.of-person",
    of: "person",
    tables: [
      { table: "files", isKept: true },
      { table: "file_uses", isKept: true },
    ],
    async erase(person) {
      const own = await findOwnFiles(person);
      for (const { id } of own) await files.remove(id);
      for (const id of person.sessions) await workspaces.removeSession(id);
      return own.length;
    },
    async collect(person) {
      const collected: PersonFile[] = [];
      for (const { id, safeName } of await findOwnFiles(person)) {
        collected.push({ name: `files/${safeName}`, bytes: await (await files.open(id)).bytes() });
      }
      return collected;
    },
  };
}

async function findNamesUsedByOthers(
  database: Database,
  { sessions, sharedSessions }: PersonData,
): Promise<ReadonlySet<string>> {
  const theirs = new Set([...sessions, ...sharedSessions]);
  const rows = await database.tables<FileTables>().selectFrom("file_uses").selectAll().execute();
  return new Set(rows.filter(({ session_id }) => !theirs.has(session_id)).map(({ safe_name }) => safe_name));
}
