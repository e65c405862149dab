import {
  addResource,
  ChatCommands,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  JobKinds,
  LiveEvents,
  Memories,
  Models,
  Probes,
  PromptSources,
  RecordLifecycle,
  type RecordPart,
  RouteTables,
  SettingDefinitions,
  Settings,
  StoredTables,
  serviceKey,
  TextIndex,
  ToolTables,
  TurnStages,
  Upkeeps,
} from "@parley/core";
import { assemble } from "./assemble.ts";
import { createExtractionJob } from "./extraction/extraction-job.ts";
import { storeSummary } from "./extraction/store-summary.ts";
import { createForgetStage, forgottenPrompt } from "./forget/forget-stage.ts";
import { createMemoryTools } from "./mcp-tools.ts";
import { createAiTools } from "./people/ai-tools.ts";
import { createMemoryCommand } from "./people/memory-command.ts";
import { createPersonLifecycle } from "./people/person-lifecycle.ts";
import { createRecallStage, createRememberStage, instructionsPrompt, memoriesPrompt } from "./recall/turn-stages.ts";
import { createMemoryRoutes } from "./routes.ts";
import { memories } from "./schema.ts";
import { EXTRACTION_MODE, MEMORY_ENABLED, RECALL_TOKENS } from "./settings.ts";
import { createExpiryUpkeep } from "./store/expiry.ts";
import type { MemoryService } from "./store/memories.ts";
import type { MemoryStore } from "./store/memory-store.ts";
import { MEMORY_MIGRATIONS } from "./store/tables.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("memory.own");

/** Record kinds whose changes may leave memories without a vector. */
const EMBEDDING_TRIGGERS: ReadonlySet<string> = new Set(["memory", "model", "ai_config"]);

const AREA: ConsoleArea = {
  id: "memories",
  group: "knowledge",
  title: { en: "Memories", zh: "记忆" },
  icon: "brain",
  view: { kind: "page", page: "memories" },
};

/** Remembers people: extracts memories from conversations, corrects them, and recalls them when relevant. */
export default definePlugin({
  id: "memory",
  requires: [Databases, Settings, TextIndex],
  register(context) {
    const { provide, contribute } = context;
    provide(Own, assemble);
    provide(Memories, (from) => ({
      ofSummary: (session, summary, username) => storeSummary(from.get(Own), session, summary, username),
      async withoutMessages(ids) {
        return (await from.get(Own).remember.undoWrites(ids)).writes;
      },
    }));
    for (const definition of [MEMORY_ENABLED, EXTRACTION_MODE, RECALL_TOKENS])
      contribute(SettingDefinitions, () => definition);
    addResource(context, memories, (from) => from.get(Own).memories.rows);
    contribute(RouteTables, (from) => createMemoryRoutes(from.get(Own)));
    contribute(ToolTables, (from) => createMemoryTools(from.get(Own).memories));
    contribute(ToolTables, (from) =>
      createAiTools({
        personMemories: from.get(Own).personMemories,
        remember: from.get(Own).remember,
        write: (writes) => from.get(Databases).main.write(writes),
        settings: () => from.get(Settings),
        models: () => from.find(Models),
        clock: from.get(Clock),
        isOffered: () => from.get(Own).memorySwitch.isOn(),
      }),
    );
    contribute(ChatCommands, (from) => createMemoryCommand(from.get(Own).personMemories, from.get(Own)));
    contribute(TurnStages, (from) => createForgetStage({ ...from.get(Own), own: from.get(Own).personMemories }));
    contribute(TurnStages, (from) => createRecallStage(from.get(Own)));
    contribute(TurnStages, (from) => createRememberStage(from.get(Own)));
    for (const source of [instructionsPrompt, forgottenPrompt, memoriesPrompt]) contribute(PromptSources, () => source);
    contribute(JobKinds, (from) => createExtractionJob(from.get(Own)));
    contribute(JobKinds, (from) => from.get(Own).embeddings.job);
    contribute(Upkeeps, (from) => createExpiryUpkeep(from.get(Own)));
    contribute(RecordLifecycle, (from) => createCharacterLifecycle(from.get(Own).memories));
    contribute(RecordLifecycle, (from) => createSessionLifecycle(from.get(Own).store));
    contribute(RecordLifecycle, (from) =>
      createPersonLifecycle({
        database: () => from.get(Databases).main,
        store: from.get(Own).store,
        index: from.get(Own).index,
        events: from.get(LiveEvents),
      }),
    );
    contribute(Probes, (from) => ({
      id: "memory",
      stats: async () => ({ memories: await from.get(Own).store.count() }),
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
      get(Own)
        .embeddings.refresh()
        .catch((error: unknown) => log.warn("memories could not be vectorized", { error }));
    };
    const refreshSwitch = () =>
      get(Own)
        .memorySwitch.refresh()
        .catch((error: unknown) => log.warn("the configuration of models could not be read", { error }));
    defer(find(Models)?.onChanged(() => void refreshSwitch()) ?? (() => {}));
    defer(
      get(LiveEvents).subscribe((event) => {
        if (event.type === "resource_changed" && EMBEDDING_TRIGGERS.has(String(event.payload.kind))) refresh();
      }),
    );
    await refreshSwitch();
    refresh();
  },
});

/** Deletes the memories of a deleted character. */
function createCharacterLifecycle(own: MemoryService): RecordPart {
  return {
    id: "memory.of-character",
    of: "character",
    removed: async (id) => (await own.clearWrites({ character_id: id })).writes,
  };
}

/** Keeps memories when the conversation they come from is deleted. */
function createSessionLifecycle(store: MemoryStore): RecordPart {
  return { id: "memory.of-session", of: "session", removed: async (id) => [store.clearSessionWrite(id)] };
}
