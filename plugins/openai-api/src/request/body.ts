import Joi from "@hapi/joi";

/** A part of a message's content; the types that are not supported are rejected when they are read. */
export interface ContentPart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

/** A tool call in a message of the assistant. */
export interface ToolCallBody {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message of a request. */
export interface ChatMessage {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool";
  readonly content?: string | readonly ContentPart[];
  readonly tool_calls?: readonly ToolCallBody[];
  readonly tool_call_id?: string;
}

/** A tool that the client runs itself. */
export interface ClientTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: object };
}

type ToolChoice = "auto" | "none" | "required" | { readonly type: "function"; readonly function: { name: string } };

/** A request for a chat completion; parameters that mean nothing here are accepted and ignored. */
export interface CompletionBody {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly user?: string;
  readonly n: number;
  readonly stop: readonly string[];
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly tools: readonly ClientTool[];
  readonly tool_choice?: ToolChoice;
}

const MAX_STOPS = 4;
const MAX_TEXT = 1_000_000;
const MAX_PARTS = 100;

const text = Joi.string().allow("").max(MAX_TEXT);
const optional = <Kind extends Joi.Schema>(schema: Kind) => schema.empty(null);

// Joi checks all items before the length, and a body of 48 MB has room for millions of them: a minute in which nothing else runs.
const bounded: Joi.Root = Joi.extend({
  type: "array",
  base: Joi.array(),
  prepare(value: unknown, { schema, error }: Joi.CustomHelpers) {
    const limit: unknown = schema.$_getRule("max")?.args?.limit;
    const isTooLong = Array.isArray(value) && typeof limit === "number" && value.length > limit;
    return isTooLong ? { value, errors: error("array.max", { limit, value }) } : { value };
  },
});
const list = (items: Joi.Schema, most: number) => bounded.array().items(items).max(most);

const part = Joi.object({
  type: Joi.string().max(64).required(),
  text: optional(text),
  image_url: optional(Joi.object({ url: Joi.string().required() }).unknown()),
}).unknown();

const toolCall = Joi.object({
  id: Joi.string().max(200).required(),
  type: Joi.valid("function").default("function"),
  function: Joi.object({ name: Joi.string().max(64).required(), arguments: text.required() })
    .unknown()
    .required(),
}).unknown();

const message = Joi.object({
  role: Joi.valid("system", "developer", "user", "assistant", "tool").required(),
  content: optional(Joi.alternatives(text, list(part, MAX_PARTS))),
  tool_calls: optional(list(toolCall, 128)),
  tool_call_id: optional(Joi.string().max(200)),
}).unknown();

const tool = Joi.object({
  type: Joi.valid("function").required(),
  function: Joi.object({
    name: Joi.string()
      .pattern(/^[\w-]{1,64}$/)
      .required(),
    description: optional(text),
    parameters: optional(Joi.object().unknown()),
  })
    .unknown()
    .required(),
}).unknown();

const toolChoice = Joi.alternatives(
  Joi.valid("auto", "none", "required"),
  Joi.object({
    type: Joi.valid("function").required(),
    function: Joi.object({ name: Joi.string().max(64).required() })
      .unknown()
      .required(),
  }).unknown(),
);

const stop = Joi.string().max(1_000);

export const completionBody = Joi.object<CompletionBody>({
  model: Joi.string().max(300).required().description("`default`, `model:<id or name>` or `character:<id or name>`"),
  messages: list(message, 2_000).min(1).required(),
  stream: optional(Joi.boolean()).default(false),
  stream_options: optional(Joi.object({ include_usage: optional(Joi.boolean()) }).unknown()),
  user: Joi.string()
    .max(100)
    .empty(["", null])
    .description("The person; with it the conversation is stored and remembered"),
  n: optional(Joi.number().integer().min(1).max(128)).default(1),
  stop: optional(list(stop, MAX_STOPS).single()).default([]).description("At most 4 texts"),
  temperature: optional(Joi.number().min(0).max(2)),
  top_p: optional(Joi.number().min(0).max(1)),
  max_tokens: optional(Joi.number().integer().min(1).max(1_000_000)),
  max_completion_tokens: optional(Joi.number().integer().min(1).max(1_000_000)),
  tools: optional(list(tool, 128)).default([]),
  tool_choice: optional(toolChoice),
}).unknown();
