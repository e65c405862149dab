import {
  type Caller,
  type Clock,
  hasScope,
  isToolParts,
  newTraceId,
  readToolResult,
  type ToolCaller,
  type ToolGuard,
} from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";
import { BUILTIN_ID } from "../servers/entry.ts";
import type { Servers } from "../servers/servers.ts";

export interface ManualCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly confirm: boolean;
}

export interface ManualCallResult {
  readonly tool: string;
  /** Text of another server, or an object of a built-in tool. It is data, and never rendered as markup. */
  readonly result: unknown;
  readonly duration_ms: number;
}

/** Calls a server's tool for a person in the console, through the guard like every call. */
export type CallToolManually = (
  id: string,
  call: ManualCall,
  caller: Caller,
  signal: AbortSignal,
) => Promise<ManualCallResult>;

export interface ManualCallsDeps {
  readonly servers: Pick<Servers, "getOfferedName">;
  readonly guard: ToolGuard;
  readonly clock: Clock;
}

export function createManualCalls({ servers, guard, clock }: ManualCallsDeps): CallToolManually {
  return async (id, { tool: wanted, arguments: args, confirm }, caller, signal) => {
    const name = servers.getOfferedName(id, wanted);
    // Built-in tools ask for confirmation themselves, so they are called as by an MCP client.
    const audience = id === BUILTIN_ID ? "mcp" : "ai";
    const tool = guard.list(audience).find((one) => one.name === name);
    if (tool && tool.risk !== "read" && !confirm) {
      throw mcpBridgeTexts.error("confirmation_required", "unconfirmed", { tool: wanted });
    }
    const toolCaller: ToolCaller = {
      audience,
      id: caller.credentialId,
      confirms: true,
      scopes: caller.scopes,
      ...(confirm && { hasConfirmed: true as const }),
      via: { transport: "rest", client: caller.username },
    };
    const context = {
      signal,
      traceId: newTraceId(clock.now()),
      callerId: caller.accountId,
      isAdmin: hasScope(caller, "admin"),
      progress: () => {},
    };
    const startedMs = clock.monotonic();
    const value = await guard.call(name, args, toolCaller, context);
    const result = isToolParts(value) ? (await readToolResult(value, name, undefined, signal)).text : value;
    return { tool: wanted, result: result ?? null, duration_ms: Math.round(clock.monotonic() - startedMs) };
  };
}
