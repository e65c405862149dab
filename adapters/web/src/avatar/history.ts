import { type Clock, type Database, newId, type RecordPart } from "@parley/core";
import type { List, Page } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import type { AvatarRow, AvatarTables } from "./tables.ts";

/** Maximum entries per account; older ones are deleted. */
const MAX_ENTRIES = 200;

export interface AvatarMessage extends Pick<AvatarRow, "id" | "role" | "content"> {
  readonly timestamp: string;
}

/** The chat history between an account and its companion, independent of all sessions. */
export interface AvatarHistory {
  /** Adds messages in order, all or none; then deletes the oldest beyond 200. */
  add(accountId: string, messages: readonly Pick<AvatarMessage, "role" | "content">[]): Promise<void>;
  /** Returns a page, counted from the newest message, in chronological order. */
  page(accountId: string, page: Page): Promise<List<AvatarMessage>>;
  /** Deletes the history; returns the number of messages. */
  reset(accountId: string): Promise<number>;
  /** Deletes the history with its account. */
  readonly part: RecordPart;
}

export function createAvatarHistory(database: () => Database, clock: Clock): AvatarHistory {
  const tables = () => database().tables<AvatarTables>();
  const selectOwn = (accountId: string) => tables().selectFrom("avatar_messages").where("account_id", "=", accountId);
  const sortNewestFirst = (rows: ReturnType<typeof selectOwn>) =>
    rows.selectAll().orderBy("created_ms", "desc").orderBy("id", "desc");
  const all = (accountId: string) => tables().deleteFrom("avatar_messages").where("account_id", "=", accountId);
  return {
    async add(account_id, messages) {
      const now = clock.now();
      const rows = messages.map((one) => ({ ...one, id: newId("av", now), account_id, created_ms: now }));
      await database().write([{ query: tables().insertInto("avatar_messages").values(rows) }]);
      const old = await sortNewestFirst(selectOwn(account_id)).offset(MAX_ENTRIES).limit(MAX_ENTRIES).execute();
      if (old.length === 0) return;
      const ids = old.map(({ id }) => id);
      await database().write([{ query: tables().deleteFrom("avatar_messages").where("id", "in", ids) }]);
    },
    async page(accountId, requested) {
      const { items, ...page } = await readPage(selectOwn(accountId), requested, sortNewestFirst);
      return { items: items.toReversed().map(toAvatarMessage), ...page };
    },
    async reset(accountId) {
      const [result] = await database().write([{ query: all(accountId) }]);
      return result?.changes ?? 0;
    },
    part: { id: "web.avatar", of: "account", removed: async (id) => [{ query: all(id) }] },
  };
}

function toAvatarMessage({ id, role, content, created_ms }: AvatarRow): AvatarMessage {
  return { id, role, content, timestamp: new Date(Number(created_ms)).toISOString() };
}
