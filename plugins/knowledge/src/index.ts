import {
  addResource,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  DocumentTexts,
  definePlugin,
  Egress,
  Files,
  JobKinds,
  Jobs,
  LiveEvents,
  ModelCalls,
  Models,
  Probes,
  PromptSources,
  RecordLifecycle,
  type RecordPart,
  type Resolver,
  RouteTables,
  SettingDefinitions,
  Settings,
  Signals,
  StoredTables,
  serviceKey,
  TextIndex,
  ToolTables,
  TurnStages,
} from "@parley/core";
import { createDocumentStore, type DocumentStore } from "./documents/document-store.ts";
import { createDocuments, type Documents } from "./documents/documents.ts";
import { createImporter, type Importer } from "./import/importer.ts";
import { createIndexing, type Indexing } from "./indexing/indexing.ts";
import { createIndexJob, createRebuildJob } from "./indexing/jobs.ts";
import { createRebuild, type Rebuild } from "./indexing/rebuild.ts";
import { createRebuildBroadcast, followRebuild } from "./indexing/rebuild-broadcast.ts";
import { createKnowledgeTools } from "./mcp-tools.ts";
import { readFile } from "./reading/reader.ts";
import { knowledgeRoutes } from "./routes.ts";
import { documentResource } from "./schema.ts";
import { createSearch, type KnowledgeSearch } from "./search/search.ts";
import { citeStage, citingSource, createRetrievalStage, passagesSource } from "./search/turn-stages.ts";
import { KNOWLEDGE } from "./settings.ts";
import { KNOWLEDGE_MIGRATIONS } from "./tables.ts";

const Store = serviceKey<DocumentStore>("knowledge.store");
const OwnDocuments = serviceKey<Documents>("knowledge.documents");
const OwnIndexing = serviceKey<Indexing>("knowledge.indexing");
const OwnRebuild = serviceKey<Rebuild>("knowledge.rebuild");
const OwnImporter = serviceKey<Importer>("knowledge.importing");
const OwnSearch = serviceKey<KnowledgeSearch>("knowledge.search");

const AREA: ConsoleArea = {
  id: "knowledge",
  group: "knowledge",
  title: { en: "Knowledge", zh: "知识库" },
  icon: "book",
  view: { kind: "page", page: "knowledge" },
};

/** Knowledge documents: found again by words and meaning, shown to the model with numbers. */
export default definePlugin({
  id: "knowledge",
  requires: [Databases, TextIndex],
  register(context) {
    const { log, provide, contribute } = context;
    provide(Store, (from) => createDocumentStore(() => from.get(Databases).main));
    provide(OwnDocuments, (from) =>
      createDocuments({
        ...getSharedDeps(from),
        indexing: () => from.get(OwnIndexing),
      }),
    );
    provide(OwnIndexing, (from) =>
      createIndexing({
        ...getSharedDeps(from),
        models: () => from.find(Models),
        calls: () => from.find(ModelCalls),
        jobs: () => from.find(Jobs),
      }),
    );
    provide(OwnRebuild, (from) =>
      createRebuild({
        ...getSharedDeps(from),
        documents: () => from.get(OwnDocuments),
        indexing: from.get(OwnIndexing),
        jobs: () => from.find(Jobs),
        broadcast: createRebuildBroadcast({
          database: () => from.get(Databases).main,
          signals: () => from.find(Signals),
          log,
        }),
      }),
    );
    provide(OwnImporter, (from) =>
      createImporter({
        documents: () => from.get(OwnDocuments),
        files: () => from.find(Files),
        egress: () => from.get(Egress),
        jobs: () => from.find(Jobs),
      }),
    );
    provide(OwnSearch, (from) =>
      createSearch({ ...getSharedDeps(from), indexing: from.get(OwnIndexing), calls: () => from.find(ModelCalls) }),
    );
    provide(DocumentTexts, () => ({
      async textOf(file, signal) {
        const { texts } = await readFile(file, signal);
        return texts.map(({ text }) => text).join("\n\n");
      },
    }));
    addResource(context, documentResource, (from) => from.get(OwnDocuments).records);
    contribute(RouteTables, (from) => knowledgeRoutes({ ...getSharedDeps(from), ...toRouteServices(from) }));
    contribute(ToolTables, (from) => createKnowledgeTools({ ...getSharedDeps(from), ...toRouteServices(from) }));
    contribute(SettingDefinitions, () => KNOWLEDGE);
    contribute(TurnStages, (from) =>
      createRetrievalStage({
        ...getSharedDeps(from),
        search: from.get(OwnSearch),
        isEnabled: () => from.find(Settings)?.get(KNOWLEDGE) ?? true,
      }),
    );
    contribute(TurnStages, () => citeStage);
    contribute(PromptSources, () => citingSource);
    contribute(PromptSources, () => passagesSource);
    contribute(JobKinds, (from) => createIndexJob(() => from.get(OwnIndexing)));
    contribute(JobKinds, (from) => from.get(OwnImporter).job);
    contribute(JobKinds, (from) => createRebuildJob(() => from.get(OwnRebuild)));
    contribute(
      RecordLifecycle,
      (): RecordPart => ({
        id: "knowledge.of-person",
        of: "person",
        tables: [
          { table: "knowledge_documents", isKept: true },
          { table: "knowledge_contents", isKept: true },
        ],
      }),
    );
    contribute(StoredTables, (from) => ({
      id: "knowledge.texts",
      prepare: () => from.get(TextIndex).space("knowledge").prepare(),
    }));
    contribute(Probes, (from) => ({
      id: "knowledge",
      stats: async () => ({ documents: await from.get(Store).count() }),
    }));
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get }) {
    await get(Databases).main.migrate("knowledge", KNOWLEDGE_MIGRATIONS);
  },
  async ready({ get, find, defer, log }) {
    const rebuild = get(OwnRebuild);
    defer(followRebuild(find(Signals), rebuild));
    const logFailure = (error: unknown) => log.warn("vectors could not be refreshed", { error });
    defer(
      get(LiveEvents).subscribe((event) => {
        if (event.type !== "resource_changed") return;
        const { payload } = event;
        if (payload.kind !== "model" && payload.kind !== "ai_config") return;
        rebuild.refresh(payload.action === "updated" ? String(payload.id) : undefined).catch(logFailure);
      }),
    );
    rebuild.resume().catch(logFailure);
  },
});

function getSharedDeps(from: Resolver) {
  return {
    store: from.get(Store),
    database: () => from.get(Databases).main,
    index: () => from.get(TextIndex),
    space: () => from.get(TextIndex).space("knowledge"),
    events: from.get(LiveEvents),
    clock: from.get(Clock),
  };
}

function toRouteServices(from: Resolver) {
  return {
    documents: from.get(OwnDocuments),
    indexing: from.get(OwnIndexing),
    rebuild: from.get(OwnRebuild),
    importing: from.get(OwnImporter),
    search: from.get(OwnSearch),
  };
}
