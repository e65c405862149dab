import Joi from "@hapi/joi";
import type { Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import { AppError, type Tool, type ToolContext } from "@parley/core";
import { TURN_META_KEY } from "../../meta-keys.ts";
import { mcpBridgeTexts } from "../../texts.ts";
import type { Connection } from "../connection/connection.ts";
import { BUILTIN_ID, type Entry } from "../servers/entry.ts";
import { isReadOnly, type KnownTools } from "./known-tools.ts";
import { type MediaStore, readResult } from "./result-text.ts";
import { sanitizeText } from "./sanitize-text.ts";
import { assignToolNames, type ToolAddress } from "./tool-names.ts";

const MAX_DESCRIPTION = 2000;
const MAX_CALL_MS = 605_000;

export interface ConnectedEntry {
  readonly entry: Entry;
  readonly connection: Connection;
  readonly known: KnownTools;
}

/** Creates tools from those of connected servers, under names every model accepts. */
export function createExternalTools(servers: readonly ConnectedEntry[], files: () => MediaStore): readonly Tool[] {
  const found = listOfferedTools(servers);
  return [...assignToolNames(found.map(toToolAddress))].flatMap(([name, { serverId, toolName }]) => {
    const one = found.find(({ entry, tool }) => entry.id === serverId && tool.name === toolName);
    return one ? [toTool(name, one, files)] : [];
  });
}

/** Returns the names under which models get one server's tools, by the server's own names. */
export function getOfferedNames(servers: readonly ConnectedEntry[], id: string): ReadonlyMap<string, string> {
  const names = [...assignToolNames(listOfferedTools(servers).map(toToolAddress))];
  return new Map(names.flatMap(([name, { serverId, toolName }]) => (serverId === id ? [[toolName, name]] : [])));
}

interface OfferedTool extends ConnectedEntry {
  readonly tool: RemoteTool;
}

function listOfferedTools(servers: readonly ConnectedEntry[]): readonly OfferedTool[] {
  return servers.flatMap((server) =>
    server.connection
      .tools()
      .filter((tool) => isOffered(server, tool))
      .map((tool) => ({ ...server, tool })),
  );
}

function toToolAddress({ entry, tool }: OfferedTool): ToolAddress {
  return { serverId: entry.id, toolName: tool.name };
}

/** Returns true when the entry's lists allow the tool: deny wins, an empty allow list allows all but new tools. */
export function isOffered({ entry, known }: Pick<ConnectedEntry, "entry" | "known">, tool: RemoteTool): boolean {
  const { tool_allow, tool_deny } = entry;
  if (tool_deny.includes(tool.name)) return false;
  return tool_allow.length === 0 ? !known.isNew(tool) : tool_allow.includes(tool.name);
}

function toTool(name: string, offered: OfferedTool, files: () => MediaStore): Tool {
  const { entry, connection, tool: remote } = offered;
  const isOurs = entry.id === BUILTIN_ID;
  const risk = getToolRisk(offered, remote);
  return {
    name,
    purpose: sanitizeText(remote.description ?? remote.title ?? remote.name, MAX_DESCRIPTION),
    args: Joi.object().unknown(),
    inputSchema: remote.inputSchema,
    // The administrator gave permission by connecting the server.
    scope: "gateway.read",
    risk,
    audience: ["ai"],
    // The guard checks built-in tools a second time.
    ...(!isOurs && { isExternal: true as const }),
    timeoutMs: MAX_CALL_MS,
    async run(args, context) {
      const result = await connection.call({
        tool: remote.name,
        args: args as Readonly<Record<string, unknown>>,
        isRead: isReadOnly(remote),
        signal: context.signal,
        progress: context.progress,
        ...(isOurs && { meta: toTurnMeta(context) }),
      });
      const { text, value } = await readResult(result, remote.name, files(), context.signal);
      if (!result.isError) return value;
      // The error is the text of the server; its pictures are already stored.
      throw text
        ? new AppError("upstream_failed", text, { cause: value })
        : mcpBridgeTexts.error("upstream_failed", "tool_failed");
    },
  };
}

/**
 * Returns the risk of a tool; `high` asks a person. That holds for tools in `confirm_tools`, changed tools, and tools
 * that are neither read-only nor in `trusted_tools`; in the lists, `*` stands for all tools.
 */
export function getToolRisk({ entry, known }: Pick<ConnectedEntry, "entry" | "known">, tool: RemoteTool): Tool["risk"] {
  const isNamed = (list: readonly string[] = []) => list.includes("*") || list.includes(tool.name);
  if (isNamed(entry.confirm_tools)) return "high";
  if (entry.id !== BUILTIN_ID && known.getPreviousDescription(tool) !== undefined) return "high";
  if (isReadOnly(tool)) return "read";
  // Built-in tools ask for confirmation themselves.
  return entry.id === BUILTIN_ID || isNamed(entry.trusted_tools) ? "action" : "high";
}

/** Returns the calling turn as metadata, for the server in this process, which trusts it. */
function toTurnMeta(context: ToolContext): Readonly<Record<string, unknown>> {
  const { sessionId, callerId, isAdmin, traceId, inbound, isOperatorOnly } = context;
  return { [TURN_META_KEY]: { sessionId, callerId, isAdmin, traceId, inbound, isOperatorOnly } };
}
