import {
  BlobRows,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Files,
  JobKinds,
  Jobs,
  LiveEvents,
  type Logger,
  Probes,
  RecordLifecycle,
  RouteTables,
  SettingDefinitions,
  Settings,
  serviceKey,
  ToolTables,
  TurnStages,
  Upkeeps,
  Workspaces,
} from "@parley/core";
import { assemble } from "./assemble.ts";
import { createFetchAudioStage, createFetchFilesStage, createRetainFilesStage } from "./attachment-stages.ts";
import { FILE_ROWS } from "./blobs/file-rows.ts";
import { createMigrationJob, hasAnyBlob, MIGRATION_JOB, type MigrationPayload } from "./blobs/migration-job.ts";
import { type FilesConfig, filesConfig } from "./config.ts";
import { createPdfRoutes } from "./pdf/routes.ts";
import { createPruneUpkeep } from "./prune.ts";
import { createFileRoutes, createImageRoutes } from "./routes.ts";
import { EXEC_COMMAND, MAX_UPLOAD_MB } from "./settings.ts";
import type { FileStore } from "./store/file-store.ts";
import { createPersonDataPart } from "./store/person-data.ts";
import { createSessionFilesPart } from "./store/session-files.ts";
import { FILE_MIGRATIONS } from "./store/tables.ts";
import { createExecTool } from "./workspace/exec-tool.ts";
import { createWorkspaceRoutes } from "./workspace/routes.ts";
import { createWorkspaceTools } from "./workspace/tools.ts";
import { followDeletedSessions } from "./workspace/upkeep.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("files.own");

const AREA: ConsoleArea = {
  id: "files",
  group: "knowledge",
  title: { en: "Files", zh: "文件" },
  icon: "file",
  order: 200,
  view: { kind: "page", page: "files" },
};

/** Stores files on disk or in the storage of another plugin, serves them to authorized people, and downloads files for turns. */
export default definePlugin<FilesConfig>({
  id: "files",
  requires: [Databases, Settings],
  config: filesConfig,
  register({ config, provide, contribute }) {
    provide(Own, (from) => assemble(from, config));
    provide(Files, (from) => from.get(Own).files);
    provide(Workspaces, (from) => from.get(Own).workspaces);
    for (const setting of [MAX_UPLOAD_MB, EXEC_COMMAND]) contribute(SettingDefinitions, () => setting);
    contribute(RouteTables, (from) => createFileRoutes(from.get(Own)));
    contribute(RouteTables, (from) => createImageRoutes(from.get(Own).images));
    contribute(RouteTables, (from) => createWorkspaceRoutes(from.get(Own)));
    contribute(RouteTables, (from) => createPdfRoutes(from.get(Own)));
    contribute(ToolTables, (from) => createWorkspaceTools(from.get(Own)));
    contribute(ToolTables, (from) => [createExecTool(from.get(Own).exec)]);
    contribute(TurnStages, (from) => createFetchAudioStage(from.get(Own).fetching));
    contribute(TurnStages, (from) => createFetchFilesStage(from.get(Own).fetching));
    contribute(TurnStages, (from) => createRetainFilesStage(from.get(Own).files));
    contribute(TurnStages, (from) => from.get(Own).cards.beginStage);
    contribute(TurnStages, (from) => from.get(Own).cards.endStage);
    contribute(Upkeeps, (from) => createPruneUpkeep(from.get(Own)));
    contribute(JobKinds, (from) => createMigrationJob(from.get(Own).migration));
    contribute(BlobRows, () => FILE_ROWS);
    contribute(RecordLifecycle, (from) => createPersonDataPart(from.get(Own)));
    contribute(RecordLifecycle, (from) => createSessionFilesPart(from.get(Own)));
    contribute(Probes, (from) => ({
      id: "files",
      stats: async () => ({ file_transfers: (await from.get(Own).files.list({ limit: 1, offset: 0 })).total }),
    }));
    contribute(ConsoleAreas, () => AREA);
  },
  async start({ get, defer, log }) {
    await get(Databases).main.migrate("files", FILE_MIGRATIONS);
    const { files, workspaces, converter } = get(Own);
    await files.start();
    await workspaces.start();
    await converter.start();
    defer(followDeletedSessions(get(LiveEvents), workspaces, log));
  },
  async ready({ get, log, defer }) {
    const { files, migration } = get(Own);
    const sweeping = sweepAfterCrash(files, log);
    defer(() => sweeping);
    const route = migration.getRoute();
    if (!route || !(await hasAnyBlob(route.from))) return;
    // The job has no key: restored rows may contain the job of an earlier start, and a second job finds nothing to do.
    await get(Jobs).add(MIGRATION_JOB, { isBack: route.isBack } satisfies MigrationPayload);
  },
});

async function sweepAfterCrash(files: Pick<FileStore, "sweep">, log: Logger): Promise<void> {
  try {
    const removed = await files.sweep();
    if (removed > 0) log.info("files that a crash left behind were removed", { removed });
  } catch (error) {
    log.error("files that a crash left behind could not be removed", { error });
  }
}
