import {
  Clock,
  Collections,
  Databases,
  definePlugin,
  Environment,
  Files,
  HostControl,
  JsonFiles,
  LiveEvents,
  Paths,
  Probes,
  RecordStore,
  SecretBox,
  serviceKey,
} from "@parley/core";
import { createCollections } from "./collections.ts";
import { createJsonFiles } from "./json-files.ts";
import { createRecordStore } from "./record-store.ts";
import { createStorage, type Storage } from "./storage.ts";

const OpenStorage = serviceKey<Storage>("open-storage");

/** Keeps everything: documents, SQL rows, JSON files that people edit, and secrets. */
export default definePlugin({
  id: "storage",
  register({ log, provide, contribute }) {
    provide(OpenStorage, (from) =>
      createStorage({
        paths: from.get(Paths),
        environment: from.get(Environment),
        clock: from.get(Clock),
        log,
        address: () => addressOf(from.find(HostControl)?.server),
        version: () => from.find(HostControl)?.version,
        isStarting: () => from.find(HostControl)?.phase() === "starting",
      }),
    );
    provide(Databases, (from) => from.get(OpenStorage));
    provide(Collections, (from) => createCollections(() => from.get(OpenStorage).main));
    provide(JsonFiles, (from) => createJsonFiles(from.get(Clock), log));
    provide(RecordStore, (from) =>
      createRecordStore({
        database: () => from.get(Databases).main,
        events: from.get(LiveEvents),
        clock: from.get(Clock),
        files: () => from.find(Files),
      }),
    );
    provide(SecretBox, (from) => from.get(OpenStorage).secrets);
    contribute(Probes, (from) => from.get(OpenStorage).probe);
  },
  async start({ get, defer }) {
    defer(await get(OpenStorage).start());
  },
});

function addressOf(server: HostControl["server"]): string {
  const at = server?.address();
  if (!at || typeof at === "string") return "";
  return at.family === "IPv6" ? `[${at.address}]:${at.port}` : `${at.address}:${at.port}`;
}
