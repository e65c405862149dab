import {
  type Clock,
  contains,
  type Database,
  fixedStatement,
  notFound,
  removeRevision,
  type Write,
} from "@parley/core";
import { type List, mapItems } from "@parley/core/http";
import { createRowExistence, type RowExistence, readPage } from "@parley/core/storage";
import type { SelectQueryBuilder } from "kysely";
import type { Document, IndexStatus, ListedDocument, ListQuery } from "../schema.ts";
import type { DocumentRow, KnowledgeTables } from "../tables.ts";

const PAGE_SIZE = 500;

/** A document with fields that only the index needs. */
export type StoredDocument = Document & Pick<DocumentRow, "text_version" | "made_by">;

export interface DocumentStore {
  /** Tells whether there is any document at all. */
  readonly existence: RowExistence;
  page(query: ListQuery): Promise<List<ListedDocument>>;
  find(id: string): Promise<StoredDocument | undefined>;
  /** Returns a document; rejects with `not_found` for an unknown id. */
  get(id: string): Promise<StoredDocument>;
  findListed(ids: readonly string[]): Promise<ReadonlyMap<string, ListedDocument>>;
  count(): Promise<number>;
  /** Returns the ids of a collection's documents that came from this source. */
  findIdsBySource(source: string, baseId: string): Promise<readonly string[]>;
  /** Returns ids after `after`, in order, with one of these states; at most 500. */
  findIdsByStatus(statuses: readonly IndexStatus[], after: string): Promise<readonly string[]>;
  /** Yields all documents in order of creation, page by page. */
  iterate(baseId?: string): AsyncIterable<StoredDocument>;
  getTotals(): Promise<{
    readonly status: Readonly<Record<string, number>>;
    readonly bases: Readonly<Record<string, number>>;
    readonly chunks: number;
    readonly chars: number;
  }>;
  insertWrites(document: StoredDocument): readonly Write[];
  /** Returns the writes that replace a document; undone with `conflict` when it has changed. Index data of an unchanged text stays. */
  replaceWrites(before: StoredDocument, after: StoredDocument): readonly Write[];
  /** Returns the writes that remove documents; the first changes one row for each that existed. */
  removeWrites(ids: readonly string[], ifMatch?: number): readonly Write[];
  /** Returns the write of a version's index state; undone with `conflict` for a newer version, or when its state is not `from`. */
  setStateWrite(id: string, version: number, state: IndexState, from?: IndexStatus): Write;
  /** Returns the write that changes all documents of these states. */
  markAllWrite(from: readonly IndexStatus[], to: IndexStatus): Write;
  /** Returns the write that assigns documents indexed before identities existed to the model's current identity. */
  adoptUnidentifiedWrite(maker: EmbeddingSource): Write;
  /**
   * Returns the write that marks documents as stale that have no vectors of this model in its current form, also failed
   * ones; with `isRetried` all failed ones.
   */
  markOthersWrite(maker: EmbeddingSource, isRetried: boolean): Write;
}

export type IndexState = Pick<DocumentRow, "index_status"> &
  Partial<
    Pick<DocumentRow, "index_error" | "index_error_detail" | "index_model" | "made_by" | "chunk_count" | "text_version">
  >;

/** Current source of vectors. */
export interface EmbeddingSource {
  /** Model id, or `local`. */
  readonly model: string;
  readonly identity: string;
}

const ANY_DOCUMENT = fixedStatement("select id from knowledge_documents limit 1", []);

type Select = SelectQueryBuilder<KnowledgeTables, "knowledge_documents", object>;

export interface DocumentStoreDeps {
  readonly database: () => Database;
  /** True when other processes may store documents. */
  readonly isShared: () => boolean;
  readonly clock: Pick<Clock, "now">;
}

export function createDocumentStore({ database, isShared, clock }: DocumentStoreDeps): DocumentStore {
  const db = () => database().tables<KnowledgeTables>();
  const findAny = async () => (await database().lookup(ANY_DOCUMENT)).length > 0;
  const existence = createRowExistence({ find: findAny, isShared, nowMs: clock.now });
  const find = async (id: string) => {
    const row = await db()
      .selectFrom("knowledge_documents as d")
      .innerJoin("knowledge_contents as c", "c.id", "d.id")
      .selectAll("d")
      .select("c.content")
      .where("d.id", "=", id)
      .executeTakeFirst();
    return row && toStoredDocument(row);
  };
  const filterQuery = ({ q = "", tag, base_id, index_status }: ListQuery) => {
    let query = db().selectFrom("knowledge_documents") as unknown as Select;
    if (q !== "") query = query.where(contains("title", q));
    if (tag !== undefined) query = query.where(contains("tags", JSON.stringify(tag)));
    if (base_id !== undefined) query = query.where("base_id", "=", base_id);
    return index_status === undefined ? query : query.where("index_status", "=", index_status);
  };
  const countBy = async (column: "index_status" | "base_id") => {
    const rows = await db()
      .selectFrom("knowledge_documents")
      .select(column)
      .select(({ fn }) => fn.countAll<number>().as("documents"))
      .groupBy(column)
      .execute();
    return Object.fromEntries(rows.map((row) => [row[column], Number(row.documents)]));
  };

  return {
    existence,
    find,
    async get(id) {
      const found = await find(id);
      if (!found) throw notFound("document", id);
      return found;
    },
    async page(asked) {
      const way = asked.sort === "created_at" ? "asc" : "desc";
      const page = await readPage(filterQuery(asked), asked, (all) =>
        all.selectAll().orderBy("created_at", way).orderBy("id", way),
      );
      return mapItems(page, (row) => toListed(row as DocumentRow));
    },
    async findListed(ids) {
      const found = new Map<string, ListedDocument>();
      for (let at = 0; at < ids.length; at += PAGE_SIZE) {
        const some = ids.slice(at, at + PAGE_SIZE);
        const rows = await db().selectFrom("knowledge_documents").selectAll().where("id", "in", some).execute();
        for (const row of rows) found.set(row.id, toListed(row));
      }
      return found;
    },
    async count() {
      const query = db()
        .selectFrom("knowledge_documents")
        .select(({ fn }) => fn.countAll<number>().as("total"));
      return Number((await query.executeTakeFirst())?.total ?? 0);
    },
    async findIdsBySource(source, baseId) {
      const all = db().selectFrom("knowledge_documents").select("id").where("source", "=", source);
      const rows = await all.where("base_id", "=", baseId).execute();
      return rows.map(({ id }) => id);
    },
    async findIdsByStatus(statuses, after) {
      const rows = await db()
        .selectFrom("knowledge_documents")
        .select("id")
        .where("index_status", "in", statuses)
        .where("id", ">", after)
        .orderBy("id")
        .limit(PAGE_SIZE)
        .execute();
      return rows.map(({ id }) => id);
    },
    async *iterate(baseId) {
      for (let after = { at: -1, id: "" }; ; ) {
        let query = db()
          .selectFrom("knowledge_documents as d")
          .innerJoin("knowledge_contents as c", "c.id", "d.id")
          .selectAll("d")
          .select("c.content")
          .where(({ eb, or, and }) =>
            or([
              eb("d.created_at", ">", after.at),
              and([eb("d.created_at", "=", after.at), eb("d.id", ">", after.id)]),
            ]),
          );
        if (baseId !== undefined) query = query.where("d.base_id", "=", baseId);
        // A page may contain 20 documents of a million characters.
        const rows = await query.orderBy("d.created_at").orderBy("d.id").limit(20).execute();
        for (const row of rows) yield toStoredDocument(row);
        const last = rows.at(-1);
        if (!last) return;
        after = { at: Number(last.created_at), id: last.id };
      }
    },
    async getTotals() {
      const sums = await db()
        .selectFrom("knowledge_documents")
        .select(({ fn }) => [fn.sum<number>("chunk_count").as("chunks"), fn.sum<number>("size").as("chars")])
        .executeTakeFirst();
      return {
        status: await countBy("index_status"),
        bases: await countBy("base_id"),
        chunks: Number(sums?.chunks ?? 0),
        chars: Number(sums?.chars ?? 0),
      };
    },
    insertWrites(document) {
      existence.expectRow();
      return [
        { query: db().insertInto("knowledge_documents").values(toDocumentRow(document)), expect: 1 },
        {
          query: db().insertInto("knowledge_contents").values({ id: document.id, content: document.content }),
          expect: 1,
        },
      ];
    },
    replaceWrites(before, after) {
      const { id, chunk_count, index_status, index_error, index_error_detail, index_model, made_by, ...values } =
        toDocumentRow(after);
      const indexed = { chunk_count, index_status, index_error, index_error_detail, index_model, made_by };
      const isText = after.text_version !== before.text_version;
      const query = db()
        .updateTable("knowledge_documents")
        .set({ ...values, ...(isText && indexed) })
        .where("id", "=", id)
        .where("revision", "=", before.revision)
        .where("text_version", "=", before.text_version);
      const written = { query, expect: 1 };
      if (before.content === after.content) return [written];
      const content = db().updateTable("knowledge_contents").set({ content: after.content }).where("id", "=", id);
      return [written, { query: content, expect: 1 }];
    },
    removeWrites: (ids, ifMatch) => [
      removeRevision(db().deleteFrom("knowledge_documents").where("id", "in", ids), ifMatch),
      { query: db().deleteFrom("knowledge_contents").where("id", "in", ids) },
    ],
    setStateWrite(id, version, state, from) {
      const query = db()
        .updateTable("knowledge_documents")
        .set(state)
        .where("id", "=", id)
        .where("text_version", "=", version);
      return { query: from === undefined ? query : query.where("index_status", "=", from), expect: 1 };
    },
    markAllWrite: (from, to) => ({
      query: db().updateTable("knowledge_documents").set({ index_status: to }).where("index_status", "in", from),
    }),
    adoptUnidentifiedWrite: ({ model, identity }) => ({
      query: db()
        .updateTable("knowledge_documents")
        .set({ made_by: identity })
        .where("made_by", "is", null)
        .where("index_model", "=", model),
    }),
    markOthersWrite({ identity }, isRetried) {
      const query = db()
        .updateTable("knowledge_documents")
        .set({ index_status: "stale" })
        .where("index_status", "in", ["indexed", "failed", "indexing"])
        .where(({ eb, or }) =>
          or([
            // Another model may succeed where the first one failed.
            eb("made_by", "is", null),
            eb("made_by", "<>", identity),
            ...(isRetried ? [eb("index_status", "=", "failed")] : []),
          ]),
        );
      return { query };
    },
  };
}

function toListed(row: DocumentRow): ListedDocument {
  const { text_version: _version, made_by: _by, created_at, updated_at, tags, metadata, ...fields } = row;
  const { index_error, index_error_detail: detail } = row;
  return {
    ...fields,
    // The detail of an earlier failure is void once `index_error` is null.
    index_error_detail: index_error === null || detail === null ? null : JSON.parse(detail),
    tags: JSON.parse(tags),
    metadata: JSON.parse(metadata),
    indexed: row.index_status === "indexed",
    created_at: new Date(Number(created_at)).toISOString(),
    updated_at: new Date(Number(updated_at)).toISOString(),
  };
}

function toStoredDocument(row: DocumentRow & { readonly content: string }): StoredDocument {
  const { content, ...rest } = row;
  return { ...toListed(rest), content, text_version: row.text_version, made_by: row.made_by };
}

function toDocumentRow(document: StoredDocument): DocumentRow {
  const { content: _content, indexed: _indexed, tags, metadata, created_at, updated_at, ...fields } = document;
  const { index_error_detail: detail } = document;
  return {
    ...fields,
    index_error_detail: detail && JSON.stringify(detail),
    tags: JSON.stringify(tags),
    metadata: JSON.stringify(metadata),
    created_at: Date.parse(created_at),
    updated_at: Date.parse(updated_at),
  };
}
