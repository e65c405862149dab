import {
  type Localized,
  localizeMessage,
  notFound,
  type ResourceRecords,
  resourceChanged,
  type Tool,
} from "@parley/core";
import { type List, type Page, toPage } from "@parley/core/http";
import { mcpBridgeTexts } from "../../texts.ts";
import { type ConnectionTestResult, testConnection } from "../connection/connection-test.ts";
import type { SignInState } from "../oauth/sign-in-state.ts";
import { getOfferedNames, isOffered } from "../tools/external-tools.ts";
import { BUILTIN_ID, DEFAULTS, type Entry, type EntryInput, type EntryView } from "./entry.ts";
import { createBuiltinEntry } from "./entry-validation.ts";
import { followRemoteChanges } from "./remote-changes.ts";
import { connectTo, createServerRecords } from "./server-records.ts";
import { createServerRegistry } from "./server-registry.ts";
import { type ListedTool, toListedTool } from "./server-view.ts";
import type { ServersDeps } from "./servers-deps.ts";

/** External servers whose tools the models may use. */
export interface Servers extends AsyncDisposable {
  /** Loads the entries and connects the automatic ones, without waiting. */
  start(): Promise<void>;
  /** Follows changes of other processes; returns the unsubscribe function. */
  follow(): () => void;
  readonly records: ResourceRecords<EntryInput>;
  connect(id: string): Promise<EntryView>;
  disconnect(id: string): Promise<EntryView>;
  test(id: string): Promise<ConnectionTestResult>;
  findEntry(id: string): Entry | undefined;
  /** Returns all entries with their secrets. */
  entries(): readonly Entry[];
  /** Reconnects with the currently stored data, without waiting. */
  reconnect(id: string): Promise<void>;
  /** Notifies viewers of a change of the server. */
  notifyChanged(id: string): EntryView;
  tools(id: string, page: Page): Promise<List<ListedTool>>;
  /** Accepts all or the named tools in their current form, so that their warnings end. */
  acceptTools(id: string, names?: readonly string[]): Promise<EntryView>;
  /** Returns the name of a server's tool for models; `conflict`, `not_found` or `permission_denied` when it is not offered. */
  getOfferedName(id: string, tool: string): string;
  /** Called when programs are enabled or disabled: connects the automatic ones, or stops all. */
  onProgramsSwitched(isOn: boolean): Promise<void>;
  /** Creates or changes the entry for `--mcp-connect`. */
  connectTo(url: string): Promise<void>;
  /** Returns enabled servers whose connection failed or was lost. */
  listDown(): readonly DownServer[];
  /** Returns the tools of connected servers for the guard. */
  getOfferedTools(): readonly Tool[];
}

export interface DownServer {
  readonly name: string;
  readonly since: string;
  readonly reason: string;
  readonly message: Localized;
  readonly signIn: SignInState;
}

export function createServers(deps: ServersDeps): Servers {
  const { entries, secrets, signIns, events, clock, hasBuiltin } = deps;
  const registry = createServerRegistry(deps);
  const { all, find, toView, notifyChanged, connectInBackground } = registry;

  return {
    async start() {
      await Promise.all([secrets.load(), signIns.load()]);
      for (const stored of await entries.list()) {
        // Entries stored earlier may lack new fields.
        const entry = { ...DEFAULTS, ...stored };
        if (entry.id !== BUILTIN_ID || hasBuiltin) all.set(entry.id, await registry.create(entry));
      }
      if (hasBuiltin && !all.has(BUILTIN_ID))
        await registry.store(createBuiltinEntry(new Date(clock.now()).toISOString()));
      for (const server of all.values()) {
        if (server.entry.enabled && (server.entry.auto_connect || server.entry.id === BUILTIN_ID))
          connectInBackground(server);
      }
    },
    follow: () => followRemoteChanges(deps, registry),
    async onProgramsSwitched(isOn) {
      const programs = [...all.values()].filter(({ entry }) => entry.transport === "stdio" && entry.id !== BUILTIN_ID);
      if (!isOn) await Promise.all(programs.map(({ connection }) => connection.disconnect()));
      else
        for (const server of programs)
          if (server.entry.enabled && server.entry.auto_connect) connectInBackground(server);
    },
    records: createServerRecords(deps, registry),
    async connect(id) {
      const server = find(id);
      if (!server.entry.enabled) throw mcpBridgeTexts.error("conflict", "server_off");
      if (!server.connection.status().isConnected) registry.check(server.entry);
      await server.connection.connect();
      return toView(server);
    },
    async disconnect(id) {
      const server = find(id);
      await server.connection.disconnect();
      return toView(server);
    },
    findEntry: (id) => all.get(id)?.entry,
    entries: () => [...all.values()].map(({ entry }) => entry),
    async reconnect(id) {
      const server = find(id);
      await server.connection.disconnect();
      if (server.entry.enabled) connectInBackground(server);
      notifyChanged(server);
    },
    notifyChanged(id) {
      const server = find(id);
      notifyChanged(server);
      return toView(server);
    },
    async test(id) {
      const { entry } = find(id);
      registry.check(entry);
      const connection = registry.createConnectionFor(
        () => ({ ...entry, auto_connect: false }),
        () => {},
      );
      return testConnection(connection, clock);
    },
    async tools(id, page) {
      const server = find(id);
      const names = getOfferedNames(registry.listConnected(), id);
      const listed = registry.getToolsOf(id).map((tool) => toListedTool(server, tool, names.get(tool.name)));
      return toPage(
        listed.sort((a, b) => compare(a.name, b.name)),
        page,
      );
    },
    async acceptTools(id, names) {
      const server = find(id);
      await server.known.accept(registry.getToolsOf(id).filter(({ name }) => names?.includes(name) ?? true));
      registry.invalidateTools();
      events.publish(resourceChanged("mcp_server", id, "updated", server.entry.revision));
      return toView(server);
    },
    getOfferedName(id, tool) {
      const server = find(id);
      const found = registry.getToolsOf(id).find(({ name }) => name === tool);
      if (!found) throw notFound("tool", tool);
      if (!isOffered(server, found)) {
        throw mcpBridgeTexts.error("permission_denied", "kept_back", { tool });
      }
      if (id === BUILTIN_ID) return tool;
      const name = getOfferedNames(registry.listConnected(), id).get(tool);
      if (name === undefined) throw notFound("tool", tool);
      return name;
    },
    connectTo: (url) => connectTo(url, deps, registry),
    listDown: () =>
      [...all.values()].flatMap(({ entry, connection }) => {
        const { downSince, lastError, lastErrorDetail } = connection.status();
        if (!entry.enabled || downSince === null) return [];
        const reason = lastError ?? "";
        const message = localizeMessage(reason, lastErrorDetail);
        return [{ name: entry.name, since: downSince, reason, message, signIn: signIns.getState(entry) }];
      }),
    getOfferedTools: registry.getOfferedTools,
    async [Symbol.asyncDispose]() {
      await Promise.all([...all.values()].map(({ connection }) => connection.disconnect()));
    },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
