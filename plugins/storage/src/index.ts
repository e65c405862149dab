import { Clock, Databases, definePlugin, HostControl, Paths, Probes, Signals, serviceKey } from "@parley/core";
import { createStorage, type Storage } from "./storage.ts";
import "./texts.ts";

const OpenStorage = serviceKey<Storage>("open-storage");
/** Signals of a single process, which do nothing. */
const NO_SIGNALS: Signals = { isShared: false, telling: () => [], listen: () => () => {}, catchUp: async () => {} };

/** Stores SQL rows in files of the data folder, with SQLite. */
export default definePlugin({
  id: "storage",
  register({ log, provide, contribute }) {
    provide(OpenStorage, (from) =>
      createStorage({
        paths: from.get(Paths),
        clock: from.get(Clock),
        log,
        address: () => getAddress(from.find(HostControl)?.server),
        version: () => from.find(HostControl)?.version,
        isStarting: () => from.find(HostControl)?.phase() === "starting",
      }),
    );
    provide(Databases, (from) => from.get(OpenStorage));
    provide(Signals, () => NO_SIGNALS);
    contribute(Probes, (from) => from.get(OpenStorage).probe);
  },
  async start({ get, defer }) {
    defer(await get(OpenStorage).start());
  },
});

function getAddress(server: HostControl["server"]): string {
  const at = server?.address();
  if (!at || typeof at === "string") return "";
  return at.family === "IPv6" ? `[${at.address}]:${at.port}` : `${at.address}:${at.port}`;
}
