import { join } from "node:path";
import {
  BlobStore,
  Channels,
  Clock,
  Databases,
  DocumentTexts,
  Egress,
  Environment,
  Gateway,
  HostControl,
  LiveEvents,
  Paths,
  PRIVATE_OUTBOUND,
  PUBLIC_BASE_URL,
  type Resolver,
  Sandbox,
  Sessions,
  Settings,
} from "@parley/core";
import type { MigrationRoute } from "./blobs/blob-migration.ts";
import { createDiskBlobs } from "./blobs/disk.ts";
import { createMigratingBlobs } from "./blobs/migrating-blobs.ts";
import { MIGRATION_JOB, type MigrationPayload } from "./blobs/migration-job.ts";
import { createRouteIntoFolder, createRouteOutOfFolder } from "./blobs/migration-routes.ts";
import type { FilesConfig } from "./config.ts";
import { createConverter } from "./pdf/converter.ts";
import { createSoffice } from "./pdf/soffice.ts";
import type { ProxiedImageDeps } from "./proxied-image.ts";
import { EXEC_COMMAND, MAX_UPLOAD_MB } from "./settings.ts";
import { createFileStore } from "./store/file-store.ts";
import { createSignedLinks, loadLinkKey } from "./store/signed-links.ts";
import { MEBIBYTE } from "./store/write-file.ts";
import { createChangeCards } from "./workspace/change-cards.ts";
import { createAreaResolver } from "./workspace/routes.ts";
import { createChangePublisher, resolveWorkspaceRoot } from "./workspace/upkeep.ts";
import { createWorkspaceStore } from "./workspace/workspaces.ts";

export function assemble(from: Resolver, config: FilesConfig) {
  const [clock, settings] = [from.get(Clock), from.get(Settings)];
  const database = () => from.get(Databases).main;
  const sessions = () => from.find(Sessions);
  const cards = createChangeCards(from.get(LiveEvents));
  const { links, files, getMigrationRoute } = assembleStore(from);
  const workspaces = createWorkspaceStore({
    root: resolveWorkspaceRoot(from.get(Paths), from.get(Environment)),
    maxFileBytes: () => settings.get(MAX_UPLOAD_MB) * MEBIBYTE,
    clock,
    files: () => files,
    runExclusively: (work) => from.get(Databases).alone?.("workspaces", work) ?? work(),
    onChange: createChangePublisher(from.get(LiveEvents), cards),
  });
  const images: ProxiedImageDeps = { egress: from.get(Egress), mayReachPrivate: () => settings.get(PRIVATE_OUTBOUND) };
  return {
    clock,
    database,
    links,
    files,
    workspaces,
    cards,
    sessions,
    images,
    documents: () => from.find(DocumentTexts),
    gateway: () => from.get(Gateway),
    converter: assembleConverter(from, config),
    areaOf: createAreaResolver(sessions),
    exec: { workspaces, sandbox: () => from.find(Sandbox), isEnabled: () => settings.get(EXEC_COMMAND) },
    fetching: {
      ...images,
      files,
      link: (channelId: string) => from.find(Channels)?.link(channelId),
      timeoutMs: config.fetch_timeout_s * 1_000,
    },
    migration: {
      getRoute: getMigrationRoute,
      findRecords: (names: readonly string[]) => files.findRecords(names),
      runExclusively: <T>(work: () => Promise<T>) => from.get(Databases).alone?.(MIGRATION_JOB, work) ?? work(),
    },
  };
}

function assembleStore(from: Resolver) {
  const clock = from.get(Clock);
  const folder = join(from.get(Paths).data, "files");
  const disk = createDiskBlobs(folder);
  const links = createSignedLinks(
    readOnce(() => loadLinkKey(join(folder, "_meta", "link.key"))),
    clock.now,
  );
  const getMigrationRoute = readOnce((): (MigrationRoute & MigrationPayload) | undefined => {
    const externalStore = from.find(BlobStore);
    if (!externalStore) return undefined;
    const isBack = externalStore.isLeaving === true;
    return { isBack, ...(isBack ? createRouteIntoFolder : createRouteOutOfFolder)(folder, disk, externalStore) };
  });
  const files = createFileStore({
    folder,
    blobs: readOnce(() => {
      const route = getMigrationRoute();
      return route ? createMigratingBlobs(route.from, route.to) : disk;
    }),
    database: () => from.get(Databases).main,
    isShared: () => from.get(Databases).isShared === true,
    settings: from.get(Settings),
    clock,
    links,
    origin: () => getOrigin(from.get(Settings), from.find(HostControl)),
  });
  return { links, files, getMigrationRoute };
}

/** Returns a function that calls `read` once, at its first call, and returns the result. */
function readOnce<T>(read: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: read() };
    return found.value;
  };
}

function assembleConverter(from: Resolver, { soffice, convert_with_network }: FilesConfig) {
  return createConverter({
    folder: join(from.get(Paths).data, "files", "_meta", "pdf"),
    clock: from.get(Clock),
    run: createSoffice({
      command: soffice,
      canUseNetwork: convert_with_network,
      path: from.get(Environment).get("PATH") ?? "/usr/local/bin:/usr/bin:/bin",
      sandbox: () => from.find(Sandbox),
    }),
  });
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
