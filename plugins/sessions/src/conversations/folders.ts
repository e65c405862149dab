import { type Clock, type Database, type LiveEvents, resourceChanged, type WriteResult } from "@parley/core";
import { type List, type Page, toPage } from "@parley/core/http";
import { sql } from "kysely";
import type { FolderChange } from "../schemas/sessions.ts";
import type { SessionTables } from "../store/tables.ts";

/** A folder of conversations. It exists while it contains any conversation. */
export interface Folder {
  readonly name: string;
  /** Number of conversations in it that are not archived. */
  readonly count: number;
}

/** Lists and renames the folders of conversations. */
export interface Folders {
  list(page: Page): Promise<List<Folder>>;
  /** Moves all sessions of a folder to another one; an empty name removes them from any folder. */
  rename(change: FolderChange): Promise<{ readonly changed: number }>;
}

interface RenamedRow {
  readonly id: string;
  readonly revision: number;
}

interface FoldersDeps {
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export function createFolders({ database, events, clock }: FoldersDeps): Folders {
  const rows = () => database().tables<SessionTables>().selectFrom("sessions");
  return {
    async list(page) {
      const found = await rows()
        .select(["folder", sql<number | string>`sum(1 - archived)`.as("count")])
        .where("folder", "!=", "")
        .where("is_temporary", "=", 0)
        .groupBy("folder")
        .orderBy("folder")
        .execute();
      const folders = found.map(({ folder, count }) => ({ name: folder, count: Number(count) }));
      return toPage(folders, page);
    },
    async rename({ folder, name }) {
      const query = database()
        .tables<SessionTables>()
        .updateTable("sessions")
        .set(({ eb }) => ({
          folder: name,
          updated_at: new Date(clock.now()).toISOString(),
          revision: eb("revision", "+", 1),
        }))
        .where("folder", "=", folder)
        .returning(["id", "revision"]);
      const [renamed] = (await database().write([{ query }])) as readonly WriteResult<RenamedRow>[];
      const { rows: renamedRows = [] } = renamed ?? {};
      for (const { id, revision } of renamedRows) events.publish(resourceChanged("session", id, "updated", revision));
      return { changed: renamedRows.length };
    },
  };
}
