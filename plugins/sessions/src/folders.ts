import {
  type Clock,
  type Database,
  type List,
  type LiveEvents,
  listOf,
  type Page,
  resourceChanged,
} from "@parley/core";
import { sql } from "kysely";
import type { FolderChange } from "./schemas/sessions.ts";
import type { SessionTables } from "./tables.ts";

/** A folder is there for as long as conversations are in it. */
export interface Folder {
  readonly name: string;
  /** Conversations that are not archived. */
  readonly count: number;
}

/** The folders that conversations were put into. */
export interface Folders {
  list(page: Page): Promise<List<Folder>>;
  /** Gives all that is in a folder another one; an empty name takes it out. */
  rename(change: FolderChange): Promise<{ readonly changed: number }>;
}

interface FolderParts {
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export function createFolders({ database, events, clock }: FolderParts): Folders {
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
      return listOf(folders, page);
    },
    async rename({ folder, name }) {
      const inside = await rows().select(["id", "revision"]).where("folder", "=", folder).execute();
      const query = database()
        .tables<SessionTables>()
        .updateTable("sessions")
        .set(({ eb }) => ({
          folder: name,
          updated_at: new Date(clock.now()).toISOString(),
          revision: eb("revision", "+", 1),
        }))
        .where("folder", "=", folder);
      await database().write([{ query }]);
      for (const { id, revision } of inside) events.publish(resourceChanged("session", id, "updated", revision + 1));
      return { changed: inside.length };
    },
  };
}
