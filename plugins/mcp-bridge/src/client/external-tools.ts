import Joi from "@hapi/joi";
import type { Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import { AppError, type Tool, type ToolContext } from "@parley/core";
import { TURN } from "../keys.ts";
import { cleanText } from "./clean-text.ts";
import type { Connection } from "./connection.ts";
import { BUILTIN_ID, type Entry } from "./entry.ts";
import { type KeepFiles, resultText } from "./result-text.ts";
import { namesOf, type ToolAddress } from "./tool-names.ts";

const MAX_DESCRIPTION = 2000;
const MAX_CALL_MS = 605_000;

export interface ConnectedEntry {
  readonly entry: Entry;
  readonly connection: Connection;
}

/** Tools of connected servers as rows of ours, under names that every model takes (mcp §10). */
export function externalTools(servers: readonly ConnectedEntry[], files: () => KeepFiles): readonly Tool[] {
  const found = offeredTools(servers);
  return [...namesOf(found.map(addressOf))].flatMap(([name, { serverId, toolName }]) => {
    const one = found.find(({ entry, tool }) => entry.id === serverId && tool.name === toolName);
    return one ? [rowOf(name, one, files)] : [];
  });
}

/** The name under which the guard knows a tool; undefined when it is not offered. */
export function externalName(servers: readonly ConnectedEntry[], wanted: ToolAddress): string | undefined {
  const names = [...namesOf(offeredTools(servers).map(addressOf))];
  return names.find(([, { serverId, toolName }]) => serverId === wanted.serverId && toolName === wanted.toolName)?.[0];
}

interface OfferedTool extends ConnectedEntry {
  readonly tool: RemoteTool;
}

function offeredTools(servers: readonly ConnectedEntry[]): readonly OfferedTool[] {
  return servers.flatMap(({ entry, connection }) =>
    connection
      .tools()
      .filter(({ name }) => isOffered(entry, name))
      .map((tool) => ({ entry, connection, tool })),
  );
}

function addressOf({ entry, tool }: OfferedTool): ToolAddress {
  return { serverId: entry.id, toolName: tool.name };
}

/** The lists of an entry: deny wins, an empty allow list allows all. */
export function isOffered({ tool_allow, tool_deny }: Entry, name: string): boolean {
  return !tool_deny.includes(name) && (tool_allow.length === 0 || tool_allow.includes(name));
}

function rowOf(name: string, { entry, connection, tool: remote }: OfferedTool, files: () => KeepFiles): Tool {
  const isOurs = entry.id === BUILTIN_ID;
  const risk = riskOf(entry, remote);
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
      const text = await resultText(result, remote.name, files(), context.signal);
      if (result.isError) throw new AppError("upstream_failed", text || "the tool failed");
      return text;
    },
  };
}

/** What a call of it may do: by what the server says of it, and whether the entry wants a person asked. */
export function riskOf({ confirm_tools }: Entry, tool: RemoteTool): Tool["risk"] {
  if (confirm_tools.includes("*") || confirm_tools.includes(tool.name)) return "high";
  return isReadOnly(tool) ? "read" : "action";
}

function isReadOnly({ annotations }: RemoteTool): boolean {
  return annotations?.readOnlyHint === true;
}

/** Whose turn calls: for the server in this process, which trusts it. */
function turnOf({ sessionId, callerId, isAdmin, traceId }: ToolContext): Readonly<Record<string, unknown>> {
  return { [TURN]: { sessionId, callerId, isAdmin, traceId } };
}
