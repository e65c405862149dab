import {
  addResource,
  Characters,
  ChatCommands,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  JobKinds,
  Jobs,
  LiveEvents,
  Memories,
  ModelCalls,
  Models,
  People,
  Probes,
  PromptSources,
  RecordLifecycle,
  type RecordPart,
  type Resolver,
  RouteTables,
  Sessions,
  SettingDefinitions,
  Settings,
  StoredTables,
  serviceKey,
  TextIndex,
  ToolTables,
  TurnStages,
} from "@parley/core";
import { extractionJob } from "./extraction/extraction-job.ts";
import { createMemoryWriter, type MemoryWriter } from "./extraction/memory-writer.ts";
import { storeSummary } from "./extraction/store-summary.ts";
import { forgetStage, forgottenPrompt } from "./forget/forget-stage.ts";
import { memoryTools } from "./mcp-tools.ts";
import { aiTools } from "./people/ai-tools.ts";
import { memoryCommand } from "./people/memory-command.ts";
import { personLifecycle } from "./people/person-lifecycle.ts";
import { createPersonMemories, type PersonMemories } from "./people/person-memories.ts";
import { instructionsPrompt, memoriesPrompt, recallStage, rememberStage } from "./recall/turn-stages.ts";
import { memoryRoutes } from "./routes.ts";
import { memories } from "./schema.ts";
import { createMemorySwitch, EXTRACTION_MODE, MEMORY_ENABLED, type MemorySwitch, RECALL_TOKENS } from "./settings.ts";
import { createMemoryEmbeddings, type MemoryEmbeddings } from "./store/embedding-job.ts";
import { createMemoryService, type MemoriesDeps, type MemoryService } from "./store/memories.ts";
import { createMemoryIndex, type MemoryIndex } from "./store/memory-index.ts";
import { createMemoryStore, type MemoryStore } from "./store/memory-store.ts";
import { MEMORY_MIGRATIONS } from "./store/tables.ts";

const HOUR_MS = 3_600_000;

const MemoryStoreKey = serviceKey<MemoryStore>("memory.store");
const MemoryIndexKey = serviceKey<MemoryIndex>("memory.index");
const MemoryServiceKey = serviceKey<MemoryService>("memory.memories");
const MemoryWriterKey = serviceKey<MemoryWriter>("memory.remember");
const MemoryEmbeddingsKey = serviceKey<MemoryEmbeddings>("memory.vectors");
const PersonMemoriesKey = serviceKey<PersonMemories>("memory.persons");
const MemorySwitchKey = serviceKey<MemorySwitch>("memory.switch");

/** Record kinds whose changes may leave memories without a vector. */
const EMBEDDING_TRIGGERS: ReadonlySet<string> = new Set(["memory", "model", "ai_config"]);

const AREA: ConsoleArea = {
  id: "memories",
  group: "knowledge",
  title: { en: "Memories", zh: "记忆" },
  icon: "brain",
  view: { kind: "page", page: "memories" },
};

/** Memory of people: extracted from conversations, corrected, and recalled where relevant. */
export default definePlugin({
  id: "memory",
  requires: [Databases, Settings, TextIndex],
  register(context) {
    const { provide, contribute } = context;
    provide(MemoryStoreKey, (from) =>
      createMemoryStore(
        () => from.get(Databases).main,
        () => from.get(Clock).now(),
      ),
    );
    provide(MemoryIndexKey, (from) =>
      createMemoryIndex({
        index: () => from.get(TextIndex),
        database: () => from.get(Databases).main,
        calls: () => from.find(ModelCalls),
      }),
    );
    provide(MemoryEmbeddingsKey, (from) =>
      createMemoryEmbeddings({
        index: from.get(MemoryIndexKey),
        models: () => from.find(Models),
        jobs: () => from.find(Jobs),
      }),
    );
    provide(MemoryServiceKey, (from) => createMemoryService(createMemoryDeps(from)));
    provide(MemoryWriterKey, (from) =>
      createMemoryWriter({ ...createSharedDeps(from), people: () => from.find(People) }),
    );
    provide(PersonMemoriesKey, (from) =>
      createPersonMemories({
        ...createSharedDeps(from),
        people: () => from.find(People),
        sessions: () => from.get(Sessions),
        settings: () => from.get(Settings),
      }),
    );
    provide(MemorySwitchKey, (from) =>
      createMemorySwitch({ settings: () => from.get(Settings), models: () => from.find(Models) }),
    );
    provide(Memories, (from) => ({
      ofSummary: (session, summary, username) =>
        storeSummary({ ...createSharedDeps(from), remember: from.get(MemoryWriterKey) }, session, summary, username),
      async withoutMessages(ids) {
        return (await from.get(MemoryWriterKey).undoWrites(ids)).writes;
      },
    }));
    for (const definition of [MEMORY_ENABLED, EXTRACTION_MODE, RECALL_TOKENS])
      contribute(SettingDefinitions, () => definition);
    addResource(context, memories, (from) => from.get(MemoryServiceKey).rows);
    contribute(RouteTables, (from) => memoryRoutes(createSharedDeps(from)));
    contribute(ToolTables, (from) => memoryTools(from.get(MemoryServiceKey)));
    contribute(ToolTables, (from) =>
      aiTools({
        personMemories: from.get(PersonMemoriesKey),
        remember: from.get(MemoryWriterKey),
        write: (writes) => from.get(Databases).main.write(writes),
        settings: () => from.get(Settings),
        models: () => from.find(Models),
        clock: from.get(Clock),
        isOffered: () => from.get(MemorySwitchKey).isOn(),
      }),
    );
    contribute(ChatCommands, (from) => memoryCommand(from.get(PersonMemoriesKey), () => from.get(Settings)));
    contribute(TurnStages, (from) => forgetStage({ ...createTurnDeps(from), own: from.get(PersonMemoriesKey) }));
    contribute(TurnStages, (from) => recallStage(createTurnDeps(from)));
    contribute(TurnStages, (from) => rememberStage(createTurnDeps(from)));
    for (const source of [instructionsPrompt, forgottenPrompt, memoriesPrompt]) contribute(PromptSources, () => source);
    contribute(JobKinds, (from) => extractionJob(createTurnDeps(from)));
    contribute(JobKinds, (from) => from.get(MemoryEmbeddingsKey).job);
    contribute(RecordLifecycle, (from) => characterLifecycle(from.get(MemoryServiceKey)));
    contribute(RecordLifecycle, (from) => sessionLifecycle(from.get(MemoryStoreKey)));
    contribute(RecordLifecycle, (from) =>
      personLifecycle({
        database: () => from.get(Databases).main,
        store: from.get(MemoryStoreKey),
        index: from.get(MemoryIndexKey),
        events: from.get(LiveEvents),
      }),
    );
    contribute(Probes, (from) => ({
      id: "memory",
      stats: async () => ({ memories: await from.get(MemoryStoreKey).count() }),
    }));
    contribute(StoredTables, (from) => ({
      id: "memory.texts",
      prepare: () => from.get(TextIndex).space("memories").prepare(),
    }));
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get }) {
    await get(Databases).main.migrate("memory", MEMORY_MIGRATIONS);
  },
  async ready({ get, find, defer, log }) {
    const refresh = () => {
      get(MemoryEmbeddingsKey)
        .refresh()
        .catch((error: unknown) => log.warn("memories could not be vectorized", { error }));
    };
    const refreshSwitch = () =>
      get(MemorySwitchKey)
        .refresh()
        .catch((error: unknown) => log.warn("the configuration of models could not be read", { error }));
    defer(find(Models)?.onChanged(() => void refreshSwitch()) ?? (() => {}));
    defer(
      get(LiveEvents).subscribe((event) => {
        if (event.type === "resource_changed" && EMBEDDING_TRIGGERS.has(String(event.payload.kind))) refresh();
      }),
    );
    await refreshSwitch();
    refresh();
    const sweep = async () => {
      const { store, database, index, clock } = createSharedDeps({ get } as unknown as Resolver);
      for (let ids = await store.listExpired(clock.now()); ids.length > 0; ids = await store.listExpired(clock.now())) {
        await database().write([...(await index.deleteWrites(ids)), ...store.deleteWrites(ids)]);
      }
    };
    const sweepSafely = () =>
      sweep().catch((error: unknown) => log.warn("expired memories were not removed", { error }));
    const timer = setInterval(sweepSafely, HOUR_MS);
    defer(() => clearInterval(timer));
    await sweepSafely();
  },
});

/** Memories of a character are deleted with it. */
function characterLifecycle(own: MemoryService): RecordPart {
  return {
    id: "memory.of-character",
    of: "character",
    removed: async (id) => (await own.clearWrites({ character_id: id })).writes,
  };
}

/** Memories outlive the conversation they come from. */
function sessionLifecycle(store: MemoryStore): RecordPart {
  return { id: "memory.of-session", of: "session", removed: async (id) => [store.clearSessionWrite(id)] };
}

function createMemoryDeps(from: Resolver): MemoriesDeps {
  return {
    store: from.get(MemoryStoreKey),
    index: from.get(MemoryIndexKey),
    database: () => from.get(Databases).main,
    characters: () => from.find(Characters),
    events: from.get(LiveEvents),
    clock: from.get(Clock),
  };
}

function createSharedDeps(from: Resolver) {
  return { ...createMemoryDeps(from), memories: from.get(MemoryServiceKey) };
}

function createTurnDeps(from: Resolver) {
  return {
    ...createSharedDeps(from),
    remember: from.get(MemoryWriterKey),
    people: () => from.find(People),
    sessions: () => from.get(Sessions),
    jobs: () => from.find(Jobs),
    calls: () => from.find(ModelCalls),
    models: () => from.find(Models),
    settings: () => from.get(Settings),
  };
}
