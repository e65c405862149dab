import { join } from "node:path";
import Joi from "@hapi/joi";
import {
  BlobRows,
  BlobStore,
  Channels,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  DocumentTexts,
  definePlugin,
  Egress,
  Environment,
  Files,
  Gateway,
  HostControl,
  JobKinds,
  Jobs,
  jobKind,
  LiveEvents,
  Paths,
  PRIVATE_OUTBOUND,
  Probes,
  PUBLIC_BASE_URL,
  RecordLifecycle,
  type Resolver,
  RouteTables,
  Sandbox,
  Schedules,
  Sessions,
  SettingDefinitions,
  Settings,
  serviceKey,
  ToolTables,
  TurnStages,
  Workspaces,
} from "@parley/core";
import {
  createFetchAudioStage,
  createFetchFilesStage,
  createRetainFilesStage,
  type FetchStageDeps,
} from "./attachment-stages.ts";
import type { MigrationRoute } from "./blobs/blob-migration.ts";
import { createDiskBlobs } from "./blobs/disk.ts";
import { FILE_ROWS } from "./blobs/file-rows.ts";
import { createMigratingBlobs } from "./blobs/migrating-blobs.ts";
import { createMigrationJob, hasAnyBlob, MIGRATION_JOB, type MigrationPayload } from "./blobs/migration-job.ts";
import { routeIntoFolder, routeOutOfFolder } from "./blobs/migration-routes.ts";
import { type Converter, createConverter } from "./pdf/converter.ts";
import { pdfRoutes } from "./pdf/routes.ts";
import { createSoffice } from "./pdf/soffice.ts";
import type { ProxiedImageDeps } from "./proxied-image.ts";
import { fileRoutes, imageRoutes } from "./routes.ts";
import { fileLine } from "./said-lines.ts";
import { EXEC_COMMAND, MAX_UPLOAD_MB } from "./settings.ts";
import { createFileStore, type FileStore } from "./store/file-store.ts";
import { createPersonDataPart } from "./store/person-data.ts";
import { createSessionFilesPart } from "./store/session-files.ts";
import { createSignedLinks, loadLinkKey, type SignedLinks } from "./store/signed-links.ts";
import { FILE_MIGRATIONS } from "./store/tables.ts";
import { MEBIBYTE } from "./store/write-file.ts";
import { type ChangeCards, createChangeCards } from "./workspace/change-cards.ts";
import { createExecTool } from "./workspace/exec-tool.ts";
import { createAreaResolver, workspaceRoutes } from "./workspace/routes.ts";
import { createWorkspaceTools } from "./workspace/tools.ts";
import {
  createChangePublisher,
  followDeletedSessions,
  removeOrphanWorkspaces,
  resolveWorkspaceRoot,
} from "./workspace/upkeep.ts";
import { createWorkspaceStore, type WorkspaceStore } from "./workspace/workspaces.ts";

const HOUR_MS = 3_600_000;
const PRUNE = "files.prune";

const Store = serviceKey<FileStore>("file-store");
const Disk = serviceKey<BlobStore>("disk-blobs");
const Blobs = serviceKey<BlobStore>("all-blobs");
const WorkspaceFiles = serviceKey<WorkspaceStore>("workspace-files");
const Pdfs = serviceKey<Converter>("pdf-converter");
const Cards = serviceKey<ChangeCards>("change-cards");
const Links = serviceKey<SignedLinks>("file-links");

const AREA: ConsoleArea = {
  id: "files",
  group: "knowledge",
  title: { en: "Files", zh: "文件" },
  icon: "file",
  order: 200,
  view: { kind: "page", page: "files" },
};

interface FilesConfig {
  readonly fetch_timeout_s: number;
  readonly soffice: string;
  readonly convert_with_network: boolean;
}

/** Files: stored on disk, served to authorized viewers, fetched for turns. */
export default definePlugin<FilesConfig>({
  id: "files",
  requires: [Databases, Schedules, Settings],
  config: Joi.object<FilesConfig, true>({
    fetch_timeout_s: Joi.number()
      .min(0.1)
      .max(300)
      .default(30)
      .description("Seconds to wait for files of a channel message. The answer waits for them"),
    soffice: Joi.string().allow("").default("").description("Path of LibreOffice, if it is not found automatically"),
    convert_with_network: Joi.boolean()
      .default(false)
      .description("Run the converter even if the system cannot cut its network access"),
  }),
  register({ config, provide, contribute }) {
    provide(Links, (from) => {
      const file = join(from.get(Paths).data, "files", "_meta", "link.key");
      let key: Buffer | undefined;
      return createSignedLinks(() => {
        key ??= loadLinkKey(file);
        return key;
      }, from.get(Clock).now);
    });
    provide(Disk, (from) => createDiskBlobs(getFilesFolder(from)));
    provide(Blobs, (from) => {
      const way = getMigrationRoute(from);
      return way ? createMigratingBlobs(way.from, way.to) : from.get(Disk);
    });
    provide(Store, (from) =>
      createFileStore({
        folder: getFilesFolder(from),
        blobs: () => from.get(Blobs),
        database: () => from.get(Databases).main,
        isShared: () => from.get(Databases).isShared === true,
        settings: from.get(Settings),
        clock: from.get(Clock),
        links: from.get(Links),
        origin: () => getOrigin(from.get(Settings), from.find(HostControl)),
      }),
    );
    provide(Files, (from) => from.get(Store));
    provide(Cards, (from) => createChangeCards(from.get(LiveEvents)));
    provide(WorkspaceFiles, (from) =>
      createWorkspaceStore({
        root: resolveWorkspaceRoot(from.get(Paths), from.get(Environment)),
        maxFileBytes: () => from.get(Settings).get(MAX_UPLOAD_MB) * MEBIBYTE,
        clock: from.get(Clock),
        files: () => from.get(Store),
        runExclusively: (work) => from.get(Databases).alone?.("workspaces", work) ?? work(),
        onChange: createChangePublisher(from.get(LiveEvents), from.get(Cards)),
      }),
    );
    provide(Workspaces, (from) => from.get(WorkspaceFiles));
    contribute(Probes, (from) => ({
      id: "files",
      stats: async () => ({ file_transfers: (await from.get(Store).list({ limit: 1, offset: 0 })).total }),
    }));
    contribute(ConsoleAreas, () => AREA);
    contribute(SettingDefinitions, () => MAX_UPLOAD_MB);
    contribute(SettingDefinitions, () => EXEC_COMMAND);
    contribute(RouteTables, (from) =>
      fileRoutes({
        files: from.get(Store),
        links: from.get(Links),
        sessions: () => from.find(Sessions),
        workspaces: from.get(Workspaces),
        documents: () => from.find(DocumentTexts),
      }),
    );
    contribute(RouteTables, (from) => imageRoutes(toProxiedImageDeps(from)));
    contribute(RouteTables, (from) =>
      workspaceRoutes({
        workspaces: from.get(WorkspaceFiles),
        files: from.get(Store),
        links: from.get(Links),
        sessions: () => from.find(Sessions),
        documents: () => from.find(DocumentTexts),
      }),
    );
    provide(Pdfs, (from) =>
      createConverter({
        folder: join(from.get(Paths).data, "files", "_meta", "pdf"),
        clock: from.get(Clock),
        run: createSoffice({
          command: config.soffice,
          canUseNetwork: config.convert_with_network,
          path: from.get(Environment).get("PATH") ?? "/usr/local/bin:/usr/bin:/bin",
          sandbox: () => from.find(Sandbox),
        }),
      }),
    );
    contribute(RouteTables, (from) =>
      pdfRoutes({
        converter: from.get(Pdfs),
        workspaces: from.get(Workspaces),
        areaOf: createAreaResolver(() => from.find(Sessions)),
      }),
    );
    contribute(ToolTables, (from) =>
      createWorkspaceTools({
        workspaces: from.get(WorkspaceFiles),
        sessions: () => from.find(Sessions),
        gateway: () => from.get(Gateway),
        documents: () => from.find(DocumentTexts),
        files: from.get(Store),
      }),
    );
    contribute(ToolTables, (from) => [
      createExecTool({
        workspaces: from.get(WorkspaceFiles),
        sandbox: () => from.find(Sandbox),
        isEnabled: () => from.get(Settings).get(EXEC_COMMAND),
      }),
    ]);
    contribute(TurnStages, (from) => createFetchAudioStage(toFetchStageDeps(from, config)));
    contribute(TurnStages, (from) => createFetchFilesStage(toFetchStageDeps(from, config)));
    contribute(TurnStages, (from) => createRetainFilesStage(from.get(Files)));
    contribute(TurnStages, (from) => from.get(Cards).beginStage);
    contribute(TurnStages, (from) => from.get(Cards).endStage);
    contribute(JobKinds, (from) =>
      jobKind({
        kind: PRUNE,
        titles: { en: "Remove unused files", zh: "清理未使用的文件" },
        schema: Joi.object({}),
        concurrency: 1,
        async run(_payload, { log }) {
          log(fileLine("pruned", { count: await from.get(Store).prune() }));
          log(fileLine("swept", { count: await from.get(Store).sweep() }));
          log(fileLine("trash", { count: await from.get(WorkspaceFiles).trash.removeExpired() }));
          await from.get(Pdfs).removeOld();
          const orphans = await removeOrphanWorkspaces(from.get(WorkspaceFiles), from.find(Sessions));
          log(fileLine("orphans", { count: orphans }));
        },
      }),
    );
    contribute(JobKinds, (from) =>
      createMigrationJob({
        getRoute: () => getMigrationRoute(from),
        findRecords: (names) => from.get(Store).findRecords(names),
        runExclusively: (work) => from.get(Databases).alone?.(MIGRATION_JOB, work) ?? work(),
      }),
    );
    contribute(BlobRows, () => FILE_ROWS);
    contribute(RecordLifecycle, (from) =>
      createPersonDataPart({
        database: () => from.get(Databases).main,
        files: () => from.get(Store),
        workspaces: () => from.get(WorkspaceFiles),
      }),
    );
    contribute(RecordLifecycle, (from) =>
      createSessionFilesPart(
        () => from.get(Databases).main,
        () => from.get(Store),
        from.get(Clock),
      ),
    );
  },
  async start({ get, defer, log }) {
    await get(Databases).main.migrate("files", FILE_MIGRATIONS);
    const store = get(Store);
    await store.start();
    const workspaces = get(WorkspaceFiles);
    await workspaces.start();
    await get(Pdfs).start();
    defer(followDeletedSessions(get(LiveEvents), workspaces, log));
  },
  async ready({ get, find, log, defer }) {
    const sweeping = get(Store)
      .sweep()
      .then(
        (removed) => removed > 0 && log.info("files that a crash left behind were removed", { removed }),
        (error) => log.error("files that a crash left behind could not be removed", { error }),
      );
    defer(async () => void (await sweeping));
    const times = { everyMs: 6 * HOUR_MS, madeUpWithinMs: 24 * HOUR_MS };
    await get(Schedules).put({ id: PRUNE, kind: PRUNE, payload: {}, ...times });
    const way = getMigrationRoute({ get, find });
    if (!way || !(await hasAnyBlob(way.from))) return;
    // Without a key: rows that were restored know the job of an earlier start, and a second one finds nothing left to do.
    await get(Jobs).add(MIGRATION_JOB, { isBack: way.isBack } satisfies MigrationPayload);
  },
});

/** Returns the direction of migration; undefined when only the data folder stores files. */
function getMigrationRoute(from: Pick<Resolver, "get" | "find">): (MigrationRoute & MigrationPayload) | undefined {
  const externalStore = from.find(BlobStore);
  if (!externalStore) return undefined;
  const isBack = externalStore.isLeaving === true;
  return {
    isBack,
    ...(isBack ? routeIntoFolder : routeOutOfFolder)(getFilesFolder(from), from.get(Disk), externalStore),
  };
}

function getFilesFolder(from: Pick<Resolver, "get">): string {
  return join(from.get(Paths).data, "files");
}

function toFetchStageDeps(from: Resolver, { fetch_timeout_s }: FilesConfig): FetchStageDeps {
  return {
    files: from.get(Files),
    link: (channelId) => from.find(Channels)?.link(channelId),
    timeoutMs: fetch_timeout_s * 1_000,
    ...toProxiedImageDeps(from),
  };
}

function toProxiedImageDeps(from: Resolver): ProxiedImageDeps {
  return { egress: from.get(Egress), mayReachPrivate: () => from.get(Settings).get(PRIVATE_OUTBOUND) };
}

/** Returns the public origin of this service: the configured one, else the listening address. */
function getOrigin(settings: Settings, host: HostControl | undefined): string {
  const configured = settings.get(PUBLIC_BASE_URL);
  if (configured !== "") return configured.replace(/\/+$/, "");
  const address = host?.server?.address();
  if (!address || typeof address === "string") return "";
  const isEverywhere = address.address === "::" || address.address === "0.0.0.0";
  const name = isEverywhere ? "127.0.0.1" : address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}
