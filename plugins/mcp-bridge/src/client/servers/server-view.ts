import type { Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import { type Tool, toLocalizedError } from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";
import { type ConnectedEntry, getToolRisk, isOffered } from "../tools/external-tools.ts";
import type { ToolWarning } from "../tools/read-tools.ts";
import { sanitizeText } from "../tools/sanitize-text.ts";
import { toFullName } from "../tools/tool-names.ts";
import { BUILTIN_ID, ENTRY_SECRETS, type EntryView } from "./entry.ts";

export interface ListedTool {
  readonly name: string;
  readonly full_name: string;
  /** Name for models and workflows; null when they are not offered the tool. */
  readonly offered_as: string | null;
  readonly description: string;
  readonly parameters: object;
  /** False when the entry's lists exclude the tool, or it is new. */
  readonly enabled: boolean;
  /** True when the tool was added later and no administrator has reviewed it. */
  readonly is_new: boolean;
  /** `high`: every call needs a person's confirmation. */
  readonly risk: Tool["risk"];
  /** Description when first seen, if it has changed. */
  readonly first_description: string | null;
}

/** Converts an entry to its view, with the connection state. */
export function toEntryView(
  { entry, connection, known }: ConnectedEntry,
  secrets: Pick<EntryView, "kept_secrets" | "sign_in">,
): EntryView {
  const { isConnected, isConnecting, serverInfo, lastConnectedAt, lastError, lastErrorDetail } = connection.status();
  const ofTools = connection.tools().flatMap((tool) => toToolWarning(tool, known) ?? []);
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
    ...secrets,
  };
}

export function toListedTool(server: ConnectedEntry, tool: RemoteTool, offeredAs: string | undefined): ListedTool {
  const { entry, known } = server;
  return {
    name: tool.name,
    full_name: toFullName({ serverId: entry.id, toolName: tool.name }),
    offered_as: offeredAs ?? null,
    description: sanitizeText(tool.description ?? "", 2000),
    parameters: tool.inputSchema,
    enabled: isOffered(server, tool),
    is_new: known.isNew(tool),
    risk: getToolRisk(server, tool),
    first_description: known.getPreviousDescription(tool) ?? null,
  };
}

function toToolWarning(tool: RemoteTool, seen: ConnectedEntry["known"]): ToolWarning | undefined {
  const name = sanitizeText(tool.name, 100);
  if (seen.isNew(tool)) return toLocalizedError(mcpBridgeTexts.error("conflict", "tool_new", { name }));
  return seen.getPreviousDescription(tool) === undefined
    ? undefined
    : toLocalizedError(mcpBridgeTexts.error("conflict", "tool_changed", { name }));
}
