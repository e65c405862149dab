import {
  inBothLanguages,
  type List,
  type Localized,
  listOf,
  notFound,
  type Page,
  type ResourceRecords,
  resourceChanged,
  type Tool,
} from "@parley/core";
import { mcpFailure } from "../said-failures.ts";
import { BUILTIN_ID, DEFAULTS, type Entry, type EntryInput, type ShownEntry } from "./entry.ts";
import { builtinEntry } from "./entry-checks.ts";
import { externalNames, isOffered } from "./external-tools.ts";
import { followOthers } from "./follow-others.ts";
import { createHeldServers } from "./held-servers.ts";
import { connectTo, createServerRecords } from "./server-records.ts";
import type { ServersParts } from "./servers-parts.ts";
import { type ListedTool, listedTool } from "./shown-server.ts";
import type { SignInState } from "./sign-in/sign-ins.ts";
import { type TrialResult, tryConnection } from "./try-connection.ts";

/** The other servers whose tools our models may use. */
export interface Servers extends AsyncDisposable {
  /** Reads the entries and connects those that want it, without waiting for them. */
  start(): Promise<void>;
  /** Seals what an earlier version stored in clear. */
  sealAll(): Promise<void>;
  /** Takes over what other processes change; returns the end of it. */
  follow(): () => void;
  readonly records: ResourceRecords<EntryInput>;
  connect(id: string): Promise<ShownEntry>;
  disconnect(id: string): Promise<ShownEntry>;
  test(id: string): Promise<TrialResult>;
  entryOf(id: string): Entry | undefined;
  /** All of them, with what is secret in them. */
  entries(): readonly Entry[];
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
  readonly said: Localized;
  readonly signIn: SignInState;
}

export function createServers(parts: ServersParts): Servers {
  const { entries, secrets, signIns, events, clock, hasBuiltin } = parts;
  const held = createHeldServers(parts);
  const { all, find, shown, changed, connectLater } = held;

  return {
    async start() {
      await Promise.all([secrets.load(), signIns.load()]);
      for (const stored of await entries.list()) {
        // What was stored before a field was there.
        const entry = { ...DEFAULTS, ...stored };
        if (entry.id !== BUILTIN_ID || hasBuiltin) all.set(entry.id, await held.made(entry));
      }
      if (hasBuiltin && !all.has(BUILTIN_ID)) await held.store(builtinEntry(new Date(clock.now()).toISOString()));
      for (const server of all.values()) {
        if (server.entry.enabled && (server.entry.auto_connect || server.entry.id === BUILTIN_ID)) connectLater(server);
      }
    },
    sealAll: async () => void (await entries.sealAll()),
    follow: () => followOthers(parts, held),
    async programsSwitched(isOn) {
      const programs = [...all.values()].filter(({ entry }) => entry.transport === "stdio" && entry.id !== BUILTIN_ID);
      if (!isOn) await Promise.all(programs.map(({ connection }) => connection.disconnect()));
      else for (const server of programs) if (server.entry.enabled && server.entry.auto_connect) connectLater(server);
    },
    records: createServerRecords(parts, held),
    async connect(id) {
      const server = find(id);
      if (!server.entry.enabled) throw mcpFailure("conflict", "server_off");
      if (!server.connection.status().isConnected) held.check(server.entry);
      await server.connection.connect();
      return shown(server);
    },
    async disconnect(id) {
      const server = find(id);
      await server.connection.disconnect();
      return shown(server);
    },
    entryOf: (id) => all.get(id)?.entry,
    entries: () => [...all.values()].map(({ entry }) => entry),
    async renew(id) {
      const server = find(id);
      await server.connection.disconnect();
      if (server.entry.enabled) connectLater(server);
      changed(server);
    },
    told(id) {
      const server = find(id);
      changed(server);
      return shown(server);
    },
    async test(id) {
      const { entry } = find(id);
      held.check(entry);
      const connection = held.connectionFor(
        () => ({ ...entry, auto_connect: false }),
        () => {},
      );
      return tryConnection(connection, clock);
    },
    async tools(id, page) {
      const server = find(id);
      const names = externalNames(held.connected(), id);
      const listed = held.toolsOf(id).map((tool) => listedTool(server, tool, names.get(tool.name)));
      return listOf(
        listed.sort((a, b) => compare(a.name, b.name)),
        page,
      );
    },
    async acceptTools(id, names) {
      const server = find(id);
      await server.seen.accept(held.toolsOf(id).filter(({ name }) => names?.includes(name) ?? true));
      held.forgetRows();
      events.publish(resourceChanged("mcp_server", id, "updated", server.entry.revision));
      return shown(server);
    },
    nameOf(id, tool) {
      const server = find(id);
      const found = held.toolsOf(id).find(({ name }) => name === tool);
      if (!found) throw notFound("tool", tool);
      if (!isOffered(server, found)) {
        throw mcpFailure("permission_denied", "kept_back", { tool });
      }
      if (id === BUILTIN_ID) return tool;
      const name = externalNames(held.connected(), id).get(tool);
      if (name === undefined) throw notFound("tool", tool);
      return name;
    },
    connectTo: (url) => connectTo(url, parts, held),
    down: () =>
      [...all.values()].flatMap(({ entry, connection }) => {
        const { downSince, lastError, lastErrorDetail } = connection.status();
        if (!entry.enabled || downSince === null) return [];
        const reason = lastError ?? "";
        const said = inBothLanguages(reason, lastErrorDetail);
        return [{ name: entry.name, since: downSince, reason, said, signIn: signIns.stateOf(entry) }];
      }),
    rows: held.rows,
    async [Symbol.asyncDispose]() {
      await Promise.all([...all.values()].map(({ connection }) => connection.disconnect()));
    },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
