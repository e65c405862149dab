import Joi from "@hapi/joi";
import { type HostControl, type Probe, type Tool, tool } from "@parley/core";
import type { LogLevel, LogStore } from "./logs/log-store.ts";
import type { EditableSettings } from "./settings/settings.ts";

export interface AgentToolsDeps {
  readonly host: HostControl;
  readonly probes: () => readonly Probe[];
  readonly logs: LogStore;
  readonly settings: EditableSettings;
}

const read = { risk: "read", scope: "gateway.read", audience: ["web-agent"] } as const;
const emptyArgs = Joi.object<object>({});

/** Tools of the web agent about the service itself. */
export function createAgentTools({ host, probes, logs, settings }: AgentToolsDeps): readonly Tool[] {
  return [
    tool({
      ...read,
      name: "agent_system_status",
      purpose: "Returns the status of the service: version, phase, plugins and the health of its components.",
      args: emptyArgs,
      async run() {
        const components = await Promise.all(probes().flatMap((probe) => (probe.health ? [readComponent(probe)] : [])));
        const plugins = host.plugins().map(({ id, version, state, failure }) => ({ id, version, state, failure }));
        return { version: host.version, phase: host.phase(), components, plugins };
      },
    }),
    tool<{ level: LogLevel | "all"; limit: number }>({
      ...read,
      name: "agent_recent_logs",
      purpose: "The latest lines of the system log.",
      args: Joi.object({
        level: Joi.string().valid("all", "debug", "info", "warning", "error").default("all"),
        limit: Joi.number().integer().min(1).max(200).default(50),
      }),
      async run({ level, limit }) {
        const { items, total } = await logs.list({ level, limit, offset: 0 });
        return { logs: items, count: items.length, total, truncated: items.length < total };
      },
    }),
    tool({
      ...read,
      name: "agent_get_settings",
      purpose: "The settings in force.",
      args: emptyArgs,
      run: async () => ({ settings: settings.getView() }),
    }),
    tool<{ patch: Readonly<Record<string, unknown>> }>({
      risk: "high",
      scope: "gateway.manage",
      audience: ["web-agent"],
      name: "agent_update_settings",
      purpose: "Changes settings: a JSON merge patch.",
      args: Joi.object({ patch: Joi.object().unknown().min(1).required() }),
      run: async ({ patch }) => ({ settings: await settings.change(patch) }),
    }),
  ];
}

async function readComponent({ id, health }: Probe): Promise<object> {
  try {
    return { id, ...(await health?.()) };
  } catch (error) {
    return { id, status: "down", detail: (error as Error).message };
  }
}
