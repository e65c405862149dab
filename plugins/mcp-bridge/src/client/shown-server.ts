import type { Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import { type Tool, toldFailure } from "@parley/core";
import { mcpFailure } from "../said-failures.ts";
import { cleanText } from "./clean-text.ts";
import { BUILTIN_ID, ENTRY_SECRETS, type ShownEntry } from "./entry.ts";
import { type ConnectedEntry, isOffered, riskOf } from "./external-tools.ts";
import type { ToolWarning } from "./read-tools.ts";
import { fullName } from "./tool-names.ts";

export interface ListedTool {
  readonly name: string;
  readonly full_name: string;
  /** What models and workflows call it; null: they are not offered it. */
  readonly offered_as: string | null;
  readonly description: string;
  readonly parameters: object;
  /** False: the entry's lists keep it back, or it is new. */
  readonly enabled: boolean;
  /** It has come later, and no administrator has looked at it yet. */
  readonly is_new: boolean;
  /** `high`: a person is asked at every call. */
  readonly risk: Tool["risk"];
  /** What it said of itself when it was first seen, where it is another one now. */
  readonly first_description: string | null;
}

/** An entry with how it is. */
export function shownEntry(
  { entry, connection, seen }: ConnectedEntry,
  kept: Pick<ShownEntry, "kept_secrets" | "sign_in">,
): ShownEntry {
  const { isConnected, isConnecting, serverInfo, lastConnectedAt, lastError, lastErrorDetail } = connection.status();
  const ofTools = connection.tools().flatMap((tool) => warningOf(tool, seen) ?? []);
  const warnings = [...connection.warnings(), ...ofTools];
  return {
    ...ENTRY_SECRETS.masked(entry),
    connection_state: isConnected ? "connected" : "disconnected",
    connected: isConnected,
    connecting: isConnecting,
    tool_count: connection.tools().length,
    server_info: serverInfo,
    last_connected_at: lastConnectedAt,
    last_error: lastError,
    last_error_detail: lastErrorDetail,
    warnings: warnings.map(({ error }) => error),
    warning_details: warnings.map(({ detail }) => detail ?? null),
    builtin: entry.id === BUILTIN_ID,
    ...kept,
  };
}

export function listedTool(server: ConnectedEntry, tool: RemoteTool, offeredAs: string | undefined): ListedTool {
  const { entry, seen } = server;
  return {
    name: tool.name,
    full_name: fullName({ serverId: entry.id, toolName: tool.name }),
    offered_as: offeredAs ?? null,
    description: cleanText(tool.description ?? "", 2000),
    parameters: tool.inputSchema,
    enabled: isOffered(server, tool),
    is_new: seen.isNew(tool),
    risk: riskOf(server, tool),
    first_description: seen.changedFrom(tool) ?? null,
  };
}

function warningOf(tool: RemoteTool, seen: ConnectedEntry["seen"]): ToolWarning | undefined {
  const name = cleanText(tool.name, 100);
  if (seen.isNew(tool)) return toldFailure(mcpFailure("conflict", "tool_new", { name }));
  return seen.changedFrom(tool) === undefined
    ? undefined
    : toldFailure(mcpFailure("conflict", "tool_changed", { name }));
}
