import { notFound, resourceChanged, type Tool } from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";
import { type Connection, createConnection } from "../connection/connection.ts";
import { checkStdio } from "../connection/dial.ts";
import { type ConnectedEntry, createExternalTools } from "../tools/external-tools.ts";
import { createKnownTools } from "../tools/known-tools.ts";
import { BUILTIN_ID, type Entry, type EntryView } from "./entry.ts";
import { validateFields } from "./entry-validation.ts";
import { toEntryView } from "./server-view.ts";
import type { ServersDeps } from "./servers-deps.ts";

/** A registered server: its entry, connection and known tools. */
export interface RegisteredServer extends ConnectedEntry {
  entry: Entry;
}

/** The servers known to this process, by id. */
export interface ServerRegistry {
  readonly all: Map<string, RegisteredServer>;
  /** Returns a server; throws `not_found` for an unknown one. */
  find(id: string): RegisteredServer;
  /** Creates a server that is not registered yet. */
  create(entry: Entry): Promise<RegisteredServer>;
  /** Stores an entry and registers its server. */
  store(entry: Entry): Promise<RegisteredServer>;
  toView(server: RegisteredServer): EntryView;
  /** Validates an entry; throws `bad_request`, or `permission_denied` for a program that may not be started. */
  check(entry: Entry): void;
  /** Creates a connection for a server, whose entry is read at each use. */
  createConnectionFor(entry: () => Entry, notifyChanged: () => void): Connection;
  /** Connects without waiting. */
  connectInBackground(server: RegisteredServer): void;
  /** Notifies clients of a change of the server. */
  notifyChanged(server: RegisteredServer): void;
  /** Returns the connected servers. */
  listConnected(): readonly RegisteredServer[];
  /** Returns the tools of a server; throws `conflict` when it is not connected. */
  getToolsOf(id: string): ReturnType<Connection["tools"]>;
  /** Returns the tools of connected servers for the guard. */
  getOfferedTools(): readonly Tool[];
  /** Drops the cached tools when the offer has changed. */
  invalidateTools(): void;
}

export function createServerRegistry(deps: ServersDeps): ServerRegistry {
  const {
    entries,
    fingerprints,
    dial,
    stdio,
    secrets,
    signIns,
    environment,
    events,
    clock,
    log,
    version,
    isOwnServer,
    mask,
  } = deps;
  const all = new Map<string, RegisteredServer>();
  let cachedTools: readonly Tool[] | undefined;
  const invalidateTools = () => {
    cachedTools = undefined;
  };
  const find = (id: string): RegisteredServer => {
    const server = all.get(id);
    if (!server) throw notFound("mcp server", id);
    return server;
  };
  const listConnected = () =>
    [...all.values()].filter(({ entry, connection }) => entry.enabled && connection.status().isConnected);
  const createConnectionFor = (entry: () => Entry, onChange: () => void): Connection =>
    createConnection({ entry, dial, isOurs: isOwnServer, version, clock, log, random: Math.random, mask, onChange });
  const notifyChanged = ({ entry: { id, revision }, connection, known }: RegisteredServer) => {
    invalidateTools();
    const { isConnected, isConnecting, lastError } = connection.status();
    if (id !== BUILTIN_ID && isConnected) known.compare(connection.tools());
    events.publish(resourceChanged("mcp_server", id, "updated", revision));
    const payload = { event: "server", id, connected: isConnected, connecting: isConnecting, last_error: lastError };
    events.publish({ type: "mcp_event", durable: false, payload });
  };
  const createServer = async (entry: Entry): Promise<RegisteredServer> => {
    const { id } = entry;
    const server: RegisteredServer = {
      entry,
      known: createKnownTools({ serverId: id, stored: await fingerprints.get(id), collection: fingerprints, log }),
      connection: createConnectionFor(
        () => server.entry,
        () => notifyChanged(server),
      ),
    };
    return server;
  };
  return {
    all,
    find,
    create: createServer,
    createConnectionFor,
    notifyChanged,
    listConnected,
    invalidateTools,
    toView: (server) =>
      toEntryView(server, { kept_secrets: secrets.listNames(server.entry), sign_in: signIns.getState(server.entry) }),
    check(entry) {
      validateFields(entry, environment);
      if (entry.transport === "stdio" && entry.id !== BUILTIN_ID) checkStdio(entry, stdio);
    },
    async store(entry) {
      await entries.put(entry);
      const server = all.get(entry.id);
      if (server) server.entry = entry;
      else all.set(entry.id, await createServer(entry));
      invalidateTools();
      return find(entry.id);
    },
    connectInBackground({ entry, connection }) {
      connection
        .connect()
        .catch((error: unknown) => log.warn("a server is not connected", { server: entry.id, error }));
    },
    getToolsOf(id) {
      const { connection } = find(id);
      if (!connection.status().isConnected) throw mcpBridgeTexts.error("conflict", "not_connected", { id });
      return connection.tools();
    },
    getOfferedTools() {
      cachedTools ??= createExternalTools(listConnected(), deps.files);
      return cachedTools;
    },
  };
}
