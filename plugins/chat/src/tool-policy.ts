import { AppError, type ConfigSections, type Tool, type ToolScope } from "@parley/core";

const READ_ONLY: readonly ToolScope[] = ["gateway.read", "events.query", "queue.read", "node.read"];
const EVERYTHING: readonly ToolScope[] = ["admin", ...READ_ONLY];
const DEFAULTS: Readonly<Record<string, boolean>> = { submit_task_enabled: true, audit_enabled: true };
const ON = /^(true|1|yes|on)$/i;

/** What the `[mcp]` section of config.ini allows (spec 4.19). */
export interface ToolPolicy {
  /** The scopes that calls without a credential of their own have: reading, or everything with `admin = true`. */
  readonly scopes: readonly ToolScope[];
  readonly isAudited: boolean;
  isSwitchedOn(tool: Tool): boolean;
}

export function createToolPolicy(sections: ConfigSections): ToolPolicy {
  const isOn = (key: string) => {
    const value = sections.section("mcp")[key];
    return value === undefined ? (DEFAULTS[key] ?? false) : ON.test(value.trim());
  };
  return {
    get scopes() {
      return isOn("admin") ? EVERYTHING : READ_ONLY;
    },
    get isAudited() {
      return isOn("audit_enabled");
    },
    isSwitchedOn: ({ enabledBy }) => enabledBy === undefined || isOn(enabledBy),
  };
}

export function isCovered({ scope }: Tool, scopes: readonly ToolScope[]): boolean {
  return scopes.includes(scope) || scopes.includes("admin");
}

export function checkSwitch(tool: Tool, policy: ToolPolicy): void {
  if (!policy.isSwitchedOn(tool)) throw new AppError("permission_denied", `${tool.enabledBy} is off`);
}

export function checkScope(tool: Tool, scopes: readonly ToolScope[]): void {
  if (!isCovered(tool, scopes)) throw new AppError("permission_denied", `scope ${tool.scope} is not granted`);
}
