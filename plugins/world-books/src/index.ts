import {
  addRecords,
  addResource,
  Characters,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Joi,
  LiveEvents,
  Lorebooks,
  ModelCalls,
  Personality,
  Probes,
  PromptSources,
  RecordLifecycle,
  type RecordPart,
  RecordStore,
  type RegexRunner,
  RegexRunners,
  type Resolver,
  RouteTables,
  Settings,
  serviceKey,
  TIME_ZONE,
  ToolTables,
  TransferSections,
  TurnStages,
} from "@parley/core";
import { createLoreActivator, type LoreActivator, type Partner } from "./activation/lore-activator.ts";
import { createLoreLibrary, type LoreLibrary } from "./activation/lore-library.ts";
import { createTestMatch } from "./activation/test-match.ts";
import { type Books, createBooks } from "./books/books.ts";
import { createGeneration } from "./books/generate.ts";
import { COUNTER_MIGRATIONS, createInjectionCounters, type InjectionCounters } from "./books/injection-counters.ts";
import { createLorebooks, createPackages } from "./books/packages.ts";
import { books as bookResource, entries as entryResource } from "./books/schema.ts";
import { createWorldBookSection } from "./books/transfer.ts";
import { unbindBookFromCharacters } from "./books/unbind.ts";
import { createWorldBookTools } from "./mcp-tools.ts";
import { PROMPT_SOURCES } from "./prompt-sources.ts";
import { worldBookRoutes } from "./routes.ts";
import { createActivationStage, createCountStage } from "./turn-stages.ts";

interface WorldBooksConfig {
  readonly regex_limit_ms: number;
  readonly regex_total_ms: number;
}

const OwnBooks = serviceKey<Books>("world-books.books");
const OwnCounters = serviceKey<InjectionCounters>("world-books.counters");
const Library = serviceKey<LoreLibrary>("world-books.library");
const OwnActivator = serviceKey<LoreActivator>("world-books.recaller");
const Runner = serviceKey<{ get(): RegexRunner | undefined } & AsyncDisposable>("world-books.regexes");

const AREA: ConsoleArea = {
  id: "world-books",
  group: "bot",
  title: { en: "World books", zh: "世界书" },
  icon: "globe",
  view: { kind: "page", page: "world-books" },
};

/** World books: lore that comes up in a conversation when its keywords do. */
export default definePlugin<WorldBooksConfig>({
  id: "world-books",
  requires: [Databases, RecordStore],
  config: Joi.object<WorldBooksConfig, true>({
    regex_limit_ms: Joi.number()
      .integer()
      .min(10)
      .max(1000)
      .default(100)
      .description("Milliseconds one regular expression may take per text"),
    regex_total_ms: Joi.number()
      .integer()
      .min(10)
      .max(5000)
      .default(200)
      .description("Milliseconds per message after which no more regular expressions are tried"),
  }),
  register(context) {
    const { config, log, provide, contribute } = context;
    provide(OwnCounters, (from) => createInjectionCounters(() => from.get(Databases).main));
    provide(Library, (from) =>
      createLoreLibrary({
        loadStored: () => ({
          books: from.get(RecordStore).of(bookResource).all(),
          entries: from.get(RecordStore).of(entryResource).all(),
        }),
        log,
      }),
    );
    provide(OwnBooks, (from) =>
      createBooks({
        books: () => from.get(RecordStore).of(bookResource),
        entries: () => from.get(RecordStore).of(entryResource),
        database: () => from.get(Databases).main,
        counters: from.get(OwnCounters),
        library: from.get(Library),
        canSearchRegexes: () => from.find(RegexRunners) !== undefined,
        events: from.get(LiveEvents),
        clock: from.get(Clock),
        unbind: (bookId) => unbindBookFromCharacters(from.find(Characters), bookId),
      }),
    );
    provide(Runner, (from) => {
      let runner: RegexRunner | undefined;
      return {
        get() {
          runner ??= from.find(RegexRunners)?.open({ limitMs: config.regex_limit_ms });
          return runner;
        },
        [Symbol.asyncDispose]: async () => runner?.[Symbol.asyncDispose](),
      };
    });
    provide(OwnActivator, (from) =>
      createLoreActivator({
        library: from.get(Library),
        findPartner: createPartnerLookup(from),
        findDefaultPartner: createDefaultPartnerLookup(from),
        getScene: (turn) => from.find(Characters)?.sceneOf(turn) ?? {},
        runner: () => from.get(Runner).get(),
        regexLimitMs: config.regex_total_ms,
      }),
    );
    provide(Lorebooks, (from) => createLorebooks(from.get(OwnBooks)));
    addRecords(context, bookResource);
    addRecords(context, entryResource);
    addResource(context, bookResource, (from) => from.get(OwnBooks).records);
    contribute(RouteTables, (from) =>
      worldBookRoutes({
        books: from.get(OwnBooks),
        packages: createPackages(from.get(OwnBooks), from.get(Clock)),
        generate: createGeneration(from.get(OwnBooks), () => from.find(ModelCalls)),
        testMatch: createTestMatch({
          recaller: from.get(OwnActivator),
          library: from.get(Library),
          books: from.get(OwnBooks),
          partnerOf: createPartnerLookup(from),
        }),
      }),
    );
    contribute(TurnStages, (from) =>
      createActivationStage({
        recaller: from.get(OwnActivator),
        counters: from.get(OwnCounters),
        timeZone: () => from.find(Settings)?.get(TIME_ZONE) ?? "UTC",
      }),
    );
    contribute(TurnStages, (from) => createCountStage({ counters: from.get(OwnCounters) }));
    for (const source of PROMPT_SOURCES) contribute(PromptSources, () => source);
    contribute(RecordLifecycle, (from) => createSessionPart(from.get(OwnCounters)));
    contribute(ToolTables, (from) => createWorldBookTools(from.get(OwnBooks)));
    contribute(TransferSections, (from) => createWorldBookSection(() => from.get(OwnBooks)));
    contribute(Probes, (from) => ({
      id: "world-books",
      stats: async () => ({ world_books: from.get(Library).books.size }),
    }));
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get, log, defer }) {
    await get(Databases).main.migrate("world-books", COUNTER_MIGRATIONS);
    defer(async () => get(Runner)[Symbol.asyncDispose]());
    defer(followRemoteChanges(get));
    // Messages are answered meanwhile, without what has not been read.
    const reading = get(Library)
      .ready()
      .catch((error: unknown) => log.error("world books could not be read", { error }));
    defer(() => reading);
  },
});

/** Applies changes of other processes; the returned function stops that. */
function followRemoteChanges(get: Resolver["get"]): () => void {
  const library = get(Library);
  const [books, entries] = [get(RecordStore).of(bookResource), get(RecordStore).of(entryResource)];
  const ends = [
    books.onElsewhere(async (id) => {
      if (id === undefined) return library.reload();
      const book = await books.find(id);
      if (book) library.putBook(book);
      else library.removeBook(id);
    }),
    entries.onElsewhere(async (id) => {
      if (id === undefined) return library.reload();
      const entry = await entries.find(id);
      await (entry ? library.put([entry]) : library.remove([id]));
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Session data: a copied conversation gets its own counts. */
function createSessionPart(counters: InjectionCounters): RecordPart {
  return {
    id: "world-books.counts",
    of: "session",
    removed: async (id) => counters.removeSessionWrites(id),
    copied: (copy) => counters.copySessionWrites(copy),
    withoutMessages: (id, messageIds) => counters.uncountWrites(id, messageIds),
  };
}

function createPartnerLookup(from: Resolver) {
  return async (characterId: string): Promise<Partner | undefined> => {
    const face = (await from.find(Characters)?.faces([characterId]))?.get(characterId);
    return face && { id: face.id, name: face.name, bookIds: new Set(face.world_book_ids) };
  };
}

/** Returns the lookup of the default partner: the books of the current preset, and those the personality names. */
function createDefaultPartnerLookup(from: Resolver) {
  return async (): Promise<Partner | undefined> => {
    const current = await from.find(Personality)?.current();
    return current && { id: current.preset_id ?? "", name: current.name, bookIds: new Set(current.world_book_ids) };
  };
}
