import Joi from "@hapi/joi";
import type { Clock, Database, RecordPart, Write } from "@parley/core";
import type { FileStore } from "./file-store.ts";
import { addUsesQuery } from "./file-uses.ts";
import type { FileTables } from "./tables.ts";

const MAX_URLS = 100_000;

export interface SessionFilesDeps {
  readonly database: () => Database;
  readonly files: Pick<FileStore, "keeps" | "listUrls">;
  readonly clock: Clock;
}

/** Releases the files of deleted sessions; unused files are removed with the usual delay. */
export function createSessionFilesPart({ database, files, clock }: SessionFilesDeps): RecordPart {
  const tables = () => database().tables<FileTables>();
  const ofSession = (sessionId: string) =>
    tables().selectFrom("file_uses").select("safe_name").where("session_id", "=", sessionId);
  return {
    id: "files.attached",
    of: "session",
    schema: Joi.array().items(Joi.string().max(2_000)).max(MAX_URLS),
    async removed(id): Promise<readonly Write[]> {
      const others = tables().selectFrom("file_uses").select("safe_name").where("session_id", "!=", id);
      const loosened = tables()
        .updateTable("files")
        .set({ kept: 0, used_ms: clock.now() })
        .where("safe_name", "in", ofSession(id))
        .where("safe_name", "not in", others);
      return [{ query: loosened }, { query: tables().deleteFrom("file_uses").where("session_id", "=", id) }];
    },
    copied: async ({ from, to }) => [{ query: addUsesQuery(tables(), ofSession(from), to) }],
    async exported(id) {
      const urls = await files.listUrls(id);
      return urls.length > 0 ? urls : undefined;
    },
    imported: async (id, urls) => files.keeps(urls as readonly string[], id),
  };
}
