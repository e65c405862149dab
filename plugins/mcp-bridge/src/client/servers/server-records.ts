import {
  aloneWith,
  type Caller,
  checkRevision,
  newId,
  notFound,
  type ResourceRecords,
  reply,
  resourceChanged,
  toRecordPage,
} from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";
import { isConfiguredCommand } from "../connection/command-rules.ts";
import {
  BUILTIN_ID,
  DEFAULTS,
  ENTRY_SECRETS,
  type Entry,
  type EntryDraft,
  type EntryInput,
  mcpServers,
} from "./entry.ts";
import {
  dropMovedSecrets,
  isConnectionChanged,
  rejectBuiltinChanges,
  rejectProgramCallers,
  validateFields,
} from "./entry-validation.ts";
import type { ServerRegistry } from "./server-registry.ts";
import type { ServersDeps } from "./servers-deps.ts";

const MAX_ENTRIES = 50;

/** Creates the record access of entries. A result may note that secrets were removed with a changed address. */
export function createServerRecords(deps: ServersDeps, registry: ServerRegistry): ResourceRecords<EntryInput> {
  const { entries, fingerprints: marks, stdio, secrets, signIns, events, clock } = deps;
  const { all, find, toView, connectInBackground } = registry;
  const now = () => new Date(clock.now()).toISOString();
  const checkEntry = (entry: Entry, caller: Caller) => {
    registry.check(entry);
    if (entry.transport === "stdio" && !isConfiguredCommand(entry, stdio.rules)) rejectProgramCallers(caller);
  };
  return {
    async page({ connection_state: state, ...query }) {
      const entryViews = [...all.values()].map(toView);
      const matchingEntries = entryViews.filter((entry) => state === undefined || entry.connection_state === state);
      return toRecordPage(mcpServers, matchingEntries, query, (a, b) => Number(b.builtin) - Number(a.builtin));
    },
    get: async (id) => toView(find(id)),
    async create({ id = newId("mcp", clock.now()), secrets: given, ...draft }: EntryDraft, { caller }) {
      const at = now();
      const entry = { ...DEFAULTS, ...ENTRY_SECRETS.unmasked(draft), id, created_at: at, updated_at: at, revision: 1 };
      checkEntry(entry, caller);
      secrets.check(entry, given);
      const server = await registry.create(entry);
      await aloneWith(entries, async (stored) => {
        // The built-in entry may not be stored.
        const ids = new Set([...all.keys(), ...stored.map((one) => one.id)]);
        if ([...ids].some((known) => known.toLowerCase() === id.toLowerCase())) {
          throw mcpBridgeTexts.error("conflict", "id_taken", { id }, { field: "id" });
        }
        if (ids.size >= MAX_ENTRIES) throw mcpBridgeTexts.error("conflict", "full", { most: MAX_ENTRIES });
        await secrets.store(entry, given);
        await entries.put(entry);
        all.set(id, server);
      });
      registry.invalidateTools();
      events.publish(resourceChanged("mcp_server", id, "created", 1));
      // A new program is started on request, or when the service starts next.
      if (entry.enabled && entry.auto_connect && entry.transport === "streamable-http") connectInBackground(server);
      return toView(server);
    },
    async change(id, { secrets: given, ...patch }, { caller, ifMatch }) {
      const server = find(id);
      const { entry, isOther, notice } = await aloneWith(entries, async (stored) => {
        const row = stored.find((one) => one.id === id);
        // The built-in entry may not be stored.
        if (!row && id !== BUILTIN_ID) throw notFound("mcp server", id);
        const old: Entry = { ...server.entry, ...row };
        const { fields, notice } = dropMovedSecrets(old, ENTRY_SECRETS.unmasked(patch, old));
        if (id === BUILTIN_ID) rejectBuiltinChanges(fields, old);
        checkRevision(old, ifMatch);
        const entry: Entry = { ...old, ...fields, updated_at: now(), revision: old.revision + 1 };
        secrets.check(entry, given);
        const isOther = isConnectionChanged(old, entry) || given !== undefined;
        // An entry that is no longer allowed can still be disabled.
        if (isOther) checkEntry(entry, caller);
        await secrets.store(entry, given);
        if (old.url !== entry.url) await signIns.forget(old);
        await registry.store(entry);
        return { entry, isOther, notice };
      });
      const wasConnected = server.connection.status().isConnected;
      if (!entry.enabled || isOther) await server.connection.disconnect();
      if (entry.enabled && (wasConnected || (entry.auto_connect && entry.transport === "streamable-http"))) {
        if (!server.connection.status().isConnected) connectInBackground(server);
      }
      registry.notifyChanged(server);
      return reply({ data: toView(server), message: notice });
    },
    async remove(id, { ifMatch }) {
      const { connection, entry } = find(id);
      if (id === BUILTIN_ID) throw mcpBridgeTexts.error("bad_request", "built_in");
      await aloneWith(entries, async (stored) => {
        checkRevision(stored.find((one) => one.id === id) ?? entry, ifMatch);
        // If this fails, the server still exists and a person can repeat the deletion.
        await signIns.forget(entry);
        if (!(await entries.remove(id))) throw notFound("mcp server", id);
      });
      await secrets.forget(entry);
      all.delete(id);
      registry.invalidateTools();
      await connection.disconnect();
      await marks.remove(id);
      events.publish(resourceChanged("mcp_server", id, "deleted"));
    },
  };
}

/** Creates or changes the entry for `--mcp-connect`. */
export async function connectTo(url: string, deps: ServersDeps, registry: ServerRegistry): Promise<void> {
  const { environment, clock } = deps;
  const id = "mcp_connect";
  const old = registry.all.get(id)?.entry;
  const at = new Date(clock.now()).toISOString();
  const fresh = { ...DEFAULTS, id, name: "Remote MCP server", created_at: at, revision: 0 };
  const wanted = { transport: "streamable-http", url, auto_connect: true, enabled: true } as const;
  const { fields } = old ? dropMovedSecrets(old, { url }) : { fields: {} };
  const entry: Entry = { ...fresh, ...old, ...fields, ...wanted, updated_at: at, revision: (old?.revision ?? 0) + 1 };
  validateFields(entry, environment);
  const server = await registry.store(entry);
  if (old && old.url !== url) await server.connection.disconnect();
  registry.connectInBackground(server);
}
