import {
  Clock,
  ConfigSections,
  Databases,
  DocumentKinds,
  definePlugin,
  Egress,
  Environment,
  HostControl,
  LiveEvents,
  Paths,
  RecordStore,
  Redaction,
  type ServiceKey,
  type Tool,
  Tools,
} from "@parley/core";
import {
  createTestClock,
  memoryDatabases,
  memoryRecordStore,
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
  /** Returns the rows of the audit, newest first. */
  audit(): Promise<readonly AuditRow[]>;
}

/** Starts the plugin with in-memory services. */
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
    services: (from) => [
      [Databases, databases],
      [Clock, clock],
      [LiveEvents, events],
      [Paths, { root: "/", data: "/data" }],
      [ConfigSections, { section: (name: string) => (name === "mcp" ? mcp : {}) }],
      [HostControl, { version: "1.2.3", stop: () => {} }],
      [
        RecordStore,
        memoryRecordStore({ kinds: () => [], documents: () => from.all(DocumentKinds), database: databases.main }),
      ],
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
