import { contains, type Database, limitRows, type Memory, notFound, removeRevision, type Write } from "@parley/core";
import { type List, mapItems } from "@parley/core/http";
import { countRows, createRowExistence, type RowExistence, readPage } from "@parley/core/storage";
import type { ExpressionBuilder, SelectQueryBuilder } from "kysely";
import { type ClearQuery, type ListQuery, MAX_MEMORIES } from "../schema.ts";
import { fromMemoryRow, toContentKey, toMemoryRow } from "./memory-row.ts";
import type { MemoryRow, MemoryTables } from "./tables.ts";

const BATCH_SIZE = 500;

/** Memories that may be recalled in a turn, by person, character and group. */
export interface Audience {
  /** All addresses of the person; when empty, only memories that apply to everyone. */
  readonly addresses: readonly string[];
  /** Id of the character; null for memories without a character. */
  readonly characterId: string | null;
  /** Set when a group reads the reply: memories about a person are then recalled only if they come from that group. */
  readonly groupId?: string;
}

export interface PersonCount {
  readonly target_id: string | null;
  readonly character_id: string | null;
  readonly character_name: string;
  readonly memories: number;
}

/** Stores memories. Expired ones are ignored, except by `find`, `findByMessages`, `listReplaced` and `listIds`. */
export interface MemoryStore {
  /** Maximum number of memories. */
  readonly limit: number;
  page(query: ListQuery): Promise<List<Memory>>;
  find(id: string): Promise<Memory | undefined>;
  /** Returns a memory; rejects with `not_found` for an unknown or expired one. */
  get(id: string): Promise<Memory>;
  findMany(ids: readonly string[]): Promise<readonly Memory[]>;
  count(): Promise<number>;
  /** Tells whether there is any memory at all. */
  readonly existence: RowExistence;
  countByPerson(): Promise<readonly PersonCount[]>;
  /** Returns active memories that the audience may recall, by priority, then importance. */
  listMostImportant(audience: Audience, limit: number): Promise<readonly Memory[]>;
  /** Returns active memories of one of these facts, for any of the addresses. */
  findByFacts(
    addresses: readonly string[],
    characterId: string | null,
    facts: readonly string[],
  ): Promise<readonly Memory[]>;
  /** Returns the memories from these messages, including replaced ones. */
  findByMessages(ids: readonly string[]): Promise<readonly Memory[]>;
  /** Returns the memories that these replaced, directly or in several steps. */
  listReplaced(ids: readonly string[]): Promise<readonly Memory[]>;
  findEqual(memory: Pick<Memory, "content" | "character_id" | "target_id">): Promise<readonly Memory[]>;
  listIds(query: ClearQuery): Promise<readonly string[]>;
  /** Yields all matching memories in order of creation, page by page. */
  iterate(query: Pick<ListQuery, "type" | "character_id" | "target_id" | "replaced">): AsyncIterable<Memory>;
  listExpired(now: number): Promise<readonly string[]>;
  insertWrite(memory: Memory): Write;
  /** Returns a write that checks the limit after inserts, and aborts the transaction with `conflict` above it. */
  limitWrite(): Write;
  /** Returns the write of a change; it fails with `conflict` if the memory has changed since `before`. */
  replaceWrite(before: Memory, after: Memory): Write;
  deleteWrites(ids: readonly string[]): readonly Write[];
  /** Returns the write of a deletion; it fails with `conflict` if the revision is not `ifMatch`. */
  deleteRevisionWrite(id: string, ifMatch: number | undefined): Write;
  recalledWrite(ids: readonly string[], at: number): Write;
  clearSessionWrite(sessionId: string): Write;
}

interface MemoryStoreOptions {
  readonly limit?: number;
  /** True when other processes may store memories. */
  readonly isShared?: () => boolean;
}

type MemoryQueryBuilder = SelectQueryBuilder<MemoryTables, "memories", object>;

export function createMemoryStore(
  database: () => Database,
  now: () => number,
  { limit = MAX_MEMORIES, isShared = () => false }: MemoryStoreOptions = {},
): MemoryStore {
  const db = () => database().tables<MemoryTables>();
  const from = () => db().selectFrom("memories") as unknown as MemoryQueryBuilder;
  const notExpired = (query: MemoryQueryBuilder) =>
    query.where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", now())]));
  // Most memories have null in these columns, and `emptyIfNull` keeps the database from searching an index for null.
  const current = (query: MemoryQueryBuilder) => notExpired(query).where(emptyIfNull("replaced_by"), "=", "");
  const read = async (query: MemoryQueryBuilder) =>
    (await query.selectAll().execute()).map((row) => fromMemoryRow(row as MemoryRow));
  const readByColumn = async (column: "id" | "message_id" | "replaced_by", ids: readonly string[]) => {
    const found: Memory[] = [];
    for (let at = 0; at < ids.length; at += BATCH_SIZE) {
      found.push(...(await read(from().where(column, "in", ids.slice(at, at + BATCH_SIZE)))));
    }
    return found;
  };
  const find = async (id: string) => (await readByColumn("id", [id]))[0];
  const applyFilters = (query: MemoryQueryBuilder, { type, ...asked }: Partial<ListQuery>) => {
    const { q = "", tag, replaced } = asked;
    let narrow = replaced ? notExpired(query) : current(query);
    if (type !== undefined && type !== "all") narrow = narrow.where("type", "=", type);
    for (const name of ["target_id", "character_id", "character_name", "session_id", "priority", "kind"] as const) {
      const value = asked[name];
      if (value !== undefined) narrow = narrow.where(name, "=", value as never);
    }
    if (tag !== undefined) narrow = narrow.where(contains("tags", JSON.stringify(tag)));
    if (q === "") return narrow;
    return narrow.where(({ or }) => or([contains("title", q), contains("content", q), contains("summary", q)]));
  };
  const findAny = async () => (await from().select("id").orderBy("id").limit(1).executeTakeFirst()) !== undefined;
  const existence = createRowExistence({ find: findAny, isShared, nowMs: now });

  return {
    limit,
    find,
    existence,
    async get(id) {
      const found = await find(id);
      if (!found || isExpired(found, now())) throw notFound("memory", id);
      return found;
    },
    findMany: async (ids) => (await readByColumn("id", ids)).filter((one) => !isExpired(one, now())),
    async page(asked) {
      const { sort = "-created_at" } = asked;
      const [column, direction] = [
        sort.replace(/^-/, "") as "created_at",
        sort.startsWith("-") ? "desc" : "asc",
      ] as const;
      const page = await readPage(applyFilters(from(), asked), asked, (rows) =>
        rows.selectAll().orderBy(column, direction).orderBy("id", direction),
      );
      return mapItems(page, (row) => fromMemoryRow(row as MemoryRow));
    },
    count: async () => countRows(current(from())),
    async countByPerson() {
      const rows = await current(from())
        .select(["target_id", "character_id", "character_name"])
        .select(({ fn }) => fn.countAll<number>().as("memories"))
        .groupBy(["target_id", "character_id", "character_name"])
        .orderBy("memories", "desc")
        // Database engines sort null values differently.
        .orderBy(({ fn, val }) => fn.coalesce("target_id", val("")))
        .orderBy(({ fn, val }) => fn.coalesce("character_id", val("")))
        .orderBy("character_name")
        .limit(BATCH_SIZE)
        .execute();
      return rows.map((row) => ({ ...row, memories: Number(row.memories) }));
    },
    listMostImportant: (audience, most) =>
      read(
        filterByAudience(current(from()), audience)
          .orderBy(({ eb }) =>
            eb.case().when("priority", "=", "high").then(0).when("priority", "=", "low").then(2).else(1).end(),
          )
          .orderBy("importance", "desc")
          .orderBy("said_at", "desc")
          .orderBy("id", "desc")
          .limit(most),
      ),
    findByFacts: async (addresses, characterId, facts) =>
      addresses.length === 0 || facts.length === 0
        ? []
        : read(
            current(from())
              .where("target_id", "in", addresses)
              .where("fact", "in", facts)
              .where(emptyIfNull("character_id"), "=", characterId ?? ""),
          ),
    findByMessages: (ids) => readByColumn("message_id", ids),
    async listReplaced(ids) {
      const found: Memory[] = [];
      for (let next = ids; next.length > 0; ) {
        const before = (await readByColumn("replaced_by", next)).filter(
          ({ id }) => !found.some((one) => one.id === id),
        );
        found.push(...before);
        next = before.map(({ id }) => id);
      }
      return found;
    },
    findEqual: ({ content, character_id, target_id }) =>
      read(
        current(from())
          .where("content_key", "=", toContentKey(content))
          .where(emptyIfNull("character_id"), "=", character_id ?? "")
          .where(emptyIfNull("target_id"), "=", target_id ?? ""),
      ),
    async listIds({ type, target_id, character_id }) {
      let query = from();
      if (type !== undefined && type !== "all") query = query.where("type", "=", type);
      if (target_id !== undefined) query = query.where("target_id", "=", target_id);
      if (character_id !== undefined) query = query.where("character_id", "=", character_id);
      return (await query.select("id").execute()).map(({ id }) => id);
    },
    async *iterate(asked) {
      for (let after = ""; ; ) {
        const page = await read(applyFilters(from(), asked).where("id", ">", after).orderBy("id").limit(BATCH_SIZE));
        yield* page;
        const last = page.at(-1);
        if (!last) return;
        after = last.id;
      }
    },
    async listExpired(at) {
      const rows = await from().select("id").where("expires_at", "<=", at).limit(BATCH_SIZE).execute();
      return rows.map(({ id }) => id);
    },
    insertWrite(memory) {
      existence.expectRow();
      return { query: db().insertInto("memories").values(toMemoryRow(memory)), expect: 1 };
    },
    limitWrite: () => limitRows("memories", limit, { en: "memories", zh: "记忆" }),
    replaceWrite(before, after) {
      const { id, last_recalled_at: _at, recall_count: _count, ...values } = toMemoryRow(after);
      const query = db().updateTable("memories").set(values).where("id", "=", id);
      return { query: query.where("revision", "=", before.revision), expect: 1 };
    },
    deleteWrites(ids) {
      const pages = Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, at) =>
        ids.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
      );
      return pages.map((some) => ({ query: db().deleteFrom("memories").where("id", "in", some) }));
    },
    deleteRevisionWrite: (id, ifMatch) => removeRevision(db().deleteFrom("memories").where("id", "=", id), ifMatch),
    recalledWrite: (ids, at) => ({
      query: db()
        .updateTable("memories")
        .set(({ eb }) => ({ last_recalled_at: at, recall_count: eb("recall_count", "+", 1) }))
        .where("id", "in", ids),
    }),
    clearSessionWrite: (sessionId) => ({
      query: db().updateTable("memories").set({ session_id: null }).where("session_id", "=", sessionId),
    }),
  };
}

const emptyIfNull =
  (column: "replaced_by" | "character_id" | "target_id") =>
  ({ fn, val }: ExpressionBuilder<MemoryTables, "memories">) =>
    fn.coalesce(column, val(""));

/** Filters memories for an audience; `isVisibleTo` does the same for a single memory. */
function filterByAudience(
  query: MemoryQueryBuilder,
  { addresses, characterId, groupId }: Audience,
): MemoryQueryBuilder {
  return query
    .where(emptyIfNull("character_id"), "in", ["", ...(characterId === null ? [] : [characterId])])
    .where(({ eb, or, and }) =>
      or([
        eb("target_id", "is", null),
        ...(addresses.length === 0
          ? []
          : [
              and([
                eb("target_id", "in", addresses),
                ...(groupId === undefined ? [] : [eb("session_id", "=", groupId)]),
              ]),
            ]),
      ]),
    );
}

export function isVisibleTo(memory: Memory, { addresses, characterId, groupId }: Audience): boolean {
  const { target_id, character_id, session_id, replaced_by } = memory;
  const isForPerson = target_id === null || (addresses.includes(target_id) && (!groupId || session_id === groupId));
  return replaced_by === null && isForPerson && (character_id === null || character_id === characterId);
}

export function isExpired({ expires_at }: Pick<Memory, "expires_at">, now: number): boolean {
  return expires_at !== null && Date.parse(expires_at) <= now;
}
