import type { Caller, ResourceQuery, TransferSection } from "@parley/core";
import { diffFields, resourceSection } from "@parley/core/transfer";
import { mcpBridgeTexts } from "../../texts.ts";
import { BUILTIN_ID, ENTRY_SECRETS, mcpServers } from "./entry.ts";
import type { Servers } from "./servers.ts";

/** Creates the transfer section. Programs of another machine are listed but never imported; imported servers must be enabled manually. */
export function createMcpServersSection(servers: () => Servers): TransferSection {
  const page = async (query: ResourceQuery, caller: Caller) => {
    const found = await servers().records.page(query, caller);
    return { ...found, items: found.items.filter(({ id }) => id !== BUILTIN_ID) };
  };
  return resourceSection(
    { id: "mcp_servers", title: mcpServers.title.many },
    mcpServers,
    () => ({ ...servers().records, page }),
    (item, there) => {
      if (item.transport === "stdio") return mcpBridgeTexts.error("conflict", "starts_program");
      const { enabled, auto_connect } = there ?? { enabled: false, auto_connect: false };
      const asHere = { ...item, enabled, auto_connect };
      const isSame = there !== undefined && diffFields(there, asHere).length === 0;
      return isSame ? asHere : { ...item, enabled: false, auto_connect: false };
    },
    { secrets: ENTRY_SECRETS, all: async () => servers().entries() },
  );
}
