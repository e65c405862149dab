import { type Logger, type Resolver, type RouteTable, Settings, type StartContext, ToolGuard } from "@parley/core";
import { OwnSettings, Policy } from "../keys.ts";
import { STDIO_ENABLED } from "../stdio-setting.ts";
import { promptsOf, resourcesOf } from "./offers.ts";
import { serviceRoutes } from "./service-routes.ts";

/** Serves MCP clients when the service was started with `--mcp` or `--mcp-only`; only then its library is loaded. */
export async function serve(from: Resolver, log: Logger, defer: StartContext<unknown>["defer"]): Promise<void> {
  if (!from.get(OwnSettings).enabled) return;
  const { openEntrance } = await import("./entrance.ts");
  await openEntrance(from, log, defer);
}

export function makeServiceRoutes(from: Resolver): RouteTable {
  return serviceRoutes({
    settings: from.get(OwnSettings),
    policy: from.get(Policy),
    guard: from.get(ToolGuard),
    resources: resourcesOf(from),
    prompts: promptsOf(from),
    isStdioEnabled: () => from.find(Settings)?.get(STDIO_ENABLED) ?? false,
  });
}
