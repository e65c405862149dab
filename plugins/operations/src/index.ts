import { join } from "node:path";
import {
  Channels,
  ChatCommands,
  Clock,
  ConfigSections,
  Databases,
  definePlugin,
  Environment,
  HostControl,
  JsonFiles,
  LiveEvents,
  LogFeed,
  Paths,
  Probes,
  Redaction,
  RouteTables,
  Sessions,
  Settings,
  serviceKey,
  TokenUsage,
  ToolTables,
} from "@parley/core";
import { createLogStore, LOG_MIGRATIONS, type LogStore } from "./log-store.ts";
import { agentTools } from "./mcp-tools.ts";
import { commandRoutes, logRoutes, settingsRoutes, statisticsRoutes, systemRoutes, usageRoutes } from "./routes.ts";
import { createSettings, type EditableSettings } from "./settings.ts";
import { createStartStatus } from "./start-status.ts";
import { createStatistics, messageCounts } from "./statistics.ts";
import { createUsage } from "./usage.ts";

const StoredSettings = serviceKey<EditableSettings>("stored-settings");
const StoredLogs = serviceKey<LogStore>("stored-logs");

/** What an operator needs: settings, logs, usage, statistics, reload. */
export default definePlugin({
  id: "operations",
  requires: [Databases, JsonFiles],
  register({ log, provide, contribute }) {
    provide(StoredSettings, (from) =>
      createSettings({
        file: from.get(JsonFiles).open({
          path: join(from.get(Paths).data, "settings.json"),
          empty: {},
          parse: objectOnly,
          minCheckMs: 1000,
        }),
        environment: from.get(Environment),
        sections: from.get(ConfigSections),
        events: from.get(LiveEvents),
        log,
      }),
    );
    provide(Settings, (from) => from.get(StoredSettings));
    provide(StoredLogs, (from) =>
      createLogStore({
        database: () => from.get(Databases).main,
        folder: join(from.get(Paths).data, "logs"),
        clock: from.get(Clock),
        redaction: from.get(Redaction),
        feed: () => from.get(LogFeed),
      }),
    );
    contribute(RouteTables, (from) => settingsRoutes(from.get(StoredSettings)));
    contribute(RouteTables, (from) => logRoutes(from.get(StoredLogs), from.get(Clock).now));
    contribute(RouteTables, (from) => {
      const [sessions, usage] = [from.find(Sessions), from.find(TokenUsage)];
      if (!sessions || !usage) return [];
      const parts = { usage, settings: from.get(StoredSettings), clock: from.get(Clock) };
      return usageRoutes(createUsage({ ...parts, ...messageCounts(sessions, parts.clock) }));
    });
    contribute(RouteTables, (from) => {
      const sessions = from.find(Sessions);
      if (!sessions) return [];
      return statisticsRoutes(
        createStatistics({
          sessions,
          channels: from.find(Channels),
          probes: () => from.all(Probes),
          host: from.get(HostControl),
          settings: from.get(StoredSettings),
          clock: from.get(Clock),
        }),
      );
    });
    contribute(RouteTables, (from) => {
      const host = from.get(HostControl);
      const clock = from.get(Clock);
      return systemRoutes(host, createStartStatus({ host, clock, probes: () => from.all(Probes) }));
    });
    contribute(RouteTables, (from) => {
      const channels = () => (from.find(Channels)?.list() ?? []).map(({ id }) => id);
      return commandRoutes(() => from.all(ChatCommands), channels);
    });
    contribute(ToolTables, (from) => {
      const stored = { logs: from.get(StoredLogs), settings: from.get(StoredSettings) };
      return agentTools({ ...stored, host: from.get(HostControl), probes: () => from.all(Probes) });
    });
    contribute(Probes, (from) => ({
      id: "logs",
      measure: async () => [
        {
          name: "parley_log_rows_dropped",
          help: "Log lines that came faster than they could be stored",
          kind: "counter",
          samples: [{ value: from.get(StoredLogs).dropped() }],
        },
      ],
    }));
    contribute(Probes, (from) => ({
      id: "settings",
      async health() {
        const problem = from.get(StoredSettings).problem();
        return problem ? { status: "degraded", detail: `settings.json: ${problem}` } : { status: "ok", detail: "" };
      },
    }));
  },
  async start({ get, defer }) {
    await get(Databases).main.migrate("operations", LOG_MIGRATIONS);
    const logs = get(StoredLogs);
    defer(() => logs.flush());
    defer(get(LogFeed).subscribe((row) => logs.add(row)));
  },
});

function objectOnly(json: unknown): Readonly<Record<string, unknown>> {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  throw new Error("must be an object");
}
