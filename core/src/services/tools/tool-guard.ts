import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Tool, ToolAudience, ToolContext, ToolScope } from "../../points/tools/tool.ts";
import type { Scope } from "../operations/accounts.ts";

/** The caller of a tool. */
export interface ToolCaller {
  readonly audience: ToolAudience;
  /** Id of the turn, MCP session or credential; loop and rate limits count by it. */
  readonly id: string;
  /** True when a person chose the arguments, so that their `confirm` counts; our models cannot confirm. */
  readonly confirms: boolean;
  /** True when the person confirmed exactly this call. Separate from the arguments, since tools of other servers have no `confirm` of ours. */
  readonly hasConfirmed?: true;
  /** Scopes of a REST caller's credential; a tool allows no more than the routes would. Absent: not a REST call. */
  readonly scopes?: readonly Scope[];
  /** Tool scopes that the person granted to the MCP client, within the configuration. Absent: all configured ones. */
  readonly granted?: readonly ToolScope[];
  /** Entry point of the call, for the audit. */
  readonly via?: ToolEntrance;
}

/** Entry point of a tool call. */
export interface ToolEntrance {
  readonly transport: "stdio" | "streamable-http" | "in-process" | "rest";
  readonly session?: string;
  /** Name and version reported by the client. */
  readonly client?: string;
}

/** A tool, without the means to run it. */
export type KnownTool = Omit<Tool, "run">;

/**
 * The only way to call a tool. Checks in this order: existence, the REST caller's scopes, its switch, its scope, `confirm`, the
 * arguments, rate and loop; then writes the audit row, runs the tool within its timeout and completes the row. Switches and scopes of
 * the configuration apply to every caller. Every rejection is an `AppError` with the contract's code.
 */
export interface ToolGuard {
  /** Returns every tool, disabled ones included, for display only. */
  known(): readonly KnownTool[];
  /** Returns the tools shown to an audience, by name, without disabled and unconfigured ones. */
  list(audience: ToolAudience): readonly Tool[];
  /** Returns the listed tools that switches and scopes allow to be called. */
  callable(audience: ToolAudience): readonly Tool[];
  call(name: string, args: unknown, caller: ToolCaller, context: ToolContext): Promise<unknown>;
}
export const ToolGuard: ServiceKey<ToolGuard> = serviceKey("tool-guard");

/** Switches of tools; without this service each tool has its initial state. */
export interface ToolSwitches {
  isOn(tool: Pick<Tool, "name" | "isOffAtFirst">): boolean;
}
export const ToolSwitches: ServiceKey<ToolSwitches> = serviceKey("tool-switches");
