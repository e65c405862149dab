import type { Check } from "@parley/core";
import type { Servers } from "./servers.ts";

/** Whether the servers that are wanted are there. */
export function serversCheck(servers: () => Pick<Servers, "down">): Check {
  return {
    id: "mcp",
    run: async () =>
      servers()
        .down()
        .map(({ name, since, reason }) => ({
          key: "mcp.down",
          level: "warning",
          said: {
            en: `the MCP server ${name} is not connected since ${since}: ${reason}`,
            zh: `MCP 服务器 ${name} 自 ${since} 起未连接：${reason}`,
          },
          advice: {
            en: "look at its address and its credentials on the page MCP, or switch it off",
            zh: "请在“MCP”页面检查其地址和凭据，或将其关闭",
          },
          parameters: { server: name, since, reason },
          page: "/mcp",
        })),
  };
}
