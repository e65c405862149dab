import type { Area } from "../../shared/area.ts";

export const TABS = ["servers", "service", "calls"] as const;

export const area: Area = {
  id: "mcp",
  paths: ["/mcp", "/mcp/$tab"],
  tabs: TABS,
  page: async () => (await import("./page.tsx")).McpPage,
};
