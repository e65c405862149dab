import { notFound, resourceChanged, type Tool } from "@parley/core";
import { mcpFailure } from "../said-failures.ts";
import { type Connection, createConnection } from "./connection.ts";
import { checkStdio } from "./dial.ts";
import { BUILTIN_ID, type Entry, type ShownEntry } from "./entry.ts";
import { checkFields } from "./entry-checks.ts";
import { type ConnectedEntry, externalTools } from "./external-tools.ts";
import { createSeenTools } from "./seen-tools.ts";
import type { ServersParts } from "./servers-parts.ts";
import { shownEntry } from "./shown-server.ts";

/** A server that is known here: its entry, its connection and what was seen of its tools. */
export interface HeldServer extends ConnectedEntry {
  entry: Entry;
}

/** The servers that are known here, by id. */
export interface HeldServers {
  readonly all: Map<string, HeldServer>;
  /** `not_found` for one that is not known. */
  find(id: string): HeldServer;
  /** One that is not held yet. */
  made(entry: Entry): Promise<HeldServer>;
  /** Stores an entry, and holds it from then on. */
  store(entry: Entry): Promise<HeldServer>;
  shown(server: HeldServer): ShownEntry;
  /** `bad_request` for what is no entry, `permission_denied` for a program that may not be started. */
  check(entry: Entry): void;
  /** A connection of its own, for a server as it is each time when it is asked. */
  connectionFor(entry: () => Entry, changed: () => void): Connection;
  /** Without waiting for it. */
  connectLater(server: HeldServer): void;
  /** Tells those who look that something about it is another one now. */
  changed(server: HeldServer): void;
  /** Those whose tools may be used. */
  connected(): readonly HeldServer[];
  /** `conflict` where it is not connected. */
  toolsOf(id: string): ReturnType<Connection["tools"]>;
  /** Rows for the guard: the tools of what is connected. */
  rows(): readonly Tool[];
  /** What models are offered may be another by now. */
  forgetRows(): void;
}

export function createHeldServers(parts: ServersParts): HeldServers {
  const { entries, marks, dial, stdio, secrets, signIns, environment, events, clock, log, version, isOurs, mask } =
    parts;
  const all = new Map<string, HeldServer>();
  let rows: readonly Tool[] | undefined;
  const forgetRows = () => {
    rows = undefined;
  };
  const find = (id: string): HeldServer => {
    const server = all.get(id);
    if (!server) throw notFound("mcp server", id);
    return server;
  };
  const connected = () =>
    [...all.values()].filter(({ entry, connection }) => entry.enabled && connection.status().isConnected);
  const connectionFor = (entry: () => Entry, onChange: () => void): Connection =>
    createConnection({ entry, dial, isOurs, version, clock, log, random: Math.random, mask, changed: onChange });
  const changed = ({ entry: { id, revision }, connection, seen }: HeldServer) => {
    forgetRows();
    const { isConnected, isConnecting, lastError } = connection.status();
    if (id !== BUILTIN_ID && isConnected) seen.note(connection.tools());
    events.publish(resourceChanged("mcp_server", id, "updated", revision));
    const payload = { event: "server", id, connected: isConnected, connecting: isConnecting, last_error: lastError };
    events.publish({ type: "mcp_event", durable: false, payload });
  };
  const made = async (entry: Entry): Promise<HeldServer> => {
    const { id } = entry;
    const server: HeldServer = {
      entry,
      seen: createSeenTools({ serverId: id, stored: await marks.get(id), collection: marks, log }),
      connection: connectionFor(
        () => server.entry,
        () => changed(server),
      ),
    };
    return server;
  };
  return {
    all,
    find,
    made,
    connectionFor,
    changed,
    connected,
    forgetRows,
    shown: (server) =>
      shownEntry(server, { kept_secrets: secrets.namesOf(server.entry), sign_in: signIns.stateOf(server.entry) }),
    check(entry) {
      checkFields(entry, environment);
      if (entry.transport === "stdio" && entry.id !== BUILTIN_ID) checkStdio(entry, stdio);
    },
    async store(entry) {
      await entries.put(entry);
      const server = all.get(entry.id);
      if (server) server.entry = entry;
      else all.set(entry.id, await made(entry));
      forgetRows();
      return find(entry.id);
    },
    connectLater({ entry, connection }) {
      connection
        .connect()
        .catch((error: unknown) => log.warn("a server is not connected", { server: entry.id, error }));
    },
    toolsOf(id) {
      const { connection } = find(id);
      if (!connection.status().isConnected) throw mcpFailure("conflict", "not_connected", { id });
      return connection.tools();
    },
    rows() {
      rows ??= externalTools(connected(), parts.files);
      return rows;
    },
  };
}
