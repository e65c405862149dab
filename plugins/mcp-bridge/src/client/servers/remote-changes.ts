import { BUILTIN_ID, DEFAULTS, type Entry } from "./entry.ts";
import { isConnectionChanged } from "./entry-validation.ts";
import type { RegisteredServer, ServerRegistry } from "./server-registry.ts";
import type { ServersDeps } from "./servers-deps.ts";

type RemoteChangesDeps = Pick<ServersDeps, "entries" | "fingerprints" | "secrets" | "signIns" | "log">;

/** Follows entries, secrets and known tools changed by other processes, in order; returns the unsubscribe function. */
export function followRemoteChanges(
  { entries, fingerprints: marks, secrets, signIns, log }: RemoteChangesDeps,
  registry: ServerRegistry,
): () => void {
  const { all } = registry;
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = (work: () => Promise<void>) => {
    last = last
      .then(work)
      .catch((error: unknown) => log.error("the changes of a server could not be applied", { error }));
  };
  const reconnect = async (server: RegisteredServer, isOther: boolean) => {
    const { entry, connection } = server;
    const isWanted = connection.status().isConnected || (entry.auto_connect && entry.transport === "streamable-http");
    if (!entry.enabled || isOther) await connection.disconnect();
    if (entry.enabled && isWanted && !connection.status().isConnected) registry.connectInBackground(server);
  };
  const applyEntry = async (entry: Entry) => {
    const server = all.get(entry.id);
    if (!server) {
      const made = await registry.create(entry);
      all.set(entry.id, made);
      return reconnect(made, false);
    }
    const old = server.entry;
    server.entry = entry;
    await reconnect(server, isConnectionChanged(old, entry));
  };
  const remove = async (id: string) => {
    const server = all.get(id);
    all.delete(id);
    await server?.connection.disconnect();
  };
  const ends = [
    entries.onElsewhere((id, entry) =>
      enqueue(async () => {
        // Each process decides by its own configuration whether the built-in entry exists.
        if (entry && (all.has(id) || id !== BUILTIN_ID)) await applyEntry({ ...DEFAULTS, ...entry });
        else if (!entry) await remove(id);
        registry.invalidateTools();
      }),
    ),
    secrets.follow((id) =>
      enqueue(async () => {
        const server = all.get(id);
        if (server) await reconnect(server, true);
      }),
    ),
    signIns.follow((id, isSignedIn) =>
      enqueue(async () => {
        const server = all.get(id);
        if (!isSignedIn) await server?.connection.disconnect();
        // A connected server uses the new token with its next call.
        else if (server?.entry.enabled && server.entry.auto_connect && !server.connection.status().isConnected)
          registry.connectInBackground(server);
      }),
    ),
    marks.onElsewhere((id, stored) => {
      all.get(id)?.known.load(stored);
      registry.invalidateTools();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
