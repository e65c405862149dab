import type { Migration } from "@parley/core";
import type { KeyvBridgeStore } from "keyv";

const ROWS_AT_ONCE = 500;

const INSERT = `insert into documents (key, value, namespace, expires) values (?, ?, ?, ?)
  on conflict (key, namespace) do update set value = excluded.value, expires = excluded.expires`;

/** The one table of all collections; it is older than the note of its step. */
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

/** A query of the table; `changed` names the document it changes. */
export type DocumentQuery = (
  text: string,
  parameters: readonly unknown[],
  changed?: { readonly collection: string; readonly id: string },
) => Promise<readonly unknown[]>;

/** Creates the table of all collections, in the form Keyv needs for one of them. `makeTable` applies `DOCUMENTS`. */
export function createDocumentTable(
  query: DocumentQuery,
  makeTable: () => Promise<void> = async () => {},
): (collection: string) => KeyvBridgeStore {
  let made: Promise<unknown> | undefined;
  const make = async () => {
    made ??= makeTable().catch((error) => {
      made = undefined;
      throw error;
    });
    await made;
  };
  return (collection) => storeOf(collection, query, make);
}

function storeOf(collection: string, query: DocumentQuery, make: () => Promise<void>): KeyvBridgeStore {
  const rowsAfter = async (key: string) => {
    const text = "select key, value from documents where namespace = ? and key > ? order by key limit ?";
    return (await query(text, [collection, key, ROWS_AT_ONCE])) as readonly { key: string; value: string }[];
  };
  return {
    async get(key) {
      await make();
      const [row] = await query("select value from documents where namespace = ? and key = ?", [collection, key]);
      return (row as { readonly value: string } | undefined)?.value;
    },
    // No `make`: a collection is read before it is written.
    set: (key, value) => query(INSERT, [key, value, collection, null], { collection, id: key }),
    async delete(key) {
      const text = "delete from documents where namespace = ? and key = ? returning key";
      return (await query(text, [collection, key], { collection, id: key })).length > 0;
    },
    clear: async () => void (await query("delete from documents where namespace = ?", [collection])),
    async *iterator() {
      await make();
      for (let rows = await rowsAfter(""); rows.length > 0; rows = await rowsAfter(rows.at(-1)?.key ?? "")) {
        for (const { key, value } of rows) yield [key, value];
        if (rows.length < ROWS_AT_ONCE) return;
      }
    },
  };
}
