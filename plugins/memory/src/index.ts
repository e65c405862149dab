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
import { aiTools } from "./ai-tools.ts";
import { memoryCommand } from "./commands.ts";
import { findJob } from "./find-job.ts";
import { forgetStage, forgottenSource } from "./forget-stage.ts";
import { memoryTools } from "./mcp-tools.ts";
import { createMemories, type MemoriesParts, type OwnMemories } from "./memories.ts";
import { createMemoryIndex, type MemoryIndex } from "./memory-index.ts";
import { createMemoryStore, type MemoryStore } from "./memory-store.ts";
import { createPersonsMemories, type PersonsMemories } from "./own-memories.ts";
import { personPart } from "./person-part.ts";
import { createRemember, type Remember } from "./remember.ts";
import { memoryRoutes } from "./routes.ts";
import { memories } from "./schema.ts";
import { createSwitch, FINDING, MEMORY, RECALL_TOKENS, type Switch } from "./settings.ts";
import { keepSummary } from "./summary.ts";
import { MEMORY_MIGRATIONS } from "./tables.ts";
import { memoriesSource, recallStage, rememberStage, usingSource } from "./turn.ts";
import { createMemoryVectors, type MemoryVectors } from "./vectors-job.ts";

const HOUR_MS = 3_600_000;

const Store = serviceKey<MemoryStore>("memory.store");
const Index = serviceKey<MemoryIndex>("memory.index");
const Own = serviceKey<OwnMemories>("memory.memories");
const OwnRemember = serviceKey<Remember>("memory.remember");
const Vectors = serviceKey<MemoryVectors>("memory.vectors");
const Persons = serviceKey<PersonsMemories>("memory.persons");
const OwnSwitch = serviceKey<Switch>("memory.switch");

/** What may leave memories without a vector when it changes. */
const SEEN: ReadonlySet<string> = new Set(["memory", "model", "ai_config"]);

const AREA: ConsoleArea = {
  id: "memories",
  group: "knowledge",
  title: { en: "Memories", zh: "记忆" },
  icon: "brain",
  view: { kind: "page", page: "memories" },
};

/** What people told the bot of themselves: found in conversations, kept right, and recalled where it fits. */
export default definePlugin({
  id: "memory",
  requires: [Databases, Settings, TextIndex],
  register(context) {
    const { provide, contribute } = context;
    provide(Store, (from) =>
      createMemoryStore(
        () => from.get(Databases).main,
        () => from.get(Clock).now(),
      ),
    );
    provide(Index, (from) =>
      createMemoryIndex({
        index: () => from.get(TextIndex),
        database: () => from.get(Databases).main,
        calls: () => from.find(ModelCalls),
      }),
    );
    provide(Vectors, (from) =>
      createMemoryVectors({ index: from.get(Index), models: () => from.find(Models), jobs: () => from.find(Jobs) }),
    );
    provide(Own, (from) => createMemories(partsOf(from)));
    provide(OwnRemember, (from) => createRemember({ ...sharedOf(from), people: () => from.find(People) }));
    provide(Persons, (from) =>
      createPersonsMemories({
        ...sharedOf(from),
        people: () => from.find(People),
        sessions: () => from.get(Sessions),
        settings: () => from.get(Settings),
      }),
    );
    provide(OwnSwitch, (from) => createSwitch({ settings: () => from.get(Settings), models: () => from.find(Models) }));
    provide(Memories, (from) => ({
      ofSummary: (session, summary, username) =>
        keepSummary({ ...sharedOf(from), remember: from.get(OwnRemember) }, session, summary, username),
      async withoutMessages(ids) {
        return (await from.get(OwnRemember).withoutMessages(ids)).writes;
      },
    }));
    for (const definition of [MEMORY, FINDING, RECALL_TOKENS]) contribute(SettingDefinitions, () => definition);
    addResource(context, memories, (from) => from.get(Own).rows);
    contribute(RouteTables, (from) => memoryRoutes(sharedOf(from)));
    contribute(ToolTables, (from) => memoryTools(from.get(Own)));
    contribute(ToolTables, (from) =>
      aiTools({
        own: from.get(Persons),
        remember: from.get(OwnRemember),
        write: (writes) => from.get(Databases).main.write(writes),
        settings: () => from.get(Settings),
        models: () => from.find(Models),
        clock: from.get(Clock),
        isOffered: () => from.get(OwnSwitch).isOn(),
      }),
    );
    contribute(ChatCommands, (from) => memoryCommand(from.get(Persons), () => from.get(Settings)));
    contribute(TurnStages, (from) => forgetStage({ ...turnPartsOf(from), own: from.get(Persons) }));
    contribute(TurnStages, (from) => recallStage(turnPartsOf(from)));
    contribute(TurnStages, (from) => rememberStage(turnPartsOf(from)));
    for (const source of [usingSource, forgottenSource, memoriesSource]) contribute(PromptSources, () => source);
    contribute(JobKinds, (from) => findJob(turnPartsOf(from)));
    contribute(JobKinds, (from) => from.get(Vectors).job);
    contribute(RecordLifecycle, (from) => characterPart(from.get(Own)));
    contribute(RecordLifecycle, (from) => sessionPart(from.get(Store)));
    contribute(RecordLifecycle, (from) =>
      personPart({
        database: () => from.get(Databases).main,
        store: from.get(Store),
        index: from.get(Index),
        events: from.get(LiveEvents),
      }),
    );
    contribute(Probes, (from) => ({
      id: "memory",
      stats: async () => ({ memories: await from.get(Store).count() }),
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
      get(Vectors)
        .refresh()
        .catch((error: unknown) => log.warn("memories got no vectors", { error }));
    };
    const lookAtSwitch = () =>
      get(OwnSwitch)
        .look()
        .catch((error: unknown) => log.warn("the configuration of models could not be read", { error }));
    defer(find(Models)?.onChanged(() => void lookAtSwitch()) ?? (() => {}));
    defer(
      get(LiveEvents).subscribe((event) => {
        if (event.type === "resource_changed" && SEEN.has(String(event.payload.kind))) refresh();
      }),
    );
    await lookAtSwitch();
    refresh();
    const sweep = async () => {
      const { store, database, index, clock } = sharedOf({ get } as unknown as Resolver);
      for (let ids = await store.expired(clock.now()); ids.length > 0; ids = await store.expired(clock.now())) {
        await database().write([...(await index.removing(ids)), ...store.removing(ids)]);
      }
    };
    const tried = () => sweep().catch((error: unknown) => log.warn("expired memories were not removed", { error }));
    const timer = setInterval(tried, HOUR_MS);
    defer(() => clearInterval(timer));
    await tried();
  },
});

/** What of a character is remembered goes with it. */
function characterPart(own: OwnMemories): RecordPart {
  return {
    id: "memory.of-character",
    of: "character",
    removed: async (id) => (await own.clearing({ character_id: id })).writes,
  };
}

/** What was said in a conversation is remembered when it is gone. */
function sessionPart(store: MemoryStore): RecordPart {
  return { id: "memory.of-session", of: "session", removed: async (id) => [store.leavingSession(id)] };
}

function partsOf(from: Resolver): MemoriesParts {
  return {
    store: from.get(Store),
    index: from.get(Index),
    database: () => from.get(Databases).main,
    characters: () => from.find(Characters),
    events: from.get(LiveEvents),
    clock: from.get(Clock),
  };
}

function sharedOf(from: Resolver) {
  return { ...partsOf(from), memories: from.get(Own) };
}

function turnPartsOf(from: Resolver) {
  return {
    ...sharedOf(from),
    remember: from.get(OwnRemember),
    people: () => from.find(People),
    sessions: () => from.get(Sessions),
    jobs: () => from.find(Jobs),
    calls: () => from.find(ModelCalls),
    models: () => from.find(Models),
    settings: () => from.get(Settings),
  };
}
