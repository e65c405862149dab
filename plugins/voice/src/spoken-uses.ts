import { type Database, fixedStatement, type LiveEvents, type Logger, type RecordPart, type Write } from "@parley/core";
import type { VoiceTables } from "./tables.ts";

// Marks audio that no other session uses as expired, so that any process removes it.
const EXPIRE_UNSHARED = `update spoken set created_ms = 0 where key in (select key from spoken_uses where session_id = ?)
  and not exists (select 1 from spoken_uses as other where other.key = spoken.key and other.session_id <> ?)`;
const DELETE_USES = "delete from spoken_uses where session_id = ?";
const COPY_USES = "insert into spoken_uses (key, session_id) select key, ? from spoken_uses where session_id = ?";

export interface SpokenUses {
  /** Records that a conversation uses the audio; `""` stands for a request outside conversations. */
  addUse(key: string, sessionId: string): Promise<void>;
  removeUsesWrite(key: string): Write;
  /** Deletes the audio of a deleted session, unless other sessions use it. */
  readonly sessionPart: RecordPart;
}

export function createSpokenUses(database: () => Database): SpokenUses {
  const tables = () => database().tables<VoiceTables>();
  const toWrite = (text: string, ...values: readonly string[]): Write => ({ query: fixedStatement(text, values) });
  return {
    async addUse(key, session_id) {
      const ofKey = tables().selectFrom("spoken_uses").select("key").where("key", "=", key);
      const [known] = await database().lookup(ofKey.where("session_id", "=", session_id));
      if (known) return;
      const query = tables()
        .insertInto("spoken_uses")
        .values({ key, session_id })
        .onConflict((row) => row.columns(["key", "session_id"]).doNothing());
      await database().write([{ query }]);
    },
    removeUsesWrite: (key) => ({ query: tables().deleteFrom("spoken_uses").where("key", "=", key) }),
    sessionPart: {
      id: "voice.spoken",
      of: "session",
      removed: async (id) => [toWrite(EXPIRE_UNSHARED, id, id), toWrite(DELETE_USES, id)],
      copied: async ({ from, to }) => [toWrite(COPY_USES, to, from)],
    },
  };
}

/** Removes the files of deleted sessions; files that a crash leaves expire later. */
export function followDeletedSessions(
  events: Pick<LiveEvents, "subscribe">,
  removeOld: () => Promise<number>,
  log: Logger,
): () => void {
  // The payload is read only when needed, because most payloads are built when they are read.
  return events.subscribe((event) => {
    if (event.type !== "session_updated" || event.payload.action !== "deleted") return;
    removeOld().catch((error: unknown) => log.warn("the speech of a deleted session could not be removed", { error }));
  });
}
