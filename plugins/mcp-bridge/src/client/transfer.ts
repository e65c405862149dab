import { differing, resourceSection, type TransferSection } from "@parley/core";
import { BUILTIN_ID, mcpServers } from "./entry.ts";
import type { Servers } from "./servers.ts";

/** Other servers. A program of another machine is listed and never comes in; what comes in has to be switched on by hand. */
export function mcpServersSection(servers: () => Servers): TransferSection {
  return resourceSection(
    { id: "mcp_servers", title: mcpServers.title.many },
    mcpServers,
    () => {
      const { records } = servers();
      return {
        ...records,
        async page(query, caller) {
          const page = await records.page(query, caller);
          return { ...page, items: page.items.filter(({ id }) => id !== BUILTIN_ID) };
        },
      };
    },
    (item, there) => {
      if (item.transport === "stdio") return "it starts a program";
      const { enabled, auto_connect } = there ?? { enabled: false, auto_connect: false };
      const asHere = { ...item, enabled, auto_connect };
      const isSame = there !== undefined && differing(there, asHere).length === 0;
      return isSame ? asHere : { ...item, enabled: false, auto_connect: false };
    },
  );
}
