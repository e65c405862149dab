import type { Area } from "../../shared/area.ts";

export const area: Area = {
  id: "mcp",
  paths: ["/mcp", "/mcp/$view"],
  page: async () => (await import("./page.tsx")).McpPage,
};
