import {
  AppError,
  type Caller,
  type Clock,
  type Collection,
  checkRevision,
  deleted,
  type Environment,
  type List,
  type LiveEvents,
  type Logger,
  listOf,
  newId,
  notFound,
  type Page,
  resourceChanged,
  type Tool,
} from "@parley/core";
import { cleanText } from "./clean-text.ts";
import { type Connection, createConnection } from "./connection.ts";
import { checkStdio, type DialParts, type Line } from "./dial.ts";
import {
  BUILTIN_ID,
  CONNECTION_FIELDS,
  DEFAULTS,
  type Entry,
  type EntryDraft,
  type EntryPatch,
  type EntryQuery,
  type ShownEntry,
} from "./entry.ts";
import { builtinEntry, checkFields, refuseBuiltin, refuseOthers } from "./entry-checks.ts";
import { externalName, externalTools, isOffered, riskOf } from "./external-tools.ts";
import type { KeepFiles } from "./result-text.ts";
import { acceptTools, changedTools, noteTools, type SeenTools } from "./seen-tools.ts";
import { fullName } from "./tool-names.ts";

const MAX_ENTRIES = 50;

export interface ServersParts {
  readonly entries: Collection<Entry>;
  readonly seen: Collection<SeenTools>;
  readonly dial: (entry: Entry) => Promise<Line>;
  readonly stdio: Pick<DialParts, "allowedCommands" | "isStdioEnabled">;
  readonly environment: Environment;
  readonly events: LiveEvents;
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  readonly mask: (text: string) => string;
  /** Where pictures that tools answer with are kept. */
  readonly files: () => KeepFiles;
  /** The service serves MCP itself: the built-in entry is there. */
  readonly hasBuiltin: boolean;
}

export interface ListedTool {
  readonly name: string;
  readonly full_name: string;
  readonly description: string;
  readonly parameters: object;
  /** False: the entry's lists keep it back. */
  readonly enabled: boolean;
  /** `high`: a person is asked at every call. */
  readonly risk: Tool["risk"];
  /** What it said of itself when it was first seen, where it is another one now. */
  readonly first_description: string | null;
}

export interface TrialResult {
  readonly ok: boolean;
  readonly elapsed_ms: number;
  readonly protocol_version: string | null;
  readonly server_info: ShownEntry["server_info"];
  readonly tool_count: number;
  readonly error: string | null;
}

/** The other servers whose tools our models may use. */
export interface Servers extends AsyncDisposable {
  /** Reads the entries and connects those that want it, without waiting for them. */
  start(): Promise<void>;
  list(query: EntryQuery): Promise<List<ShownEntry>>;
  create(draft: EntryDraft, caller: Caller): Promise<ShownEntry>;
  update(id: string, patch: EntryPatch, caller: Caller, ifMatch?: number): Promise<ShownEntry>;
  remove(id: string): Promise<{ readonly id: string; readonly deleted: true }>;
  connect(id: string, caller: Caller): Promise<ShownEntry>;
  disconnect(id: string): Promise<ShownEntry>;
  test(id: string, caller: Caller): Promise<TrialResult>;
  tools(id: string, page: Page): Promise<List<ListedTool>>;
  /** Takes the tools as they are now: what had changed is not warned of any more. */
  acceptTools(id: string): Promise<ShownEntry>;
  /** The name of a server's tool in the model's list; `conflict`, `not_found` or `permission_denied` when it is not there. */
  nameOf(id: string, tool: string): string;
  /** Makes or changes the entry for `--mcp-connect`. */
  connectTo(url: string): Promise<void>;
  /** Rows for the guard: the tools of what is connected. */
  rows(): readonly Tool[];
}

interface Slot {
  entry: Entry;
  readonly connection: Connection;
  warnings: readonly string[];
}

export function createServers(parts: ServersParts): Servers {
  const { entries, seen, dial, stdio, environment, events, clock, log, version, mask, files, hasBuiltin } = parts;
  const slots = new Map<string, Slot>();
  let rows: readonly Tool[] | undefined;
  const now = () => new Date(clock.now()).toISOString();

  const slotOf = (entry: Entry): Slot => {
    const slot: Slot = {
      entry,
      warnings: [],
      connection: connectionFor(
        () => slot.entry,
        () => changed(slot),
      ),
    };
    return slot;
  };
  const connectionFor = (entry: () => Entry, onChange: () => void): Connection =>
    createConnection({ entry, dial, version, clock, log, random: Math.random, mask, changed: onChange });
  const changed = (slot: Slot) => {
    rows = undefined;
    const { id, revision } = slot.entry;
    events.publish(resourceChanged("mcp_server", id, "updated", revision));
    const { isConnected, isConnecting, lastError } = slot.connection.status();
    const payload = { event: "server", id, connected: isConnected, connecting: isConnecting, last_error: lastError };
    events.publish({ type: "mcp_event", durable: false, payload });
    if (!isConnected || id === BUILTIN_ID) return;
    noteTools(id, slot.connection.tools(), seen, log).then(
      (warnings) => {
        const isOther = warnings.join() !== slot.warnings.join();
        slot.warnings = warnings;
        if (isOther) events.publish(resourceChanged("mcp_server", id, "updated", revision));
      },
      (error: unknown) => log.warn("tools of a server could not be noted", { server: id, error }),
    );
  };
  const connectedSlots = () =>
    [...slots.values()].filter(({ entry, connection }) => entry.enabled && connection.status().isConnected);
  const connectedTools = (id: string) => {
    const { connection } = find(id);
    if (!connection.status().isConnected) throw new AppError("conflict", `server '${id}' is not connected`);
    return connection.tools();
  };
  const find = (id: string): Slot => {
    const slot = slots.get(id);
    if (!slot) throw notFound("mcp server", id);
    return slot;
  };
  const shown = ({ entry, connection, warnings }: Slot): ShownEntry => {
    const { isConnected, isConnecting, serverInfo, lastConnectedAt, lastError } = connection.status();
    return {
      ...entry,
      connection_state: isConnected ? "connected" : "disconnected",
      connected: isConnected,
      connecting: isConnecting,
      tool_count: connection.tools().length,
      server_info: serverInfo,
      last_connected_at: lastConnectedAt,
      last_error: lastError,
      warnings: [...connection.warnings(), ...warnings],
      builtin: entry.id === BUILTIN_ID,
    };
  };
  const connectLater = ({ entry, connection }: Slot) => {
    connection.connect().catch((error: unknown) => log.warn("a server is not connected", { server: entry.id, error }));
  };
  const check = (entry: Entry, caller: Caller) => {
    checkFields(entry, environment);
    if (entry.transport !== "stdio" || entry.id === BUILTIN_ID) return;
    refuseOthers(caller);
    checkStdio(entry, stdio);
  };
  const store = async (entry: Entry) => {
    await entries.put(entry);
    const slot = slots.get(entry.id);
    if (slot) slot.entry = entry;
    else slots.set(entry.id, slotOf(entry));
    rows = undefined;
    return find(entry.id);
  };

  return {
    async start() {
      for (const entry of await entries.list()) {
        if (entry.id !== BUILTIN_ID || hasBuiltin) slots.set(entry.id, slotOf(entry));
      }
      if (hasBuiltin && !slots.has(BUILTIN_ID)) await store(builtinEntry(now()));
      for (const slot of slots.values()) {
        if (slot.entry.enabled && (slot.entry.auto_connect || slot.entry.id === BUILTIN_ID)) connectLater(slot);
      }
    },
    async list({ transport, connection_state, ...page }) {
      const all = [...slots.values()].map(shown).filter((entry) => {
        const isState = (connection_state ?? entry.connection_state) === entry.connection_state;
        return isState && (transport ?? entry.transport) === entry.transport;
      });
      all.sort((a, b) => Number(b.builtin) - Number(a.builtin) || compare(a.name, b.name) || compare(a.id, b.id));
      return listOf(all, page);
    },
    async create({ id = newId("mcp", clock.now()), ...draft }, caller) {
      const at = now();
      const entry = { ...DEFAULTS, ...draft, id, created_at: at, updated_at: at, revision: 1 };
      check(entry, caller);
      if ([...slots.keys()].some((known) => known.toLowerCase() === id.toLowerCase())) {
        throw new AppError("conflict", `id: '${id}' is taken`);
      }
      if (slots.size >= MAX_ENTRIES) throw new AppError("conflict", `there are ${MAX_ENTRIES} servers already`);
      const slot = await store(entry);
      events.publish(resourceChanged("mcp_server", id, "created", 1));
      // A process is started only when somebody asks for it.
      if (entry.enabled && entry.auto_connect && entry.transport === "streamable-http") connectLater(slot);
      return shown(slot);
    },
    async update(id, patch, caller, ifMatch) {
      const slot = find(id);
      const { id: given, ...fields } = patch;
      if (given !== undefined && given !== id) throw new AppError("bad_request", "id: cannot be changed");
      if (Object.keys(fields).length === 0) throw new AppError("bad_request", "nothing to update");
      const old = slot.entry;
      if (id === BUILTIN_ID) refuseBuiltin(fields, old);
      checkRevision(old, ifMatch);
      const entry: Entry = { ...old, ...fields, updated_at: now(), revision: old.revision + 1 };
      check(entry, caller);
      await store(entry);
      const isOther = CONNECTION_FIELDS.some((key) => JSON.stringify(old[key]) !== JSON.stringify(entry[key]));
      const wasConnected = slot.connection.status().isConnected;
      if (!entry.enabled || isOther) await slot.connection.disconnect();
      if (entry.enabled && (wasConnected || (entry.auto_connect && entry.transport === "streamable-http"))) {
        if (!slot.connection.status().isConnected) connectLater(slot);
      }
      changed(slot);
      return shown(slot);
    },
    async remove(id) {
      const { connection } = find(id);
      if (id === BUILTIN_ID) throw new AppError("bad_request", "the built-in entry cannot be deleted");
      await entries.remove(id);
      slots.delete(id);
      rows = undefined;
      await connection.disconnect();
      await seen.remove(id);
      events.publish(resourceChanged("mcp_server", id, "deleted"));
      return deleted(id);
    },
    async connect(id, caller) {
      const slot = find(id);
      if (!slot.entry.enabled) throw new AppError("conflict", "the server is switched off");
      if (!slot.connection.status().isConnected) check(slot.entry, caller);
      await slot.connection.connect();
      return shown(slot);
    },
    async disconnect(id) {
      const slot = find(id);
      await slot.connection.disconnect();
      return shown(slot);
    },
    async test(id, caller) {
      const { entry } = find(id);
      check(entry, caller);
      const begun = clock.monotonic();
      const connection = connectionFor(
        () => ({ ...entry, auto_connect: false }),
        () => {},
      );
      const error = await connection.connect().then(
        () => null,
        (thrown: Error) => thrown.message,
      );
      const { serverInfo } = connection.status();
      const tool_count = connection.tools().length;
      const elapsed_ms = Math.round(clock.monotonic() - begun);
      await connection.disconnect();
      const protocol_version = serverInfo?.protocol_version ?? null;
      return { ok: error === null, elapsed_ms, protocol_version, server_info: serverInfo, tool_count, error };
    },
    async tools(id, page) {
      const { entry } = find(id);
      const remote = connectedTools(id);
      const changes = changedTools(remote, (await seen.get(id))?.tools ?? {});
      const listed = remote.map((tool) => ({
        name: tool.name,
        full_name: fullName({ serverId: id, toolName: tool.name }),
        description: cleanText(tool.description ?? "", 2000),
        parameters: tool.inputSchema,
        enabled: isOffered(entry, tool.name),
        risk: riskOf(entry, tool),
        first_description: changes.get(tool.name) ?? null,
      }));
      return listOf(
        listed.sort((a, b) => compare(a.name, b.name)),
        page,
      );
    },
    async acceptTools(id) {
      const slot = find(id);
      await acceptTools(id, connectedTools(id), seen);
      slot.warnings = [];
      events.publish(resourceChanged("mcp_server", id, "updated", slot.entry.revision));
      return shown(slot);
    },
    nameOf(id, tool) {
      const { entry } = find(id);
      if (!connectedTools(id).some(({ name }) => name === tool)) throw notFound("tool", tool);
      if (!isOffered(entry, tool))
        throw new AppError("permission_denied", `${tool} is kept back by the server's lists`);
      if (id === BUILTIN_ID) return tool;
      const name = externalName(connectedSlots(), { serverId: id, toolName: tool });
      if (name === undefined) throw notFound("tool", tool);
      return name;
    },
    async connectTo(url) {
      const id = "mcp_connect";
      const old = slots.get(id)?.entry;
      const at = now();
      const fresh = { ...DEFAULTS, id, name: "Remote MCP server", created_at: at, revision: 0 };
      const wanted = { transport: "streamable-http", url, auto_connect: true, enabled: true } as const;
      const entry: Entry = { ...fresh, ...old, ...wanted, updated_at: at, revision: (old?.revision ?? 0) + 1 };
      checkFields(entry, environment);
      const slot = await store(entry);
      if (old && old.url !== url) await slot.connection.disconnect();
      connectLater(slot);
    },
    rows() {
      rows ??= externalTools(connectedSlots(), files);
      return rows;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...slots.values()].map(({ connection }) => connection.disconnect()));
    },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
