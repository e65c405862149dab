import type { ResourceItem } from "@parley/core";
import type { BookFields, StoredEntry } from "./schema.ts";

export type EntryRecord = ResourceItem<StoredEntry>;
export type Book = ResourceItem<BookFields>;
