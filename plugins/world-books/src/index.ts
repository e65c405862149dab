import {
  addRecords,
  addResource,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Lorebooks,
  Probes,
  PromptSources,
  RecordLifecycle,
  type RecordPart,
  RecordStore,
  type ResourceItem,
  RouteTables,
  type StoredRecords,
  serviceKey,
  ToolTables,
  TransferSections,
  TurnStages,
} from "@parley/core";
import type { LoreLibrary } from "./activation/lore-library.ts";
import { assemble } from "./assemble.ts";
import { COUNTER_MIGRATIONS, type InjectionCounters } from "./books/injection-counters.ts";
import { createLorebooks } from "./books/packages.ts";
import { books as bookResource, entries as entryResource } from "./books/schema.ts";
import { createWorldBookSection } from "./books/transfer.ts";
import { type WorldBooksConfig, worldBooksConfig } from "./config.ts";
import { createWorldBookTools } from "./mcp-tools.ts";
import { PROMPT_SOURCES } from "./prompt-sources.ts";
import { createWorldBookRoutes } from "./routes.ts";
import { createActivationStage, createCountStage } from "./turn-stages.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("world-books.own");

const AREA: ConsoleArea = {
  id: "world-books",
  group: "bot",
  title: { en: "World books", zh: "世界书" },
  icon: "globe",
  view: { kind: "page", page: "world-books" },
};

/** Provides world books: texts that are added to a conversation when their keywords occur. */
export default definePlugin<WorldBooksConfig>({
  id: "world-books",
  requires: [Databases, RecordStore],
  config: worldBooksConfig,
  register(context) {
    const { config, log, provide, contribute } = context;
    provide(Own, (from) => assemble(from, config, log));
    provide(Lorebooks, (from) => createLorebooks(from.get(Own).books));
    addRecords(context, bookResource);
    addRecords(context, entryResource);
    addResource(context, bookResource, (from) => from.get(Own).books.records);
    contribute(RouteTables, (from) => createWorldBookRoutes(from.get(Own)));
    contribute(ToolTables, (from) => createWorldBookTools(from.get(Own).books));
    contribute(TurnStages, (from) => createActivationStage(from.get(Own)));
    contribute(TurnStages, (from) => createCountStage(from.get(Own)));
    for (const source of PROMPT_SOURCES) contribute(PromptSources, () => source);
    contribute(RecordLifecycle, (from) => createSessionPart(from.get(Own).counters));
    contribute(TransferSections, (from) => createWorldBookSection(() => from.get(Own).books));
    contribute(Probes, (from) => ({
      id: "world-books",
      stats: async () => ({ world_books: from.get(Own).library.books.size }),
    }));
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get, log, defer }) {
    await get(Databases).main.migrate("world-books", COUNTER_MIGRATIONS);
    const own = get(Own);
    defer(() => own.regexes[Symbol.asyncDispose]());
    defer(followRemoteChanges(own));
    // Messages are answered while the entries are loaded, without the entries that are missing.
    const reading = own.library
      .ready()
      .catch((error: unknown) => log.error("world books could not be read", { error }));
    defer(() => reading);
  },
});

/** Applies changes of other processes; returns an unsubscribe function. */
function followRemoteChanges({ library, bookRecords, entryRecords }: Own): () => void {
  const ends = [
    followRecords(bookRecords(), library, {
      put: async (book) => library.putBook(book),
      remove: async (id) => library.removeBook(id),
    }),
    followRecords(entryRecords(), library, {
      put: (entry) => library.put([entry]),
      remove: (id) => library.remove([id]),
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

interface RecordActions<Fields extends object> {
  put(record: ResourceItem<Fields>): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Calls an action for each record that another process changed; reloads the library when it may be any. */
function followRecords<Fields extends object>(
  records: StoredRecords<Fields>,
  library: LoreLibrary,
  { put, remove }: RecordActions<Fields>,
): () => void {
  return records.onElsewhere(async (id) => {
    if (id === undefined) return library.reload();
    const record = await records.find(id);
    await (record ? put(record) : remove(id));
  });
}

/** Declares the data about sessions: a copied conversation gets copied counts. */
function createSessionPart(counters: InjectionCounters): RecordPart {
  return {
    id: "world-books.counts",
    of: "session",
    removed: async (id) => counters.removeSessionWrites(id),
    copied: (copy) => counters.copySessionWrites(copy),
    withoutMessages: (id, messageIds) => counters.uncountWrites(id, messageIds),
  };
}
