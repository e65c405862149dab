import {
  Clock,
  Collections,
  ConfigSections,
  Databases,
  definePlugin,
  Egress,
  Environment,
  HostControl,
  LiveEvents,
  Paths,
  Redaction,
  type ServiceKey,
  type Tool,
  Tools,
} from "@parley/core";
import {
  createTestClock,
  memoryCollections,
  memoryDatabases,
  type RecordedEvents,
  recordedEvents,
  type StartedPlugins,
  startPlugins,
} from "@parley/testing";
import type { AuditRow, AuditTables } from "./guard/audit-tables.ts";
import plugin from "./index.ts";

export interface BridgeOptions {
  readonly tools?: readonly Tool[];
  /** The `[mcp]` section. */
  readonly mcp?: Readonly<Record<string, string>>;
  readonly services?: readonly (readonly [key: ServiceKey<unknown>, service: unknown])[];
}

export interface StartedBridge extends StartedPlugins {
  readonly clock: ReturnType<typeof createTestClock>;
  readonly events: RecordedEvents;
  /** Rows of the audit, newest first. */
  audit(): Promise<readonly AuditRow[]>;
}

/** Starts the plugin with everything else in memory. */
export async function startBridge({ tools = [], mcp = {}, services = [] }: BridgeOptions = {}): Promise<StartedBridge> {
  const clock = createTestClock();
  const databases = memoryDatabases();
  const events = recordedEvents();
  const extras = definePlugin({
    id: "extras",
    register({ contribute }) {
      for (const tool of tools) contribute(Tools, () => tool);
    },
  });
  const started = await startPlugins([plugin, extras], {
    services: [
      [Databases, databases],
      [Clock, clock],
      [LiveEvents, events],
      [Paths, { root: "/", data: "/data" }],
      [ConfigSections, { section: (name: string) => (name === "mcp" ? mcp : {}) }],
      [HostControl, { version: "1.2.3", stop: () => {} }],
      [Collections, memoryCollections()],
      [Environment, { get: () => undefined, secret: () => undefined }],
      [Egress, { fetch: () => Promise.reject(new Error("nothing is out there")) }],
      [Redaction, { mask: (value: unknown) => value, remember: () => {} }],
      ...services,
    ],
  });
  const audit = async () => {
    const rows = databases.main.tables<AuditTables>().selectFrom("mcp_audit").selectAll();
    return rows.orderBy("time", "desc").orderBy("id", "desc").execute();
  };
  return { ...started, clock, events, audit };
}
