import type { KeyvBridgeStore } from "keyv";

const ROWS_AT_ONCE = 500;

const INSERT = `insert into documents (key, value, namespace, expires) values (?, ?, ?, ?)
  on conflict (key, namespace) do update set value = excluded.value, expires = excluded.expires`;

type Query = (text: string, parameters: readonly unknown[]) => Promise<readonly unknown[]>;

export interface DocumentTableParts {
  make(): Promise<unknown>;
  readonly query: Query;
}

/** The table that all collections share: what Keyv needs to keep one of them in it. */
export function createDocumentTable({ make, query }: DocumentTableParts): (collection: string) => KeyvBridgeStore {
  let made: Promise<unknown> | undefined;
  const makeOnce = async () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    await made;
  };
  return (collection) => storeOf(collection, query, makeOnce);
}

function storeOf(collection: string, query: Query, make: () => Promise<void>): KeyvBridgeStore {
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
    set: (key, value) => query(INSERT, [key, value, collection, null]),
    async delete(key) {
      const text = "delete from documents where namespace = ? and key = ? returning key";
      return (await query(text, [collection, key])).length > 0;
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
