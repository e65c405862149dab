import { join } from "node:path";
import {
  Channels,
  ChatCommands,
  Clock,
  Databases,
  definePlugin,
  Environment,
  HostControl,
  JsonFiles,
  LiveEvents,
  LogFeed,
  Paths,
  Probes,
  RouteTables,
  Sessions,
  Settings,
  serviceKey,
  TokenUsage,
} from "@parley/core";
import { createLogStore, LOG_MIGRATIONS, type LogStore } from "./log-store.ts";
import { commandRoutes, logRoutes, settingsRoutes, statisticsRoutes, systemRoutes, usageRoutes } from "./routes.ts";
import { createSettings, type EditableSettings } from "./settings.ts";
import { startStatus } from "./start-status.ts";
import { createStatistics } from "./statistics.ts";
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
      }),
    );
    contribute(RouteTables, (from) => settingsRoutes(from.get(StoredSettings)));
    contribute(RouteTables, (from) => logRoutes(from.get(StoredLogs), from.get(Clock).now));
    contribute(RouteTables, (from) => {
      const sessions = from.get(Sessions);
      const clock = from.get(Clock);
      const since = () => new Date(clock.now() - 86_400_000).toISOString();
      const activeSessions = () => sessions.activeSince(since());
      return usageRoutes(
        createUsage({ usage: from.get(TokenUsage), settings: from.get(StoredSettings), clock, activeSessions }),
      );
    });
    contribute(RouteTables, (from) =>
      statisticsRoutes(
        createStatistics({
          sessions: from.get(Sessions),
          channels: from.find(Channels),
          probes: () => from.all(Probes),
          host: from.get(HostControl),
          settings: from.get(StoredSettings),
          clock: from.get(Clock),
        }),
      ),
    );
    contribute(RouteTables, (from) => {
      const host = from.get(HostControl);
      const clock = from.get(Clock);
      return systemRoutes(host, (caller) => startStatus(caller, { host, clock, probes: from.all(Probes) }));
    });
    contribute(RouteTables, (from) => commandRoutes(() => from.all(ChatCommands)));
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
