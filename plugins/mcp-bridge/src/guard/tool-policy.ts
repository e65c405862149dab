import { hasScope, type Tool, type ToolCaller, type ToolScope } from "@parley/core";
import type { McpSettings } from "../settings.ts";
import { mcpBridgeTexts } from "../texts.ts";

const READ_ONLY_SCOPES: readonly ToolScope[] = ["gateway.read", "events.query", "queue.read", "node.read"];
const ADMIN_SCOPES: readonly ToolScope[] = ["admin", ...READ_ONLY_SCOPES];

/** Rules of the `[mcp]` section of config.ini, for every caller. */
export interface ToolPolicy {
  readonly scopes: readonly ToolScope[];
  readonly isAudited: boolean;
  isSwitchedOn(tool: Tool): boolean;
  covers(what: Pick<Tool, "scope">): boolean;
  /** True when a person must confirm each call of the tool. */
  needsConfirm(tool: Tool): boolean;
}

export function createToolPolicy(settings: McpSettings): ToolPolicy {
  const scopes = settings.admin ? ADMIN_SCOPES : READ_ONLY_SCOPES;
  return {
    scopes,
    isAudited: settings.audit_enabled,
    isSwitchedOn: ({ enabledBy }) => enabledBy === undefined || settings[enabledBy],
    covers: ({ scope }) => scopes.includes(scope) || scopes.includes("admin"),
    needsConfirm: ({ risk, confirmUnless }) =>
      risk === "high" && (confirmUnless === undefined || settings[confirmUnless]),
  };
}

/** Checks a REST caller's scopes; tools need the same ones as the routes: `read` for reading, `admin` for all else. */
export function checkCaller({ name, risk }: Tool, { scopes }: Pick<ToolCaller, "scopes">): void {
  const needed = risk === "read" ? "read" : "admin";
  if (scopes && !hasScope({ scopes }, needed))
    throw mcpBridgeTexts.error("permission_denied", "scope_needed", { name, scope: needed });
}

export function checkSwitch(tool: Tool, policy: ToolPolicy): void {
  if (!policy.isSwitchedOn(tool))
    throw mcpBridgeTexts.error("permission_denied", "off", { setting: tool.enabledBy ?? "" });
}

export function checkScope(
  what: Pick<Tool, "scope">,
  policy: ToolPolicy,
  { granted }: Pick<ToolCaller, "granted">,
): void {
  if (!policy.covers(what)) throw mcpBridgeTexts.error("permission_denied", "not_granted", { scope: what.scope });
  if (!isGranted(what, granted)) throw mcpBridgeTexts.error("permission_denied", "not_given", { scope: what.scope });
}

/** Returns true when the client's grant covers a tool. */
export function isGranted({ scope }: Pick<Tool, "scope">, granted: ToolCaller["granted"]): boolean {
  return !granted || granted.includes(scope) || granted.includes("admin");
}
