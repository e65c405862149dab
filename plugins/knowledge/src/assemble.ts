import {
  Clock,
  Databases,
  Egress,
  Files,
  Jobs,
  LiveEvents,
  type Logger,
  ModelCalls,
  Models,
  type Resolver,
  Signals,
  TextIndex,
} from "@parley/core";
import { createBroadcast } from "@parley/core/storage";
import { createDocumentStore } from "./documents/document-store.ts";
import { createDocuments } from "./documents/documents.ts";
import { createImporter } from "./import/importer.ts";
import { createIndexing } from "./indexing/indexing.ts";
import { createRebuild, type RebuildEvent } from "./indexing/rebuild.ts";
import { createSearch } from "./search/search.ts";

/** Creates the services of the plugin: documents with their import, index, rebuild and search. */
export function assemble(from: Resolver, log: Logger) {
  const common = assembleCommon(from);
  const jobs = () => from.find(Jobs);
  const calls = () => from.find(ModelCalls);
  const indexing = createIndexing({ ...common, models: () => from.find(Models), calls, jobs });
  const documents = createDocuments({ ...common, indexing: () => indexing });
  const sharing = { ...common, signals: () => from.find(Signals), log };
  const rebuildEvents = createBroadcast<RebuildEvent>("knowledge-rebuild", sharing);
  return {
    ...common,
    documents,
    indexing,
    rebuildEvents,
    rebuild: createRebuild({ ...common, documents: () => documents, indexing, jobs, broadcast: rebuildEvents.send }),
    importing: createImporter({
      documents: () => documents,
      files: () => from.find(Files),
      egress: () => from.get(Egress),
      jobs,
    }),
    search: createSearch({ ...common, indexing, calls }),
  };
}

function assembleCommon(from: Resolver) {
  const database = () => from.get(Databases).main;
  return {
    store: createDocumentStore({
      database,
      isShared: () => from.find(Signals)?.isShared === true,
      clock: from.get(Clock),
    }),
    database,
    index: () => from.get(TextIndex),
    space: () => from.get(TextIndex).space("knowledge"),
    events: from.get(LiveEvents),
    clock: from.get(Clock),
  };
}
