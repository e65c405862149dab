import { silentLogger } from "@parley/core";
import type { Book, KeptEntry } from "./books.ts";
import type { EntryFields } from "./entry-fields.ts";
import { wholeEntry } from "./entry-rules.ts";
import { createLoreLibrary, type LoreLibrary } from "./lore-library.ts";
import { type Recalled, type RecallParts, recall } from "./recall.ts";
import { type RecallInput, recallTexts } from "./recall-texts.ts";
import { type Choice, isFor } from "./recaller.ts";
import { type BookFields, books } from "./schema.ts";

const COMMON = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z", revision: 1 };
let count = 0;

export function bookOf(more: Partial<BookFields> & { readonly id?: string } = {}): Book {
  count += 1;
  return { ...COMMON, ...(books.defaults as BookFields), id: `book_${count}`, name: `Book ${count}`, ...more };
}

export function entryOf(more: Partial<EntryFields> & { readonly id?: string }, bookId = "book_1"): KeptEntry {
  count += 1;
  const { id = `entry_${String(count).padStart(6, "0")}`, ...fields } = more;
  return { ...COMMON, ...wholeEntry({ content: "Lore.", ...fields }, bookId), id };
}

export interface TestLibrary extends LoreLibrary {
  /** What comes up; texts that are not given are empty. */
  recall(
    input: Partial<RecallInput>,
    how?: Partial<Pick<RecallParts, "standing" | "chanceOf" | "regexes">> & { readonly choice?: Choice },
  ): Promise<readonly Recalled[]>;
}

/** A library over books and entries that stand in no database. */
export async function createTestLibrary(stored: readonly Book[], entries: readonly KeptEntry[]): Promise<TestLibrary> {
  const library = createLoreLibrary({
    stored: () => ({ books: each(stored), entries: each(entries) }),
    log: silentLogger,
  });
  await library.ready();
  return {
    ...library,
    recall(input, { choice = isFor(undefined), regexes, ...how } = {}) {
      const bookIn = ({ bookId }: { readonly bookId: string }) => {
        const book = library.books.get(bookId);
        return book?.enabled && choice(book) ? book : undefined;
      };
      const texts = recallTexts(
        { message: "", before: [], scene: {}, ...input },
        [...library.books.values()].map(({ scanDepth }) => scanDepth),
      );
      return recall({ index: library.index(), bookOf: bookIn, regexes, ...how }, texts);
    },
  };
}

async function* each<One>(all: readonly One[]): AsyncGenerator<One> {
  yield* all;
}
