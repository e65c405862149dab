import { type Database, fixedStatement, type Migration, notFound, type Write } from "@parley/core";
import { jsonSerializer } from "keyv";
import { recordsTexts } from "./texts.ts";

export type Document = { readonly id: string };

const ROWS_AT_ONCE = 500;
const MAX_EXCHANGES = 20;

const SELECT = "select value from documents where namespace = ? and key = ?";
const SELECT_AFTER = "select value, key from documents where namespace = ? and key > ? order by key limit ?";
const INSERT = `insert into documents (key, value, namespace, expires) values (?, ?, ?, null)
  on conflict (key, namespace) do update set value = excluded.value, expires = excluded.expires`;
const EXCHANGE = "update documents set value = ? where namespace = ? and key = ? and value = ? returning key";
const REMOVE = "delete from documents where namespace = ? and key = ? returning key";
const REMOVE_SAME = "delete from documents where namespace = ? and key = ? and value = ? returning key";

/** Creates the table of all documents if it is missing: earlier versions created it without recording a migration. */
export const DOCUMENTS: readonly Migration[] = [
  {
    id: "001-documents",
    async up(db) {
      await db.schema
        .createTable("documents")
        .ifNotExists()
        .addColumn("key", "text", (column) => column.notNull())
        .addColumn("value", "text")
        .addColumn("namespace", "text", (column) => column.notNull().defaultTo(""))
        .addColumn("expires", "bigint")
        .addUniqueConstraint("documents_key", ["key", "namespace"])
        .execute();
    },
  },
];

/** The rows of one kind of documents. Where a row changed since it was read, `change` and `remove` start again, and reject with `conflict` at last; `put` replaces it. */
export interface DocumentRows {
  get(id: string): Promise<Document | undefined>;
  iterate(): AsyncIterable<Document>;
  /** Returns the statement that stores a document. */
  toInsertion(item: Document): Write["query"];
  put(item: Document): Promise<void>;
  /** Removes the document unless `check` throws for it; resolves to false when there is none. */
  remove(id: string, check?: (item: Document) => void): Promise<boolean>;
  /** Changes the stored document; rejects with `not_found` when there is none. */
  change(
    id: string,
    change: (item: Document) => Document,
  ): Promise<{ readonly before: Document; readonly next: Document }>;
}

export interface DocumentRowsDeps {
  readonly database: () => Database;
  /** Runs a statement that changes a document, notifies other processes, and returns the number of rows. */
  readonly write: (query: Write["query"], id: string) => Promise<number>;
}

export function createDocumentRows(name: string, { database, write }: DocumentRowsDeps): DocumentRows {
  const read = async (id: string) => {
    const [row] = await database().lookup<{ readonly value: string }>(fixedStatement(SELECT, [name, id]));
    return row && { item: decode(row.value), text: row.value };
  };
  const isWritten = async (id: string, text: string, parameters: readonly unknown[]) =>
    (await write(fixedStatement(text, parameters), id)) > 0;
  const insertion = (item: Document) => fixedStatement(INSERT, [item.id, encode(item), name]);
  return {
    toInsertion: insertion,
    get: async (id) => (await read(id))?.item,
    async *iterate() {
      for (let after = ""; ; ) {
        const query = fixedStatement<{ readonly key: string; readonly value: string }>(SELECT_AFTER, [
          name,
          after,
          ROWS_AT_ONCE,
        ]);
        const rows = await database().lookup(query);
        for (const { value } of rows) yield decode(value);
        if (rows.length < ROWS_AT_ONCE) return;
        after = rows.at(-1)?.key ?? "";
      }
    },
    put: async (item) => void (await write(insertion(item), item.id)),
    async remove(id, check) {
      if (!check) return isWritten(id, REMOVE, [name, id]);
      for (let tried = 1; tried <= MAX_EXCHANGES; tried += 1) {
        const found = await read(id);
        if (!found) return false;
        check(found.item);
        if (await isWritten(id, REMOVE_SAME, [name, id, found.text])) return true;
      }
      throw recordsTexts.error("conflict", "contested", { name, id });
    },
    async change(id, change) {
      for (let tried = 1; tried <= MAX_EXCHANGES; tried += 1) {
        const found = await read(id);
        if (!found) throw notFound(name, id);
        const next = freeze(structuredClone(change(found.item)));
        if (await isWritten(id, EXCHANGE, [encode(next), name, id, found.text])) return { before: found.item, next };
      }
      throw recordsTexts.error("conflict", "contested", { name, id });
    },
  };
}

// The format is that of Keyv, which nodes of earlier versions still read and write.
function encode(item: Document): string {
  return jsonSerializer.stringify({ value: item });
}

function decode(text: string): Document {
  return freeze(jsonSerializer.parse<{ readonly value: Document }>(text).value);
}

/** Returns true when two documents have the same stored text. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Freezes a value deeply, since returned documents are the cached ones. */
export function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
