import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Tool, ToolAudience, ToolContext, ToolScope } from "../../points/tools/tool.ts";
import type { Scope } from "../operations/accounts.ts";

/** Who calls a tool. */
export interface ToolCaller {
  readonly audience: ToolAudience;
  /** Turn, MCP session or credential: what the loop and rate limits count by. */
  readonly id: string;
  /** True: a person stands behind the arguments, so their `confirm` counts. A model of ours confirms nothing. */
  readonly confirms: boolean;
  /** That person has agreed to exactly this call, beside its arguments: tools of other servers have no `confirm` of ours. */
  readonly hasConfirmed?: true;
  /** What the credential of a REST call may do: with it a tool gives no more than the rows would. Absent: not a REST call. */
  readonly scopes?: readonly Scope[];
  /** What the person behind an MCP client lets it do, of what the configuration gives. Absent: all of that. */
  readonly granted?: readonly ToolScope[];
  /** How the call came in, for the audit. */
  readonly via?: ToolEntrance;
}

/** The way a call took into the service. */
export interface ToolEntrance {
  readonly transport: "stdio" | "streamable-http" | "in-process" | "rest";
  readonly session?: string;
  /** Name and version, as the client said them. */
  readonly client?: string;
}

/** A tool, without the means to run it. */
export type KnownTool = Omit<Tool, "run">;

/**
 * The only way to a tool. Checks in this order: it exists, the scopes of a REST caller, its switch, its scope, `confirm`, the
 * arguments, rate and loop; then writes the audit row, runs it within its time and completes the row. Switches and scopes of
 * tools are those of the configuration, whoever calls. Every refusal is an `AppError` of the code the contract names.
 */
export interface ToolGuard {
  /** Every tool there is, also what is switched off: to be shown to people, not to be run. */
  known(): readonly KnownTool[];
  /** The tools an audience is shown, by name: none that is switched off, or lacks what it needs. */
  list(audience: ToolAudience): readonly Tool[];
  /** Those of them that switches and scopes let be called. */
  callable(audience: ToolAudience): readonly Tool[];
  call(name: string, args: unknown, caller: ToolCaller, context: ToolContext): Promise<unknown>;
}
export const ToolGuard: ServiceKey<ToolGuard> = serviceKey("tool-guard");

/** Which tools people have switched on and off; without it each is as it is at first. */
export interface ToolSwitches {
  isOn(tool: Pick<Tool, "name" | "isOffAtFirst">): boolean;
}
export const ToolSwitches: ServiceKey<ToolSwitches> = serviceKey("tool-switches");
