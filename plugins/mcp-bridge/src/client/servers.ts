import {
  AppError,
  aloneWith,
  type Caller,
  checkRevision,
  type List,
  listOf,
  newId,
  notFound,
  type Page,
  pageOfHeld,
  type ResourceRecords,
  reply,
  resourceChanged,
  type Tool,
} from "@parley/core";
import { isConfigured } from "./command-rules.ts";
import { type Connection, createConnection } from "./connection.ts";
import { checkStdio } from "./dial.ts";
import {
  BUILTIN_ID,
  DEFAULTS,
  type Entry,
  type EntryDraft,
  type EntryInput,
  mcpServers,
  type ShownEntry,
} from "./entry.ts";
import {
  builtinEntry,
  checkFields,
  isOtherConnection,
  patched,
  refuseBuiltin,
  refusePrograms,
} from "./entry-checks.ts";
import { type ConnectedEntry, externalNames, externalTools, isOffered } from "./external-tools.ts";
import { followOthers } from "./follow-others.ts";
import { createSeenTools } from "./seen-tools.ts";
import type { ServersParts } from "./servers-parts.ts";
import { type ListedTool, listedTool, shownEntry } from "./shown-server.ts";
import type { SignInState } from "./sign-in/sign-ins.ts";
import { type TrialResult, tryConnection } from "./try-connection.ts";

const MAX_ENTRIES = 50;

/** The other servers whose tools our models may use. */
export interface Servers extends AsyncDisposable {
  /** Reads the entries and connects those that want it, without waiting for them. */
  start(): Promise<void>;
  /** Takes over what other processes change; returns the end of it. */
  follow(): () => void;
  /** An answer may say what was taken out because it would go somewhere else now. */
  readonly records: ResourceRecords<EntryInput>;
  connect(id: string): Promise<ShownEntry>;
  disconnect(id: string): Promise<ShownEntry>;
  test(id: string): Promise<TrialResult>;
  entryOf(id: string): Entry | undefined;
  /** Connects with what is kept for it now, without waiting. */
  renew(id: string): Promise<void>;
  /** Says to who looks that something about it is another one now. */
  told(id: string): ShownEntry;
  tools(id: string, page: Page): Promise<List<ListedTool>>;
  /** Takes the tools, or those that are named, as they are now: what had changed or come is not warned of any more. */
  acceptTools(id: string, names?: readonly string[]): Promise<ShownEntry>;
  /** The name of a server's tool in the model's list; `conflict`, `not_found` or `permission_denied` when it is not there. */
  nameOf(id: string, tool: string): string;
  /** Programs may run or not from now on: connects those that want it, or stops all. */
  programsSwitched(isOn: boolean): Promise<void>;
  /** Makes or changes the entry for `--mcp-connect`. */
  connectTo(url: string): Promise<void>;
  /** Those that are wanted and not there. */
  down(): readonly DownServer[];
  /** Rows for the guard: the tools of what is connected. */
  rows(): readonly Tool[];
}

export interface DownServer {
  readonly name: string;
  readonly since: string;
  readonly reason: string;
  readonly signIn: SignInState;
}

interface Slot extends ConnectedEntry {
  entry: Entry;
}

export function createServers(parts: ServersParts): Servers {
  const {
    entries,
    marks,
    dial,
    stdio,
    secrets,
    signIns,
    environment,
    events,
    clock,
    log,
    version,
    isOurs,
    mask,
    files,
    hasBuiltin,
  } = parts;
  const slots = new Map<string, Slot>();
  let rows: readonly Tool[] | undefined;
  const forgetRows = () => {
    rows = undefined;
  };
  const now = () => new Date(clock.now()).toISOString();
  const shown = (slot: Slot) =>
    shownEntry(slot, { kept_secrets: secrets.namesOf(slot.entry), sign_in: signIns.stateOf(slot.entry) });

  const slotOf = async (entry: Entry): Promise<Slot> => {
    const { id } = entry;
    const slot: Slot = {
      entry,
      seen: createSeenTools({ serverId: id, stored: await marks.get(id), collection: marks, log }),
      connection: connectionFor(
        () => slot.entry,
        () => changed(slot),
      ),
    };
    return slot;
  };
  const connectionFor = (entry: () => Entry, onChange: () => void): Connection =>
    createConnection({ entry, dial, isOurs, version, clock, log, random: Math.random, mask, changed: onChange });
  const changed = (slot: Slot) => {
    rows = undefined;
    const { id, revision } = slot.entry;
    if (id !== BUILTIN_ID && slot.connection.status().isConnected) slot.seen.note(slot.connection.tools());
    events.publish(resourceChanged("mcp_server", id, "updated", revision));
    const { isConnected, isConnecting, lastError } = slot.connection.status();
    const payload = { event: "server", id, connected: isConnected, connecting: isConnecting, last_error: lastError };
    events.publish({ type: "mcp_event", durable: false, payload });
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
  const connectLater = ({ entry, connection }: Slot) => {
    connection.connect().catch((error: unknown) => log.warn("a server is not connected", { server: entry.id, error }));
  };
  const check = (entry: Entry) => {
    checkFields(entry, environment);
    if (entry.transport === "stdio" && entry.id !== BUILTIN_ID) checkStdio(entry, stdio);
  };
  const checkBy = (entry: Entry, caller: Caller) => {
    check(entry);
    if (entry.transport === "stdio" && !isConfigured(entry, stdio.rules)) refusePrograms(caller);
  };
  const store = async (entry: Entry) => {
    await entries.put(entry);
    const slot = slots.get(entry.id);
    if (slot) slot.entry = entry;
    else slots.set(entry.id, await slotOf(entry));
    rows = undefined;
    return find(entry.id);
  };

  const records: ResourceRecords<EntryInput> = {
    async page({ connection_state: state, ...query }) {
      const all = [...slots.values()].map(shown);
      const asked = all.filter((entry) => state === undefined || entry.connection_state === state);
      return pageOfHeld(mcpServers, asked, query, (a, b) => Number(b.builtin) - Number(a.builtin));
    },
    get: async (id) => shown(find(id)),
    async create({ id = newId("mcp", clock.now()), secrets: given, ...draft }: EntryDraft, { caller }) {
      const at = now();
      const entry = { ...DEFAULTS, ...draft, id, created_at: at, updated_at: at, revision: 1 };
      checkBy(entry, caller);
      secrets.check(entry, given);
      const slot = await slotOf(entry);
      await aloneWith(entries, async (stored) => {
        // The built-in one need not be stored.
        const ids = new Set([...slots.keys(), ...stored.map((one) => one.id)]);
        if ([...ids].some((known) => known.toLowerCase() === id.toLowerCase())) {
          throw new AppError("conflict", `id: '${id}' is taken`);
        }
        if (ids.size >= MAX_ENTRIES) throw new AppError("conflict", `there are ${MAX_ENTRIES} servers already`);
        await secrets.store(entry, given);
        await entries.put(entry);
        slots.set(id, slot);
      });
      rows = undefined;
      events.publish(resourceChanged("mcp_server", id, "created", 1));
      // A process is started only when somebody asks for it.
      if (entry.enabled && entry.auto_connect && entry.transport === "streamable-http") connectLater(slot);
      return shown(slot);
    },
    async change(id, { secrets: given, ...patch }, { caller, ifMatch }) {
      const slot = find(id);
      const old = slot.entry;
      const { fields, notice } = patched(old, patch);
      if (id === BUILTIN_ID) refuseBuiltin(fields, old);
      checkRevision(old, ifMatch);
      const entry: Entry = { ...old, ...fields, updated_at: now(), revision: old.revision + 1 };
      secrets.check(entry, given);
      const isOther = isOtherConnection(old, entry) || given !== undefined;
      // What may not be started any more can still be switched off.
      if (isOther) checkBy(entry, caller);
      await secrets.store(entry, given);
      await signIns.keepOnly(entry);
      await store(entry);
      const wasConnected = slot.connection.status().isConnected;
      if (!entry.enabled || isOther) await slot.connection.disconnect();
      if (entry.enabled && (wasConnected || (entry.auto_connect && entry.transport === "streamable-http"))) {
        if (!slot.connection.status().isConnected) connectLater(slot);
      }
      changed(slot);
      return reply({ data: shown(slot), message: notice });
    },
    async remove(id, { ifMatch }) {
      const { connection, entry } = find(id);
      checkRevision(entry, ifMatch);
      if (id === BUILTIN_ID) throw new AppError("bad_request", "the built-in entry cannot be deleted");
      await entries.remove(id);
      await secrets.forget(entry);
      await signIns.forget(entry);
      slots.delete(id);
      rows = undefined;
      await connection.disconnect();
      await marks.remove(id);
      events.publish(resourceChanged("mcp_server", id, "deleted"));
    },
  };

  return {
    async start() {
      await Promise.all([secrets.load(), signIns.load()]);
      for (const stored of await entries.list()) {
        // What was stored before a field was there.
        const entry = { ...DEFAULTS, ...stored };
        if (entry.id !== BUILTIN_ID || hasBuiltin) slots.set(entry.id, await slotOf(entry));
      }
      if (hasBuiltin && !slots.has(BUILTIN_ID)) await store(builtinEntry(now()));
      for (const slot of slots.values()) {
        if (slot.entry.enabled && (slot.entry.auto_connect || slot.entry.id === BUILTIN_ID)) connectLater(slot);
      }
    },
    follow: () =>
      followOthers({ entries, marks, secrets, signIns, log, slots, slotOf, connectLater, changed: forgetRows }),
    async programsSwitched(isOn) {
      const programs = [...slots.values()].filter(
        ({ entry }) => entry.transport === "stdio" && entry.id !== BUILTIN_ID,
      );
      if (!isOn) await Promise.all(programs.map(({ connection }) => connection.disconnect()));
      else for (const slot of programs) if (slot.entry.enabled && slot.entry.auto_connect) connectLater(slot);
    },
    records,
    async connect(id) {
      const slot = find(id);
      if (!slot.entry.enabled) throw new AppError("conflict", "the server is switched off");
      if (!slot.connection.status().isConnected) check(slot.entry);
      await slot.connection.connect();
      return shown(slot);
    },
    async disconnect(id) {
      const slot = find(id);
      await slot.connection.disconnect();
      return shown(slot);
    },
    entryOf: (id) => slots.get(id)?.entry,
    async renew(id) {
      const slot = find(id);
      await slot.connection.disconnect();
      if (slot.entry.enabled) connectLater(slot);
      changed(slot);
    },
    told(id) {
      const slot = find(id);
      changed(slot);
      return shown(slot);
    },
    async test(id) {
      const { entry } = find(id);
      check(entry);
      const connection = connectionFor(
        () => ({ ...entry, auto_connect: false }),
        () => {},
      );
      return tryConnection(connection, clock);
    },
    async tools(id, page) {
      const slot = find(id);
      const names = externalNames(connectedSlots(), id);
      const listed = connectedTools(id).map((tool) => listedTool(slot, tool, names.get(tool.name)));
      return listOf(
        listed.sort((a, b) => compare(a.name, b.name)),
        page,
      );
    },
    async acceptTools(id, names) {
      const slot = find(id);
      await slot.seen.accept(connectedTools(id).filter(({ name }) => names?.includes(name) ?? true));
      rows = undefined;
      events.publish(resourceChanged("mcp_server", id, "updated", slot.entry.revision));
      return shown(slot);
    },
    nameOf(id, tool) {
      const slot = find(id);
      const found = connectedTools(id).find(({ name }) => name === tool);
      if (!found) throw notFound("tool", tool);
      if (!isOffered(slot, found)) {
        throw new AppError("permission_denied", `${tool} is kept back: by the server's lists, or because it is new`);
      }
      if (id === BUILTIN_ID) return tool;
      const name = externalNames(connectedSlots(), id).get(tool);
      if (name === undefined) throw notFound("tool", tool);
      return name;
    },
    async connectTo(url) {
      const id = "mcp_connect";
      const old = slots.get(id)?.entry;
      const at = now();
      const fresh = { ...DEFAULTS, id, name: "Remote MCP server", created_at: at, revision: 0 };
      const wanted = { transport: "streamable-http", url, auto_connect: true, enabled: true } as const;
      const { fields } = old ? patched(old, { url }) : { fields: {} };
      const entry: Entry = {
        ...fresh,
        ...old,
        ...fields,
        ...wanted,
        updated_at: at,
        revision: (old?.revision ?? 0) + 1,
      };
      checkFields(entry, environment);
      const slot = await store(entry);
      if (old && old.url !== url) await slot.connection.disconnect();
      connectLater(slot);
    },
    down: () =>
      [...slots.values()].flatMap(({ entry, connection }) => {
        const { downSince, lastError } = connection.status();
        return entry.enabled && downSince !== null
          ? [{ name: entry.name, since: downSince, reason: lastError ?? "", signIn: signIns.stateOf(entry) }]
          : [];
      }),
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
