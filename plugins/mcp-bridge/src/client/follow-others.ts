import { BUILTIN_ID, DEFAULTS, type Entry } from "./entry.ts";
import { isOtherConnection } from "./entry-checks.ts";
import type { HeldServer, HeldServers } from "./held-servers.ts";
import type { ServersParts } from "./servers-parts.ts";

type FollowedParts = Pick<ServersParts, "entries" | "marks" | "secrets" | "signIns" | "log">;

/** Entries, secrets and seen tools that another process has changed, taken over one after another; returns the end of it. */
export function followOthers({ entries, marks, secrets, signIns, log }: FollowedParts, held: HeldServers): () => void {
  const { all } = held;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    last = last.then(work).catch((error: unknown) => log.error("a server that was changed is not followed", { error }));
  };
  const connectAnew = async (server: HeldServer, isOther: boolean) => {
    const { entry, connection } = server;
    const isWanted = connection.status().isConnected || (entry.auto_connect && entry.transport === "streamable-http");
    if (!entry.enabled || isOther) await connection.disconnect();
    if (entry.enabled && isWanted && !connection.status().isConnected) held.connectLater(server);
  };
  const take = async (entry: Entry) => {
    const server = all.get(entry.id);
    if (!server) {
      const made = await held.made(entry);
      all.set(entry.id, made);
      return connectAnew(made, false);
    }
    const old = server.entry;
    server.entry = entry;
    await connectAnew(server, isOtherConnection(old, entry));
  };
  const remove = async (id: string) => {
    const server = all.get(id);
    all.delete(id);
    await server?.connection.disconnect();
  };
  const ends = [
    entries.onElsewhere((id, entry) =>
      inTurn(async () => {
        // The built-in one is there or not by the configuration of each process.
        if (entry && (all.has(id) || id !== BUILTIN_ID)) await take({ ...DEFAULTS, ...entry });
        else if (!entry) await remove(id);
        held.forgetRows();
      }),
    ),
    secrets.follow((id) =>
      inTurn(async () => {
        const server = all.get(id);
        if (server) await connectAnew(server, true);
      }),
    ),
    signIns.follow((id, isSignedIn) =>
      inTurn(async () => {
        const server = all.get(id);
        if (!isSignedIn) await server?.connection.disconnect();
        // What is connected takes the new token with its next call.
        else if (server?.entry.enabled && server.entry.auto_connect && !server.connection.status().isConnected)
          held.connectLater(server);
      }),
    ),
    marks.onElsewhere((id, stored) => {
      all.get(id)?.seen.take(stored);
      held.forgetRows();
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
