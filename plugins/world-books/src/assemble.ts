import {
  Characters,
  Clock,
  Databases,
  LiveEvents,
  type Logger,
  ModelCalls,
  Personality,
  RecordStore,
  type RegexRunner,
  RegexRunners,
  type Resolver,
  Settings,
  TIME_ZONE,
  type Turn,
} from "@parley/core";
import type { Partner } from "./activation/lore.ts";
import { createLoreActivator } from "./activation/lore-activator.ts";
import { createLoreLibrary } from "./activation/lore-library.ts";
import { createTestMatch } from "./activation/test-match.ts";
import { createBooks } from "./books/books.ts";
import { createGeneration } from "./books/generate.ts";
import { createInjectionCounters } from "./books/injection-counters.ts";
import { createPackages } from "./books/packages.ts";
import { books as bookResource, entries as entryResource } from "./books/schema.ts";
import { unbindBookFromCharacters } from "./books/unbind.ts";
import type { WorldBooksConfig } from "./config.ts";
import { createInfoContextReader } from "./world-info/info-context.ts";

/** Creates the services of the plugin: books, their entries in memory, and the activation of entries. */
export function assemble(from: Resolver, config: WorldBooksConfig, log: Logger) {
  const database = () => from.get(Databases).main;
  const bookRecords = () => from.get(RecordStore).of(bookResource);
  const entryRecords = () => from.get(RecordStore).of(entryResource);
  const counters = createInjectionCounters(database);
  const loadStored = () => ({ books: bookRecords().all(), entries: entryRecords().all() });
  const library = createLoreLibrary({ loadStored, log });
  const books = createBooks({
    books: bookRecords,
    entries: entryRecords,
    database,
    counters,
    library,
    canSearchRegexes: () => from.find(RegexRunners) !== undefined,
    events: from.get(LiveEvents),
    clock: from.get(Clock),
    unbind: (bookId) => unbindBookFromCharacters(from.find(Characters), bookId),
  });
  const regexes = openRunnerWhenUsed(from, config.regex_limit_ms);
  const findPartner = createPartnerLookup(from);
  const activator = createLoreActivator({
    library,
    findPartner,
    findDefaultPartner: createDefaultPartnerLookup(from),
    readInfoContext: createInfoContextReader(from),
    getScene: (turn) => from.find(Characters)?.sceneOf(turn) ?? {},
    runner: regexes.get,
    regexLimitMs: config.regex_total_ms,
  });
  return {
    bookRecords,
    entryRecords,
    counters,
    library,
    books,
    regexes,
    activator,
    packages: createPackages(books, from.get(Clock)),
    generate: createGeneration(books, () => from.find(ModelCalls)),
    testMatch: createTestMatch({ activator, library, books, partnerOf: findPartner }),
    findNickname: async ({ session: { character_id } }: Turn) =>
      character_id === null
        ? undefined
        : (await from.find(Characters)?.faces([character_id]))?.get(character_id)?.nickname,
    timeZone: () => from.find(Settings)?.get(TIME_ZONE) ?? "UTC",
  };
}

function openRunnerWhenUsed(from: Resolver, limitMs: number) {
  let runner: RegexRunner | undefined;
  return {
    get() {
      runner ??= from.find(RegexRunners)?.open({ limitMs });
      return runner;
    },
    [Symbol.asyncDispose]: async () => runner?.[Symbol.asyncDispose](),
  };
}

function createPartnerLookup(from: Resolver) {
  return async (characterId: string): Promise<Partner | undefined> => {
    const face = (await from.find(Characters)?.faces([characterId]))?.get(characterId);
    return face && { id: face.id, name: face.name, bookIds: new Set(face.world_book_ids) };
  };
}

/** Creates the lookup of the default partner: the current preset and the books of the personality. */
function createDefaultPartnerLookup(from: Resolver) {
  return async (): Promise<Partner | undefined> => {
    const current = await from.find(Personality)?.current();
    return current && { id: current.preset_id ?? "", name: current.name, bookIds: new Set(current.world_book_ids) };
  };
}
