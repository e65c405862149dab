import Joi from "@hapi/joi";
import type { Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import { AppError, type Tool, type ToolContext } from "@parley/core";
import { TURN } from "../server/mcp-server.ts";
import { cleanText } from "./clean-text.ts";
import type { Connection } from "./connection.ts";
import { BUILTIN_ID, type Entry } from "./entry.ts";
import { type KeepFiles, resultText } from "./result-text.ts";
import { namesOf } from "./tool-names.ts";

const MAX_DESCRIPTION = 2000;
const MAX_CALL_MS = 605_000;

export interface ConnectedEntry {
  readonly entry: Entry;
  readonly connection: Connection;
}

/** Tools of connected servers as rows of ours, under names that every model takes (mcp §10). */
export function externalTools(servers: readonly ConnectedEntry[], files: () => KeepFiles): readonly Tool[] {
  const found = servers.flatMap(({ entry, connection }) =>
    connection
      .tools()
      .filter(({ name }) => isOffered(entry, name))
      .map((tool) => ({ entry, connection, tool })),
  );
  const names = namesOf(found.map(({ entry, tool }) => ({ serverId: entry.id, toolName: tool.name })));
  return [...names].flatMap(([name, { serverId, toolName }]) => {
    const one = found.find(({ entry, tool }) => entry.id === serverId && tool.name === toolName);
    return one ? [rowOf(name, one, files)] : [];
  });
}

/** The lists of an entry: deny wins, an empty allow list allows all. */
export function isOffered({ tool_allow, tool_deny }: Entry, name: string): boolean {
  return !tool_deny.includes(name) && (tool_allow.length === 0 || tool_allow.includes(name));
}

interface OfferedTool extends ConnectedEntry {
  readonly tool: RemoteTool;
}

function rowOf(name: string, { entry, connection, tool: remote }: OfferedTool, files: () => KeepFiles): Tool {
  const isOurs = entry.id === BUILTIN_ID;
  const isRead = remote.annotations?.readOnlyHint === true;
  const asks = entry.confirm_tools.includes("*") || entry.confirm_tools.includes(remote.name);
  return {
    name,
    purpose: cleanText(remote.description ?? remote.title ?? remote.name, MAX_DESCRIPTION),
    args: Joi.object().unknown(),
    inputSchema: remote.inputSchema,
    // That an administrator connected the server is the grant.
    scope: "gateway.read",
    risk: asks ? "high" : isRead ? "read" : "action",
    audience: ["ai"],
    // Ours are guarded once more behind this row.
    ...(!isOurs && { isExternal: true as const }),
    timeoutMs: MAX_CALL_MS,
    async run(args, context) {
      const result = await connection.call({
        tool: remote.name,
        args: args as Readonly<Record<string, unknown>>,
        isRead,
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

/** Whose turn calls: for the server in this process, which trusts it. */
function turnOf({ sessionId, callerId, isAdmin, traceId }: ToolContext): Readonly<Record<string, unknown>> {
  return { [TURN]: { sessionId, callerId, isAdmin, traceId } };
}
