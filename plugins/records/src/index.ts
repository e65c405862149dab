import { join, relative } from "node:path";
import {
  Caches,
  Checks,
  Clock,
  Collections,
  createSecrets,
  Databases,
  DocumentKinds,
  definePlugin,
  EditedFiles,
  Environment,
  Files,
  JsonFiles,
  LiveEvents,
  Nodes,
  Paths,
  Probes,
  RecordKinds,
  RecordLifecycle,
  type RecordPart,
  RecordStore,
  SecretBox,
  Secrets,
  SharedWindows,
  Signals,
  StoredTables,
  serviceKey,
} from "@parley/core";
import { runOnceVersionsMatch } from "@parley/core/storage";
import { removeAbandonedCaches, toCachePath } from "./caches/cache-file.ts";
import { createCaches, type OwnCaches } from "./caches/caches.ts";
import { createDocuments, type Documents } from "./documents.ts";
import { createExternalFileLog } from "./files/external-files.ts";
import { createFilesCheck, createFilesProbe } from "./files/files-check.ts";
import { restrictFolder } from "./files/folder-modes.ts";
import { createJsonFiles, type OpenedFiles, type RunExclusively } from "./files/json-files.ts";
import { createLastGood } from "./files/last-good.ts";
import { createFileNotifier, followFiles } from "./files/remote-files.ts";
import { createRemoteChanges, type RemoteChanges } from "./remote-changes.ts";
import { createSecretBox, loadSecretKey } from "./secret-box.ts";
import { createSharedWindows, type OwnSharedWindows } from "./shared-windows.ts";
import { createRecordStore, type OwnRecordStore } from "./store/record-store.ts";

/** Signal that makes the other nodes clear their caches. */
const CACHES_CLEARED = { topic: "caches", key: "" };
const PRUNE_EVERY_MS = 60_000;

const Own = serviceKey<Documents>("own-documents");
const OwnRecords = serviceKey<OwnRecordStore>("own-record-store");
const CachesOfProcess = serviceKey<OwnCaches>("own-caches");
const OwnWindows = serviceKey<OwnSharedWindows>("own-shared-windows");
const EditedByPeople = serviceKey<OpenedFiles>("own-json-files");
const OwnRemoteChanges = serviceKey<RemoteChanges>("own-remote-changes");

/** Provides documents, resource records, editable JSON files, caches and secrets, on every database. */
export default definePlugin({
  id: "records",
  requires: [Databases],
  register({ log, provide, contribute }) {
    provide(Own, (from) =>
      createDocuments({
        database: () => from.get(Databases).main,
        alone: (name, work) => from.get(Databases).alone?.(name, work) ?? work(),
        signals: () => from.find(Signals),
        kinds: () => from.all(DocumentKinds),
        from,
        log,
      }),
    );
    provide(Collections, (from) => from.get(Own));
    contribute(Checks, (from) =>
      createFilesCheck(
        () => from.get(JsonFiles),
        () => from.all(EditedFiles),
      ),
    );
    contribute(Probes, (from) => createFilesProbe(() => from.get(JsonFiles)));
    provide(EditedByPeople, (from) => {
      const { data } = from.get(Paths);
      // The folder may have another path on other nodes, so the key is the relative path.
      const alone: RunExclusively = (path, work) =>
        from.get(Databases).alone?.(`file ${relative(data, path)}`, work) ?? work();
      const lastGood = createLastGood(() => data, log);
      const files = createJsonFiles({
        ...{ clock: from.get(Clock), log, alone, lastGood },
        notify: createFileNotifier(from, log),
      });
      const note = createExternalFileLog(from.get(Paths));
      return {
        ...files,
        open(options) {
          note(options.path);
          return files.open(options);
        },
      };
    });
    provide(JsonFiles, (from) => from.get(EditedByPeople));
    provide(OwnRemoteChanges, (from) => createRemoteChanges(() => from.find(Signals), log));
    provide(OwnRecords, (from) =>
      createRecordStore({
        database: () => from.get(Databases).main,
        remoteChanges: from.get(OwnRemoteChanges),
        events: from.get(LiveEvents),
        clock: from.get(Clock),
        files: () => from.find(Files),
        kinds: () => from.all(RecordKinds),
        documents: from.get(Own),
        from,
        log,
      }),
    );
    provide(RecordStore, (from) => from.get(OwnRecords));
    contribute(
      RecordLifecycle,
      (from): RecordPart => ({
        id: "records.of-person",
        of: "person",
        tables: [
          { table: "documents", isKept: true },
          { table: "record_columns", isKept: true },
          { table: "records_*", isKept: true },
        ],
        // Cached entries name no owner, so all of them are removed; a cache may be lost.
        async erase() {
          await from.get(CachesOfProcess).clear();
          const writes = from.find(Signals)?.telling([CACHES_CLEARED]) ?? [];
          if (writes.length > 0) await from.get(Databases).main.write(writes);
          return 0;
        },
      }),
    );
    contribute(StoredTables, (from) => ({
      id: "records.all",
      async prepare() {
        await from.get(OwnRecords).prepare();
        await from.get(OwnWindows).prepare();
      },
    }));
    provide(OwnWindows, (from) => createSharedWindows(() => from.get(Databases), from.get(Clock)));
    provide(SharedWindows, (from) => from.get(OwnWindows));
    provide(CachesOfProcess, (from) => {
      const { isShared = false } = from.get(Databases);
      return createCaches({ path: toCachePath(from.get(Paths).data, isShared), log });
    });
    provide(Caches, (from) => from.get(CachesOfProcess));
    provide(Secrets, createSecrets);
    provide(SecretBox, (from) => {
      let key: Buffer | undefined;
      return createSecretBox(() => {
        key ??= loadSecretKey(
          from.get(Environment).get("SVC_SECRET_KEY"),
          join(from.get(Paths).data, "keys", "data.key"),
        );
        return key;
      });
    });
  },
  async start({ get, find, all, defer, log }) {
    restrictFolder(get(Paths).data, log);
    defer(get(Own).listen());
    defer(get(OwnRemoteChanges).listen());
    defer(() => get(OwnRecords).end());
    defer(() => get(CachesOfProcess).close());
    defer(find(Signals)?.listen(CACHES_CLEARED.topic, () => get(CachesOfProcess).clear()) ?? (() => {}));
    defer(followFiles({ get, find, all }, get(EditedByPeople)));
    if (!get(Databases).isShared) return;
    removeAbandonedCaches(get(Paths).data);
    const prune = () =>
      get(OwnWindows)
        .prune()
        .catch((error) => log.debug("old counts stay", { error }));
    const pruning = setInterval(prune, PRUNE_EVERY_MS);
    defer(() => clearInterval(pruning));
  },
  async ready({ get, find, log, defer }) {
    const warn = (error: unknown) => log.warn("leftovers of an unfinished write could not be removed", { error });
    await get(EditedByPeople).clean().catch(warn);
    const sealAll = () =>
      get(OwnRecords)
        .sealAll()
        .catch((error) => log.error("secrets that an earlier version stored could not be encrypted", { error }));
    defer(await runOnceVersionsMatch(find(Nodes), log, sealAll));
  },
});
