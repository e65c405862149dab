import { fixedStatement, notFound } from "@parley/core";
import Keyv, { type KeyvBridgeStore } from "keyv";
import { createDocumentTable, type DocumentQuery } from "./document-table.ts";
import { frozen } from "./document-values.ts";
import { recordsTexts } from "./texts.ts";

export type Document = { readonly id: string };

const MAX_EXCHANGES = 20;
const EXCHANGE = "update documents set value = ? where namespace = ? and key = ? and value = ? returning key";
const REMOVE = "delete from documents where namespace = ? and key = ? and value = ? returning key";

/** One collection as it is stored, for changes that start from those of other processes. */
export interface SharedDocuments<Item> {
  /** Changes the stored document; rejects with `not_found` when there is none. */
  change(id: string, change: (item: Item) => Item): Promise<{ readonly before: Item; readonly next: Item }>;
  /** Removes the stored document unless `check` throws for it; returns false when there is none. */
  remove(id: string, check: (item: Item) => void): Promise<boolean>;
}

/** Creates the changes of one collection: each statement finds out whether the document is still the one that was read. */
export function createSharedDocuments(name: string, query: DocumentQuery): SharedDocuments<Document> {
  const read = async (id: string) => {
    let text: unknown;
    const noting: DocumentQuery = async (...asked) => {
      const rows = await query(...asked);
      text = (rows[0] as { readonly value: string } | undefined)?.value;
      return rows;
    };
    return { item: await keyvOver(createDocumentTable(noting)(name)).get<Document>(id), text };
  };
  const isApplied = async (id: string, statement: string, parameters: readonly unknown[]) =>
    (await query(statement, parameters, { collection: name, id })).length > 0;
  return {
    async change(id, change) {
      for (let tried = 1; tried <= MAX_EXCHANGES; tried += 1) {
        const { item: before, text } = await read(id);
        if (before === undefined) throw notFound(name, id);
        const next = frozen(structuredClone(change(frozen(before))));
        const [, value] = (await insertOf(name, next)).query.compile().parameters;
        if (await isApplied(id, EXCHANGE, [value, name, id, text])) return { before, next };
      }
      throw recordsTexts.error("conflict", "contested", { name, id });
    },
    async remove(id, check) {
      for (let tried = 1; tried <= MAX_EXCHANGES; tried += 1) {
        const { item, text } = await read(id);
        if (item === undefined) return false;
        check(frozen(item));
        if (await isApplied(id, REMOVE, [name, id, text])) return true;
      }
      throw recordsTexts.error("conflict", "contested", { name, id });
    },
  };
}

/** The statement by which Keyv stores a document. */
export async function insertOf(name: string, item: Document) {
  let insert: ReturnType<typeof fixedStatement> | undefined;
  const noted = createDocumentTable(async (text, parameters) => {
    insert = fixedStatement(text, parameters);
    return [];
  });
  await keyvOver(noted(name)).set(item.id, item);
  if (!insert) throw new Error("Keyv stored nothing");
  return { query: insert };
}

export function keyvOver(store: KeyvBridgeStore): Keyv {
  return new Keyv({ store, throwOnErrors: true });
}
