import { silentLogger } from "@parley/core";
import { type ActivationOptions, type ActivationResult, activateLore } from "./activation/activation.ts";
import { type BookFilter, createPartnerFilter } from "./activation/lore-activator.ts";
import { createLoreLibrary, type LoreLibrary } from "./activation/lore-library.ts";
import { createScanTexts, type ScanInput } from "./activation/scan-texts.ts";
import type { Book, EntryRecord } from "./books/book.ts";
import type { EntryFields } from "./books/entry-fields.ts";
import { completeEntry } from "./books/entry-validation.ts";
import { type BookFields, books } from "./books/schema.ts";

const COMMON = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z", revision: 1 };
let count = 0;

export function createBook(more: Partial<BookFields> & { readonly id?: string } = {}): Book {
  count += 1;
  return { ...COMMON, ...(books.defaults as BookFields), id: `book_${count}`, name: `Book ${count}`, ...more };
}

export function createEntry(more: Partial<EntryFields> & { readonly id?: string }, bookId = "book_1"): EntryRecord {
  count += 1;
  const { id = `entry_${String(count).padStart(6, "0")}`, ...fields } = more;
  return { ...COMMON, ...completeEntry({ content: "Lore.", ...fields }, bookId), id };
}

export interface TestLibrary extends LoreLibrary {
  /** Returns the entries that these texts activate; a missing text is empty. */
  recall(
    input: Partial<ScanInput>,
    how?: Partial<Pick<ActivationOptions, "injectionState" | "getChance" | "regexes">> & {
      readonly choice?: BookFilter;
    },
  ): Promise<readonly ActivationResult[]>;
}

/** Creates a library of books and entries in memory. */
export async function createTestLibrary(
  stored: readonly Book[],
  entries: readonly EntryRecord[],
): Promise<TestLibrary> {
  const library = createLoreLibrary({
    loadStored: () => ({ books: toAsyncIterable(stored), entries: toAsyncIterable(entries) }),
    log: silentLogger,
  });
  await library.ready();
  return {
    ...library,
    recall(input, { choice = createPartnerFilter(undefined), regexes, ...how } = {}) {
      const bookIn = ({ bookId }: { readonly bookId: string }) => {
        const book = library.books.get(bookId);
        return book?.enabled && choice(book) ? book : undefined;
      };
      const texts = createScanTexts(
        { message: "", before: [], scene: {}, ...input },
        [...library.books.values()].map(({ scanDepth }) => scanDepth),
      );
      return activateLore({ index: library.index(), getBook: bookIn, regexes, ...how }, texts);
    },
  };
}

async function* toAsyncIterable<One>(all: readonly One[]): AsyncGenerator<One> {
  yield* all;
}
