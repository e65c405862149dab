import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Logger } from "@parley/core";
import { createKeywords, type Keywords } from "@parley/core/text-match";
import type { Book, EntryRecord } from "../books/book.ts";
import { hasMemory, isSpecial } from "../world-info/entry-kinds.ts";
import { type Lore, type LoreBook, toLore, toLoreBook } from "./lore.ts";
import {
  buildLoreTables,
  createPacker,
  type LoreTables,
  type PackedWords,
  type SearchedKeywords,
} from "./lore-tables.ts";

/** Number of entries from which the tables are built in a worker, to keep the event loop free. */
const MIN_WORKER_ENTRIES = 2_000;
/** Number of entries that are prepared before other work may continue. */
const YIELD_EVERY = 200;
/** Number of timeouts after which a pattern is suspended. */
const MAX_STRIKES = 2;
const NO_KEYWORDS: readonly string[] = [];

/** All active entries, prepared for the search. */
export interface LoreIndex {
  readonly lore: readonly Lore[];
  /** Searches a text for the keywords of all entries; `tables` lists the entries of each. */
  readonly keywords: Keywords;
  readonly tables: Pick<LoreTables, "starts" | "owners">;
  readonly alwaysOn: readonly number[];
  /** Indexes of entries by the key of the scene that triggers them. */
  readonly byScene: ReadonlyMap<string, readonly number[]>;
  readonly regexes: readonly number[];
  /** Entries that no keyword of the tables activates: their keywords contain placeholders, or they search further texts. */
  readonly special: readonly number[];
  /** Entries that only the contents of other entries may activate. */
  readonly delayed: readonly number[];
  /** Largest number of messages that an entry of its own searches. */
  readonly deepest: number;
  /** True when the activation of any entry depends on its earlier ones. */
  readonly hasLimits: boolean;
}

/** World books in memory; one search finds the keywords of all books. */
export interface LoreLibrary {
  /** Returns the current index. While a change is prepared, this is the previous one. */
  index(): LoreIndex;
  readonly books: ReadonlyMap<string, LoreBook>;
  /** Resolves when the stored entries are loaded. */
  ready(): Promise<void>;
  /** Loads all entries again; resolves when they are active as stored. */
  reload(): Promise<void>;
  putBook(book: Book): void;
  removeBook(id: string): void;
  /** Adds or replaces entries; resolves when they are active. */
  put(entries: readonly EntryRecord[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Called when a regular expression of the entry took too long. */
  reportTimeout(entryId: string): void;
  isQuarantined(entryId: string): boolean;
}

export interface LoreLibraryDeps {
  readonly loadStored: () => { readonly books: AsyncIterable<Book>; readonly entries: AsyncIterable<EntryRecord> };
  readonly log: Logger;
}

const EMPTY_INDEX: LoreIndex = createIndex([], buildLoreTables(createPacker().pack()));

export function createLoreLibrary({ loadStored, log }: LoreLibraryDeps): LoreLibrary {
  const books = new Map<string, LoreBook>();
  const lore = new Map<string, Lore>();
  const strikes = new Map<string, number>();
  let index = EMPTY_INDEX;
  let loading: Promise<void> | undefined;
  let building: Promise<void> | undefined;
  let isChanged = false;
  /** Entries that changed during a reload, so that the loaded versions are older. */
  let touched: Set<string> | undefined;

  const build = async () => {
    while (isChanged) {
      isChanged = false;
      const now = [...lore.values()];
      index = createIndex(now, await buildTablesInWorker(await packKeywords(now)));
    }
  };
  const whenRebuilt = (): Promise<void> => {
    isChanged = true;
    building ??= build().finally(() => {
      building = undefined;
    });
    return building;
  };
  const applyEntry = (entry: EntryRecord) => {
    touched?.add(entry.id);
    strikes.delete(entry.id);
    if (entry.enabled) lore.set(entry.id, toLore(entry));
    else lore.delete(entry.id);
  };
  const load = async () => {
    const { books: all, entries } = loadStored();
    const meanwhile = new Set<string>();
    touched = meanwhile;
    const there = new Set<string>();
    for await (const book of all) {
      there.add(book.id);
      if (!meanwhile.has(book.id)) books.set(book.id, toLoreBook(book));
    }
    let count = 0;
    for await (const entry of entries) {
      there.add(entry.id);
      if (!meanwhile.has(entry.id) && books.has(entry.book_id)) applyEntry(entry);
      count += 1;
      if (count % YIELD_EVERY === 0) await setImmediate();
    }
    touched = undefined;
    for (const cache of [books, lore]) {
      for (const id of cache.keys()) if (!there.has(id) && !meanwhile.has(id)) cache.delete(id);
    }
    await whenRebuilt();
    log.debug("world books are ready", { books: books.size, entries: lore.size });
  };

  const following = (started: Promise<void>) => {
    const mine = started.catch((error: unknown) => {
      if (loading === mine) loading = undefined;
      throw error;
    });
    loading = mine;
    return mine;
  };

  return {
    books,
    index: () => index,
    ready: () => loading ?? following(load()),
    reload: () => following((loading ?? Promise.resolve()).then(load, load)),
    putBook(book) {
      touched?.add(book.id);
      books.set(book.id, toLoreBook(book));
    },
    removeBook(id) {
      touched?.add(id);
      books.delete(id);
      for (const one of lore.values()) if (one.bookId === id) lore.delete(one.id);
      whenRebuilt().catch((error: unknown) => log.error("world books could not be prepared", { error }));
    },
    put(entries) {
      for (const entry of entries) applyEntry(entry);
      return whenRebuilt();
    },
    remove(ids) {
      for (const id of ids) {
        touched?.add(id);
        lore.delete(id);
      }
      return whenRebuilt();
    },
    reportTimeout: (id) => void strikes.set(id, (strikes.get(id) ?? 0) + 1),
    isQuarantined: (id) => (strikes.get(id) ?? 0) >= MAX_STRIKES,
  };
}

function toSearchedKeywords({ isRegex, keywords, secondary }: Lore): SearchedKeywords {
  return isRegex ? { keywords: NO_KEYWORDS, secondary: NO_KEYWORDS } : { keywords, secondary };
}

async function packKeywords(lore: readonly Lore[]): Promise<PackedWords> {
  const packer = createPacker();
  for (const [place, one] of lore.entries()) {
    packer.add(toSearchedKeywords(one));
    if (place % YIELD_EVERY === YIELD_EVERY - 1) await setImmediate();
  }
  return packer.pack();
}

async function buildTablesInWorker(words: PackedWords): Promise<LoreTables> {
  if (words.lengths.length < MIN_WORKER_ENTRIES) return buildLoreTables(words);
  const name = import.meta.url.endsWith(".ts") ? "./lore-worker.ts" : "./lore-worker.js";
  const worker = new Worker(new URL(name, import.meta.url), { workerData: words });
  const [tables] = (await once(worker, "message")) as [LoreTables];
  return tables;
}

function createIndex(lore: readonly Lore[], { automaton, starts, owners }: LoreTables): LoreIndex {
  const byScene = new Map<string, number[]>();
  const alwaysOn: number[] = [];
  const regexes: number[] = [];
  const special: number[] = [];
  const delayed: number[] = [];
  let deepest = 0;
  let hasLimits = false;
  for (const [place, one] of lore.entries()) {
    for (const [key] of one.scene) {
      const places = byScene.get(key);
      if (places) places.push(place);
      else byScene.set(key, [place]);
    }
    if (one.alwaysOn) alwaysOn.push(place);
    if (one.isRegex) regexes.push(place);
    if (isSpecial(one)) special.push(place);
    if (one.info.recursionLevel > 0) delayed.push(place);
    deepest = Math.max(deepest, one.info.scanDepth ?? 0);
    hasLimits ||= hasMemory(one);
  }
  const keywords = createKeywords([], [], automaton);
  return {
    lore,
    keywords,
    tables: { starts, owners },
    alwaysOn,
    byScene,
    regexes,
    special,
    delayed,
    deepest,
    hasLimits,
  };
}
