import {
  type Caller,
  differing,
  REQUEST_SECRETS,
  type ResourceQuery,
  resourceSection,
  type TransferSection,
} from "@parley/core";
import { mcpFailure } from "../said-failures.ts";
import { BUILTIN_ID, type EntryInput, mcpServers } from "./entry.ts";
import { entryComingIn, maskedEntry, secretsInEntry } from "./entry-secrets.ts";
import type { Servers } from "./servers.ts";

type Incoming = Partial<EntryInput> & { readonly [REQUEST_SECRETS]?: string | null };

/** Other servers. A program of another machine is listed and never comes in; what comes in has to be switched on by hand. */
export function mcpServersSection(servers: () => Servers): TransferSection {
  const withSecrets = ({ [REQUEST_SECRETS]: secrets, ...fields }: Incoming, id?: string) => {
    const old = id === undefined ? undefined : servers().entryOf(id);
    return entryComingIn({ ...(old && { url: maskedEntry(old).url }), ...fields }, secrets, old);
  };
  const shown = async (query: ResourceQuery, caller: Caller) => {
    const page = await servers().records.page(query, caller);
    return { ...page, items: page.items.filter(({ id }) => id !== BUILTIN_ID) };
  };
  return resourceSection(
    { id: "mcp_servers", title: mcpServers.title.many },
    mcpServers,
    () => {
      const { records } = servers();
      return {
        ...records,
        page: shown,
        create: (draft, request) => records.create(withSecrets(draft) as EntryInput, request),
        change: (id, patch, request) => records.change(id, withSecrets(patch, id), request),
      };
    },
    (item, there) => {
      if (item.transport === "stdio") return mcpFailure("conflict", "starts_program");
      const { enabled, auto_connect } = there ?? { enabled: false, auto_connect: false };
      const asHere = { ...item, enabled, auto_connect };
      const isSame = there !== undefined && differing(there, asHere).length === 0;
      return isSame ? asHere : { ...item, enabled: false, auto_connect: false };
    },
    {
      field: REQUEST_SECRETS,
      async all() {
        const kept = servers()
          .entries()
          .flatMap((entry) => {
            const secrets = secretsInEntry(entry);
            return Object.keys(secrets).length === 0 ? [] : [[entry.id, JSON.stringify(secrets)] as const];
          });
        return Object.fromEntries(kept);
      },
    },
  );
}
