import {
  addResource,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  DocumentTexts,
  definePlugin,
  JobKinds,
  LiveEvents,
  type Logger,
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
} from "@parley/core";
import { assemble } from "./assemble.ts";
import { createIndexJob, createRebuildJob } from "./indexing/jobs.ts";
import type { Rebuild } from "./indexing/rebuild.ts";
import { createKnowledgeTools } from "./mcp-tools.ts";
import { readText } from "./reading/reader.ts";
import { createKnowledgeRoutes } from "./routes.ts";
import { documentResource } from "./schema.ts";
import { citeStage, citingSource, createRetrievalStage, passagesSource } from "./search/turn-stages.ts";
import { KNOWLEDGE } from "./settings.ts";
import { KNOWLEDGE_MIGRATIONS } from "./tables.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("knowledge.own");

const AREA: ConsoleArea = {
  id: "knowledge",
  group: "knowledge",
  title: { en: "Knowledge", zh: "知识库" },
  icon: "book",
  view: { kind: "page", page: "knowledge" },
};

const PERSON_LIFECYCLE: RecordPart = {
  id: "knowledge.of-person",
  of: "person",
  tables: [
    { table: "knowledge_documents", isKept: true },
    { table: "knowledge_contents", isKept: true },
  ],
};

/** Manages knowledge documents, which are searched by words and meaning and cited to the model by number. */
export default definePlugin({
  id: "knowledge",
  requires: [Databases, TextIndex],
  register(context) {
    const { log, provide, contribute } = context;
    provide(Own, (from) => assemble(from, log));
    provide(DocumentTexts, () => ({ textOf: readText }));
    contribute(SettingDefinitions, () => KNOWLEDGE);
    addResource(context, documentResource, (from) => from.get(Own).documents.records);
    contribute(RouteTables, (from) => createKnowledgeRoutes(from.get(Own)));
    contribute(ToolTables, (from) => createKnowledgeTools(from.get(Own)));
    contribute(TurnStages, (from) =>
      createRetrievalStage({ ...from.get(Own), isEnabled: () => from.find(Settings)?.get(KNOWLEDGE) ?? true }),
    );
    contribute(TurnStages, () => citeStage);
    contribute(PromptSources, () => citingSource);
    contribute(PromptSources, () => passagesSource);
    contribute(JobKinds, (from) => createIndexJob(() => from.get(Own).indexing));
    contribute(JobKinds, (from) => from.get(Own).importing.job);
    contribute(JobKinds, (from) => createRebuildJob(() => from.get(Own).rebuild));
    contribute(RecordLifecycle, () => PERSON_LIFECYCLE);
    contribute(StoredTables, (from) => ({
      id: "knowledge.texts",
      prepare: () => from.get(TextIndex).space("knowledge").prepare(),
    }));
    contribute(Probes, (from) => ({
      id: "knowledge",
      stats: async () => ({ documents: await from.get(Own).store.count() }),
    }));
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get }) {
    await get(Databases).main.migrate("knowledge", KNOWLEDGE_MIGRATIONS);
  },
  async ready({ get, defer, log }) {
    const { rebuild, rebuildEvents } = get(Own);
    defer(rebuildEvents.listen(rebuild.receive));
    defer(followModelChanges(get(LiveEvents), rebuild, log));
    rebuild.resume().catch((error: unknown) => log.warn("vectors could not be refreshed", { error }));
  },
});

/** Refreshes the vectors when models change; the returned function stops that. */
function followModelChanges(events: LiveEvents, rebuild: Rebuild, log: Logger): () => void {
  return events.subscribe((event) => {
    if (event.type !== "resource_changed") return;
    const { kind, action, id } = event.payload;
    if (kind !== "model" && kind !== "ai_config") return;
    rebuild
      .refresh(action === "updated" ? String(id) : undefined)
      .catch((error: unknown) => log.warn("vectors could not be refreshed", { error }));
  });
}
