import Joi from "@hapi/joi";
import type { Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import { AppError, type Tool, type ToolContext } from "@parley/core";
import { TURN } from "../keys.ts";
import { mcpFailure } from "../said-failures.ts";
import { cleanText } from "./clean-text.ts";
import type { Connection } from "./connection.ts";
import { BUILTIN_ID, type Entry } from "./entry.ts";
import { type KeepFiles, resultText, resultValue } from "./result-text.ts";
import { isReadOnly, type SeenTools } from "./seen-tools.ts";
import { namesOf, type ToolAddress } from "./tool-names.ts";

const MAX_DESCRIPTION = 2000;
const MAX_CALL_MS = 605_000;

export interface ConnectedEntry {
  readonly entry: Entry;
  readonly connection: Connection;
  readonly seen: SeenTools;
}

/** Tools of connected servers as rows of ours, under names that every model takes. */
export function externalTools(servers: readonly ConnectedEntry[], files: () => KeepFiles): readonly Tool[] {
  const found = offeredTools(servers);
  return [...namesOf(found.map(addressOf))].flatMap(([name, { serverId, toolName }]) => {
    const one = found.find(({ entry, tool }) => entry.id === serverId && tool.name === toolName);
    return one ? [rowOf(name, one, files)] : [];
  });
}

/** The names under which the guard knows the offered tools of one server, by the server's own names. */
export function externalNames(servers: readonly ConnectedEntry[], id: string): ReadonlyMap<string, string> {
  const names = [...namesOf(offeredTools(servers).map(addressOf))];
  return new Map(names.flatMap(([name, { serverId, toolName }]) => (serverId === id ? [[toolName, name]] : [])));
}

interface OfferedTool extends ConnectedEntry {
  readonly tool: RemoteTool;
}

function offeredTools(servers: readonly ConnectedEntry[]): readonly OfferedTool[] {
  return servers.flatMap((server) =>
    server.connection
      .tools()
      .filter((tool) => isOffered(server, tool))
      .map((tool) => ({ ...server, tool })),
  );
}

function addressOf({ entry, tool }: OfferedTool): ToolAddress {
  return { serverId: entry.id, toolName: tool.name };
}

/** The lists of an entry: deny wins, an empty allow list allows all that somebody has looked at. */
export function isOffered({ entry, seen }: Pick<ConnectedEntry, "entry" | "seen">, tool: RemoteTool): boolean {
  const { tool_allow, tool_deny } = entry;
  if (tool_deny.includes(tool.name)) return false;
  return tool_allow.length === 0 ? !seen.isNew(tool) : tool_allow.includes(tool.name);
}

function rowOf(name: string, offered: OfferedTool, files: () => KeepFiles): Tool {
  const { entry, connection, tool: remote } = offered;
  const isOurs = entry.id === BUILTIN_ID;
  const risk = riskOf(offered, remote);
  return {
    name,
    purpose: cleanText(remote.description ?? remote.title ?? remote.name, MAX_DESCRIPTION),
    args: Joi.object().unknown(),
    inputSchema: remote.inputSchema,
    // That an administrator connected the server is the grant.
    scope: "gateway.read",
    risk,
    audience: ["ai"],
    // Ours are guarded once more behind this row.
    ...(!isOurs && { isExternal: true as const }),
    timeoutMs: MAX_CALL_MS,
    async run(args, context) {
      const result = await connection.call({
        tool: remote.name,
        args: args as Readonly<Record<string, unknown>>,
        isRead: isReadOnly(remote),
        signal: context.signal,
        progress: context.progress,
        ...(isOurs && { meta: turnOf(context) }),
      });
      if (result.isError) {
        const text = await resultText(result, remote.name, files(), context.signal);
        // The server's own words, for the model as for people.
        throw text ? new AppError("upstream_failed", text) : mcpFailure("upstream_failed", "tool_failed");
      }
      return resultValue(result, remote.name, files(), context.signal);
    },
  };
}

/**
 * Whether a person is asked: wherever the entry wants it, and for whatever does not say that it only looks, unless the entry
 * trusts it. What is not what it was is trusted in nothing.
 */
export function riskOf({ entry, seen }: Pick<ConnectedEntry, "entry" | "seen">, tool: RemoteTool): Tool["risk"] {
  const isNamed = (list: readonly string[] = []) => list.includes("*") || list.includes(tool.name);
  if (isNamed(entry.confirm_tools)) return "high";
  if (entry.id !== BUILTIN_ID && seen.changedFrom(tool) !== undefined) return "high";
  if (isReadOnly(tool)) return "read";
  // Ours ask for themselves where they have to.
  return entry.id === BUILTIN_ID || isNamed(entry.trusted_tools) ? "action" : "high";
}

/** Whose turn calls: for the server in this process, which trusts it. */
function turnOf(context: ToolContext): Readonly<Record<string, unknown>> {
  const { sessionId, callerId, isAdmin, traceId, inbound, isOperatorOnly } = context;
  return { [TURN]: { sessionId, callerId, isAdmin, traceId, inbound, isOperatorOnly } };
}
