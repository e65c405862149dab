import Joi, { type CustomHelpers } from "@hapi/joi";
import {
  localizedErrorShape,
  notBlank,
  reportProblem,
  resource,
  TOOL_GROUPS,
  textOf,
  withLabel,
  withPattern,
} from "@parley/core";
import { answerFields, shape } from "@parley/core/http";
import { literalSecrets, REQUEST_FIELDS } from "@parley/core/secrets";
import { toolsTexts } from "./texts.ts";

export interface HttpImplementation {
  readonly type: "http";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Header → name of the variable with its value. */
  readonly headers_env: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: string | object;
  readonly response_path: string;
  readonly max_length: number;
  readonly timeout_s: number;
  readonly error_message: string;
}

export interface StaticImplementation {
  readonly type: "static";
  readonly result: string;
}

export type Implementation = HttpImplementation | StaticImplementation;

/** Matches names of custom tools, which every model accepts and no other tool has. */
export const CUSTOM_TOOL_NAME = /^(?!mcp__)[A-Za-z_][A-Za-z0-9_]{0,63}$/;

export interface ToolFields {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly implementation: Implementation;
  readonly requires_confirm: boolean;
}

export const TOOL_SECRETS = literalSecrets<Pick<ToolFields, "implementation">>(REQUEST_FIELDS, "implementation");
export const requestSecrets = literalSecrets<object>(REQUEST_FIELDS);

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const createHeadersSchema = (value: Joi.Schema) => Joi.object().pattern(headerName, value).max(30).default({});
const validateAddress = (text: string, helpers: CustomHelpers) => {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol))
    return reportProblem(toolsTexts.error("bad_request", "no_web_address"), helpers);
  // With a placeholder in the host, a model could choose where the secrets are sent.
  if (/^[a-z]+:\/*[^/?#]*\{\{/i.test(text))
    return reportProblem(toolsTexts.error("bad_request", "server_open"), helpers);
  if (url.username || url.password) return reportProblem(toolsTexts.error("bad_request", "address_login"), helpers);
  return text;
};

const httpSchema = Joi.object<HttpImplementation>({
  type: Joi.valid("http").required(),
  method: Joi.valid("GET", "POST", "PUT", "PATCH", "DELETE").default("GET"),
  url: Joi.string().max(2_000).required().custom(validateAddress),
  headers: createHeadersSchema(Joi.string().allow("").max(4_000)),
  headers_env: createHeadersSchema(Joi.string().min(1).max(128)),
  query: Joi.object().pattern(Joi.string().min(1).max(200), Joi.string().allow("").max(4_000)).max(50).default({}),
  body: Joi.alternatives(Joi.string().allow("").max(64_000), Joi.object().unknown()),
  response_path: withPattern(Joi.string().allow("").max(300), /^(?:[\w-]+|\[\d+\])(?:\.[\w-]+|\[\d+\])*$/, {
    en: "must be a path like a.b[0].c",
    zh: "须为路径，例如 a.b[0].c",
  }).default(""),
  max_length: Joi.number().integer().min(1).max(100_000).default(10_000),
  timeout_s: Joi.number().integer().min(1).max(60).default(15),
  error_message: textOf(1_000).default(""),
});
const staticSchema = Joi.object<StaticImplementation>({
  type: Joi.valid("static").required(),
  result: textOf(100_000).required(),
});

const switchCase = (is: string, then: Joi.Schema) => ({ is, then });

/** Implementation of a tool; the built-in kind occurs only in responses. */
export const implementation = Joi.alternatives().conditional(".type", {
  switch: [
    switchCase("http", httpSchema),
    switchCase("static", staticSchema),
    switchCase("builtin", Joi.object({ type: Joi.valid("builtin").required() })),
  ],
  otherwise: Joi.object({ type: Joi.valid("http", "static").required() }).unknown(),
});

export const parameters = Joi.object().unknown().default({ type: "object", properties: {} });

export const customTools = resource<ToolFields>({
  kind: "tool",
  most: 1_000,
  secrets: TOOL_SECRETS,
  cached: true,
  path: "/api/tools",
  param: "tool_id",
  idPrefix: "tool",
  title: { one: { en: "tool", zh: "工具" }, many: { en: "tools", zh: "工具" } },
  about: {
    en: "What the AI can do while it answers: look something up, call another service, generate an image.",
    zh: "AI 在回答时可以使用的能力：查询信息、请求其他服务、生成图片等。",
  },
  chosenId: withPattern(Joi.string(), /^tool_[A-Za-z0-9_-]{1,60}$/, toolsTexts.error("bad_request", "id_form")),
  fields: {
    name: withLabel(
      // Names of other plugins' tools, which are in the list too, may contain hyphens.
      withPattern(Joi.string(), /^[A-Za-z0-9_-]{1,64}$/, toolsTexts.error("bad_request", "name_length")).required(),
      { title: { en: "Name", zh: "名称" } },
    ),
    description: withLabel(notBlank(textOf(4_000)).required(), {
      title: { en: "What it does", zh: "用途说明" },
      help: { en: "The AI uses this to decide when to use the tool.", zh: "AI 据此判断何时使用。" },
      widget: "textarea",
    }),
    enabled: withLabel(Joi.boolean().default(true), { title: { en: "On", zh: "启用" } }),
    parameters: withLabel(parameters, {
      title: { en: "Arguments", zh: "参数" },
      help: { en: "A JSON Schema of type object.", zh: "类型为 object 的 JSON Schema。" },
      widget: "json",
    }),
    implementation: withLabel(implementation.required(), {
      title: { en: "Implementation", zh: "实现方式" },
      widget: "json",
    }),
    requires_confirm: withLabel(Joi.boolean().default(false), {
      title: { en: "Ask before each call", zh: "每次调用前询问" },
    }),
  },
  derived: {
    builtin: answerFields.flag.required(),
    source: answerFields.word("custom", "builtin", "plugin").required(),
    group: answerFields.orNull(answerFields.word(...TOOL_GROUPS)).required(),
    help: answerFields
      .orNull(answerFields.localized)
      .required()
      .description("Description for people; null to show the description for models"),
    is_offered: answerFields.flag
      .required()
      .description("False when the tool is on, but something it needs is not configured"),
  },
  unique: "name",
  search: ["name", "description"],
  filters: ["enabled"],
  query: { source: Joi.valid("custom", "builtin", "plugin") },
  sort: ["name"],
  columns: ["name", "source", "enabled", "updated_at"],
  verbs: ["list", "create", "update", "remove"],
  scopes: { change: "admin" },
  maxBytes: 512 * 1024,
});

export interface ToolTrialRequest {
  readonly parameters: ToolFields["parameters"];
  readonly implementation: Implementation;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Id of the tool whose stored secrets replace masked values. */
  readonly tool_id?: string;
}

export const toolTrialBody = Joi.object<ToolTrialRequest>({
  parameters,
  implementation: implementation.required(),
  arguments: Joi.object().unknown().default({}),
  tool_id: Joi.string().max(100).description("The tool that it is a change of: what is masked stands for its secrets"),
});

const { text, count, orNull, mapOf } = answerFields;
export const toolTrialData = shape(
  {
    request: orNull(shape({ method: text, url: text, headers: mapOf(text), body: orNull(text) })).description(
      "As it was sent, secrets masked",
    ),
    status: orNull(count),
    result: orNull(text),
    error: orNull(localizedErrorShape),
    duration_ms: count,
  },
  "ToolTrial",
);
