import Joi, { type ObjectSchema } from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import type { InboundMessage } from "../../message.ts";
import type { SpeakOrder } from "../../services/conversations/speaking.ts";
import { functionSchema, objectSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";

/** Scopes of tools; not those of the REST interface. */
export const TOOL_SCOPES = [
  "gateway.read",
  "events.query",
  "queue.read",
  "node.read",
  "events.publish",
  "channels.send",
  "worker.manage",
  "gateway.manage",
  "queue.manage",
  "node.manage",
  "node.register",
  "admin",
] as const;
/** Scope that a caller needs to call a tool. */
export type ToolScope = (typeof TOOL_SCOPES)[number];

/** Audience of a tool: models, MCP clients, the agent of a web page. */
export type ToolAudience = "ai" | "mcp" | "web-agent";

/** Headings of the tools page, in order. */
export const TOOL_GROUPS = [
  "time_and_web",
  "pictures",
  "memory",
  "knowledge",
  "conversation",
  "files",
  "skills",
  "system",
] as const;
/** Group under which a tool is listed. */
export type ToolGroup = (typeof TOOL_GROUPS)[number];

/** Context of one tool call. */
export interface ToolContext {
  readonly signal: AbortSignal;
  /** Trace id that the call belongs to. */
  readonly traceId: string;
  /** Id of the session whose turn makes the call; absent for callers outside a conversation. */
  readonly sessionId?: string;
  /** Character that makes the call; absent without one. */
  readonly characterId?: string;
  readonly callerId: string;
  /** The message that the calling turn answers. */
  readonly inbound?: Pick<InboundMessage, "channelId" | "conversation" | "sender" | "isOperatorOnly"> & {
    readonly text?: string;
  };
  /** False when the request comes from a person on a channel without administrator rights. */
  readonly isAdmin?: boolean;
  /** True for an operator's private question; the people of the conversation see nothing of it. */
  readonly isOperatorOnly?: true;
  /** Order under which the call sends to people on platforms. Absent: the caller itself gives the order. */
  readonly order?: SpeakOrder;
  /** Set by the guard: a person confirmed this call. */
  readonly isConfirmed?: boolean;
  /** Reports the progress of a long call to the caller. */
  progress(message: string, level?: "info" | "progress" | "warning" | "success"): void;
}

/** One tool, shared by our model, MCP clients and the web agent. Reached only through `ToolGuard`. */
export interface Tool<Args = unknown> {
  /** `[a-zA-Z0-9_-]{1,64}`, unique. */
  readonly name: string;
  /** Description of the tool in one or two sentences; models choose by it. */
  readonly purpose: string;
  /** Localized description for people; absent: `purpose` is shown. */
  readonly help?: Localized;
  readonly args: ObjectSchema<Args>;
  /** Input schema shown to models and clients instead of the JSON Schema of `args`. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly scope: ToolScope;
  /** `read` changes nothing; `action` changes something; `high` needs `confirm: true` as well. */
  readonly risk: "read" | "action" | "high";
  /** The `[mcp]` switch that must be on. */
  readonly enabledBy?: "send_message_enabled" | "register_node_enabled" | "submit_task_enabled";
  /** The `[mcp]` switch that lifts the requirement of `confirm: true`. */
  readonly confirmUnless?: "retry_require_confirmation";
  readonly audience: readonly ToolAudience[];
  /** True when the call deletes the thing that its arguments name. */
  readonly deletes?: true;
  /** True when the call affects only the requester's own data; the requester may then confirm it, also on a channel. */
  readonly concernsAsker?: true;
  /** True for another server's tool; its results are untrusted data. */
  readonly isExternal?: true;
  /** True for a built-in tool with untrusted results; models are instructed to treat them as data. */
  readonly answersAreData?: true;
  /** Group on the tools page; without one the tool is listed among those of other plugins. */
  readonly group?: ToolGroup;
  /** True for a tool that is off until a person switches it on. */
  readonly isOffAtFirst?: true;
  /** Returns false when the tool's configuration is missing, so that it is not offered. Called often: must answer from memory. */
  isOffered?(): boolean;
  /** Default 30,000. */
  readonly timeoutMs?: number;
  /** Plain JSON, or `toolParts` to show more than text. Throws `AppError`. */
  run(args: Args, context: ToolContext): Promise<unknown>;
}

/** Types a tool's `run` from its schema. */
export function tool<Args>(row: Tool<Args>): Tool {
  return row as unknown as Tool;
}

const toolShape = Joi.object<Tool>({
  name: Joi.string()
    .pattern(/^[a-zA-Z0-9_-]{1,64}$/)
    .required(),
  purpose: Joi.string().required(),
  help: localizedSchema,
  args: objectSchema.required(),
  inputSchema: Joi.object(),
  scope: Joi.valid(...TOOL_SCOPES).required(),
  risk: Joi.valid("read", "action", "high").required(),
  enabledBy: Joi.valid("send_message_enabled", "register_node_enabled", "submit_task_enabled"),
  confirmUnless: Joi.valid("retry_require_confirmation"),
  audience: Joi.array()
    .items(Joi.valid("ai", "mcp", "web-agent"))
    .required(),
  deletes: Joi.valid(true),
  concernsAsker: Joi.valid(true),
  isExternal: Joi.valid(true),
  answersAreData: Joi.valid(true),
  group: Joi.valid(...TOOL_GROUPS),
  isOffAtFirst: Joi.valid(true),
  isOffered: functionSchema,
  timeoutMs: Joi.number().positive(),
  run: functionSchema.required(),
}).unknown();

/** Tools that models and agents can call. */
export const Tools: ExtensionPoint<Tool> = extensionPoint("tools", {
  accept: validateWith(toolShape),
  unique: { kind: "tool", names: ({ name }) => [name] },
  ends: ["run"],
});

/** Tools that belong together. */
export type ToolTable = readonly Tool[];

/** Tools of one area, for plugins that add many. */
export const ToolTables: ExtensionPoint<ToolTable> = extensionPoint("tool-tables", {
  accept: validateWith(Joi.array().items(toolShape.required())),
  unique: { kind: "tool", names: (table) => table.map(({ name }) => name) },
  ends: ["run"],
});

/** Tools that can change while the service runs. */
export interface ToolSource {
  /** `<plugin>.<what>`. */
  readonly id: string;
  /** Returns the current tools; the same array while nothing changed. Names of contributed tools take precedence. */
  tools(): readonly Tool[];
}

/** Sources of tools whose names are unknown when the service starts. */
export const ToolSources: ExtensionPoint<ToolSource> = extensionPoint("tool-sources", {
  accept: validateWith(
    Joi.object<ToolSource>({ id: wordSchema.required(), tools: functionSchema.required() }).unknown(),
  ),
  unique: { kind: "tool source", names: ({ id }) => [id] },
  returns: [{ method: "tools", kind: "tool", ends: ["run"] }],
});
