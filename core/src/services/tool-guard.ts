import { type ServiceKey, serviceKey } from "../extension-point.ts";
import type { Tool, ToolAudience, ToolContext, ToolScope } from "../points/tool.ts";

export interface ToolCaller {
  /** Who is asking on whose behalf: a model's `confirm` counts for nothing, a client's does. */
  readonly audience: ToolAudience;
  readonly scopes: readonly ToolScope[];
  /** Turn, MCP session or credential: what the loop and rate limits count by. */
  readonly id: string;
}

/**
 * The only way to a tool. Checks in this order: it exists, its switch, the scope, `confirm`, the arguments, rate and loop;
 * then runs it within its time and writes the audit row. Every refusal is an `AppError` of the code the contract names.
 */
export interface ToolGuard {
  /** The tools an audience is shown, by name. */
  list(audience: ToolAudience): readonly Tool[];
  call(name: string, args: unknown, caller: ToolCaller, context: ToolContext): Promise<unknown>;
}
export const ToolGuard: ServiceKey<ToolGuard> = serviceKey("tool-guard");
