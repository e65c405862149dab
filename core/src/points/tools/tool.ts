import Joi, { type ObjectSchema } from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { InboundMessage } from "../../message.ts";
import type { Localized } from "../../resource/field-schemas.ts";
import type { SpeakOrder } from "../../services/conversations/speaking.ts";
import { functionSchema, objectSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";

/** Scopes of tools. Not those of the REST interface. */
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
/** What a caller must be allowed to call a tool. */
export type ToolScope = (typeof TOOL_SCOPES)[number];

/** Who may be offered a tool: models, MCP clients, the agent of a web page. */
export type ToolAudience = "ai" | "mcp" | "web-agent";

/** The headings of the tools page, in its order. */
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
/** What a tool is listed under. */
export type ToolGroup = (typeof TOOL_GROUPS)[number];

/** What a tool knows of the call that it answers. */
export interface ToolContext {
  readonly signal: AbortSignal;
  /** The trace the call belongs to. */
  readonly traceId: string;
  /** The session of the turn that calls; absent for callers outside a conversation. */
  readonly sessionId?: string;
  readonly callerId: string;
  /** The message that the calling turn answers. */
  readonly inbound?: Pick<InboundMessage, "channelId" | "conversation" | "sender" | "isOperatorOnly"> & {
    readonly text?: string;
  };
  /** False: somebody of a channel asks who is no administrator there. */
  readonly isAdmin?: boolean;
  /** An operator asks for themselves: the conversation's people are told nothing of it. */
  readonly isOperatorOnly?: true;
  /** Who orders what the call has sent to people of platforms. Absent: whoever makes the call. */
  readonly order?: SpeakOrder;
  /** Set by the guard: a person confirmed this call. */
  readonly isConfirmed?: boolean;
  /** Tells the caller how far a long call has come. */
  progress(message: string, level?: "info" | "progress" | "warning" | "success"): void;
}

/** One tool, the same row for our model, for MCP clients and for the web agent. Reached only through `ToolGuard`. */
export interface Tool<Args = unknown> {
  /** `[a-zA-Z0-9_-]{1,64}`, unique. */
  readonly name: string;
  /** What it does, in one or two sentences; a model decides by it. */
  readonly purpose: string;
  /** The same for people, who may read Chinese; absent: they are shown `purpose`. */
  readonly help?: Localized;
  readonly args: ObjectSchema<Args>;
  /** What models and clients are shown in place of the JSON Schema of `args`. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly scope: ToolScope;
  /** `read` changes nothing; `action` changes something; `high` needs `confirm: true` as well. */
  readonly risk: "read" | "action" | "high";
  /** The `[mcp]` switch that must be on. */
  readonly enabledBy?: "send_message_enabled" | "register_node_enabled" | "submit_task_enabled";
  /** The `[mcp]` switch that lifts the need of `confirm: true`. */
  readonly confirmUnless?: "retry_require_confirmation";
  readonly audience: readonly ToolAudience[];
  /** What it names is gone afterwards. */
  readonly deletes?: true;
  /** It touches only what belongs to whoever asks for it, who may therefore allow it themselves on a channel, too. */
  readonly concernsAsker?: true;
  /** Another server's tool: what it answers is data of strangers. */
  readonly isExternal?: true;
  /** Ours, but what it answers was written by strangers: models are told that it is material. */
  readonly answersAreData?: true;
  /** Where the tools page shows it; without one it stands among those of other plugins. */
  readonly group?: ToolGroup;
  /** Off until a person switches it on. */
  readonly isOffAtFirst?: true;
  /** False: what it needs is not set up, so nobody is offered it. Asked often: answers from memory. */
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
  help: Joi.object({ en: Joi.string().required(), zh: Joi.string().required() }),
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

/** What models and agents can call. */
export const Tools: ExtensionPoint<Tool> = extensionPoint("tools", {
  accept: validateWith(toolShape),
  unique: { kind: "tool", names: ({ name }) => [name] },
  ends: ["run"],
});

/** Tools that belong together. */
export type ToolTable = readonly Tool[];

/** The same for those who add many: the tools of one area. */
export const ToolTables: ExtensionPoint<ToolTable> = extensionPoint("tool-tables", {
  accept: validateWith(Joi.array().items(toolShape.required())),
  unique: { kind: "tool", names: (table) => table.map(({ name }) => name) },
  ends: ["run"],
});

/** Tools that come and go while the service runs. */
export interface ToolSource {
  /** `<plugin>.<what>`. */
  readonly id: string;
  /** Those there are now; the same list while nothing changed. Names of contributed tools win. */
  tools(): readonly Tool[];
}

/** Where tools come from that nobody can name when the service starts. */
export const ToolSources: ExtensionPoint<ToolSource> = extensionPoint("tool-sources", {
  accept: validateWith(
    Joi.object<ToolSource>({ id: wordSchema.required(), tools: functionSchema.required() }).unknown(),
  ),
  unique: { kind: "tool source", names: ({ id }) => [id] },
});
