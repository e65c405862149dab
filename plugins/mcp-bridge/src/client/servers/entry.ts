import Joi from "@hapi/joi";
import { type Common, displayName, resource, textOf, withLabel, withPattern } from "@parley/core";
import { answerFields, failureDetailShape } from "@parley/core/http";
import { literalSecrets } from "@parley/core/secrets";
import { mcpBridgeTexts } from "../../texts.ts";
import type { StoredReason } from "../connection/reasons.ts";
import type { SignInState } from "../oauth/sign-in-state.ts";

export type EntryTransport = "stdio" | "streamable-http";

/** Editable fields of an external server. */
export interface EntryFields {
  readonly name: string;
  readonly transport: EntryTransport;
  readonly description: string;
  readonly enabled: boolean;
  readonly auto_connect: boolean;
  readonly url: string;
  /** Header → name of the variable with its value. */
  readonly headers_env: Readonly<Record<string, string>>;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly env_names: readonly string[];
  readonly timeout_s: number;
  readonly tool_allow: readonly string[];
  readonly tool_deny: readonly string[];
  /** Tools that need a person's confirmation for each call, `*` for all. Takes precedence over `trusted_tools`. */
  readonly confirm_tools: readonly string[];
  /** Tools called without confirmation although they may change something, `*` for all. Not part of the spec. */
  readonly trusted_tools: readonly string[];
}

export type Entry = Common & EntryFields;

/** Submitted fields of a server with secrets, which are stored and never returned. */
export interface EntryInput extends EntryFields {
  readonly secrets?: ProvidedSecrets;
}

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly protocol_version: string;
}

/** An entry with its connection state. */
export interface EntryView extends Entry {
  readonly connection_state: "connected" | "disconnected";
  readonly connected: boolean;
  /** True while a connection attempt is in progress. Not part of the spec. */
  readonly connecting: boolean;
  readonly tool_count: number;
  readonly server_info: ServerInfo | null;
  readonly last_connected_at: string | null;
  readonly last_error: string | null;
  /** Localized detail of `last_error`. */
  readonly last_error_detail: StoredReason["detail"];
  readonly warnings: readonly string[];
  /** Localized details of the warnings, in their order. */
  readonly warning_details: readonly StoredReason["detail"][];
  readonly builtin: boolean;
  /** Variables with a stored secret. */
  readonly kept_secrets: readonly string[];
  /** Sign-in state, for servers with OAuth. */
  readonly sign_in: SignInState;
}

/** Secrets in an entry: its address, and arguments and environment of its program. */
export const ENTRY_SECRETS = literalSecrets<EntryFields>({
  url: { form: "address" },
  args: { form: "arguments", to: "command" },
  env: { form: "addresses", to: "args" },
});

export type EntryDraft = EntryInput & { readonly id?: string };
export type EntryPatch = Partial<EntryInput>;

export const BUILTIN_ID = "_builtin_local_mcp";

const nameList = () => Joi.array().items(Joi.string().min(1).max(200)).max(500).default([]);
const toTitle = (en: string, zh: string) => ({ title: { en, zh } });
const time = Joi.string().isoDate().allow(null).required();

/** External MCP servers whose tools models may use. */
export const mcpServers = resource<EntryInput>({
  kind: "mcp_server",
  path: "/api/mcp-servers",
  param: "server_id",
  idPrefix: "mcp",
  title: { one: { en: "MCP server", zh: "MCP 服务器" }, many: { en: "MCP servers", zh: "MCP 服务器" } },
  about: {
    en: "An MCP server provides tools that your models can use, as far as you allow.",
    zh: "MCP 服务器提供工具，模型可以在你允许的范围内使用。",
  },
  // A leading underscore is reserved for built-in entries; two underscores separate the parts of a tool's name.
  chosenId: withPattern(
    Joi.string(),
    /^(?!.*__)[A-Za-z0-9-][A-Za-z0-9_-]{1,39}$/,
    mcpBridgeTexts.error("bad_request", "id_form"),
  ),
  fields: {
    name: withLabel(displayName(100).required(), toTitle("Name", "名称")),
    transport: withLabel(Joi.string().valid("stdio", "streamable-http").required(), {
      ...toTitle("Transport", "连接方式"),
      options: {
        stdio: { en: "Program on this machine (stdio)", zh: "本机上的程序" },
        "streamable-http": { en: "Address (HTTP)", zh: "网址（HTTP）" },
      },
    }),
    description: withLabel(textOf(4000).default(""), { ...toTitle("Description", "描述"), widget: "textarea" }),
    enabled: withLabel(Joi.boolean().default(true), toTitle("Enabled", "启用")),
    auto_connect: withLabel(Joi.boolean().default(false), toTitle("Connect at startup", "启动时连接")),
    url: withLabel(Joi.string().allow("").max(2000).default(""), toTitle("Address", "网址")),
    headers_env: withLabel(
      Joi.object()
        .pattern(/^[A-Za-z0-9-]{1,100}$/, Joi.string().max(128))
        .max(20)
        .default({}),
      {
        ...toTitle("Headers", "请求头"),
        help: { en: "Header, and the environment variable with its value", zh: "请求头，以及含有其值的环境变量" },
      },
    ),
    command: withLabel(Joi.string().allow("").max(500).default(""), toTitle("Command", "命令")),
    args: withLabel(
      Joi.array().items(Joi.string().allow("").max(4000)).max(50).default([]),
      toTitle("Arguments", "参数"),
    ),
    env: withLabel(
      Joi.object().pattern(Joi.string().max(128), Joi.string().allow("").max(4000)).max(50).default({}),
      toTitle("Variables", "变量"),
    ),
    env_names: withLabel(Joi.array().items(Joi.string().max(128)).max(50).default([]), {
      ...toTitle("Variables passed on", "传递的变量"),
      help: { en: "Names of this service's own environment variables", zh: "本服务的环境变量名" },
    }),
    secrets: withLabel(
      Joi.object()
        .pattern(
          Joi.string().max(128),
          withPattern(Joi.string().max(8192), /^[^\0\n\r]+$/, { en: "must be one line", zh: "只能是一行" }).allow(null),
        )
        .max(50),
      {
        ...toTitle("Secrets", "密钥"),
        help: {
          en: "By the variable that a header or the program refers to. Stored encrypted; null deletes one",
          zh: "按请求头或程序引用的变量名；加密保存，null 表示删除",
        },
      },
    ),
    timeout_s: withLabel(
      Joi.number().integer().min(1).max(600).default(30),
      toTitle("Time limit of a call (seconds)", "调用时限（秒）"),
    ),
    tool_allow: withLabel(nameList(), toTitle("Allowed tools", "允许的工具")),
    tool_deny: withLabel(nameList(), toTitle("Denied tools", "禁止的工具")),
    confirm_tools: withLabel(nameList(), toTitle("Tools that ask first", "需确认的工具")),
    trusted_tools: withLabel(nameList(), toTitle("Tools that never ask", "免确认的工具")),
  },
  secret: ["secrets"],
  derived: {
    kept_secrets: Joi.array().items(Joi.string()).required(),
    sign_in: Joi.valid("none", "needed", "again", "signed_in").required(),
    connection_state: Joi.valid("connected", "disconnected").required(),
    connected: Joi.boolean().required(),
    connecting: Joi.boolean().required(),
    tool_count: Joi.number().integer().min(0).required(),
    server_info: Joi.object({
      name: Joi.string().allow("").required(),
      version: Joi.string().allow("").required(),
      protocol_version: Joi.string().allow("").required(),
    })
      .allow(null)
      .required(),
    last_connected_at: time,
    last_error: Joi.string().allow(null).required(),
    last_error_detail: answerFields.orNull(failureDetailShape).required(),
    warnings: Joi.array().items(Joi.string()).required(),
    warning_details: answerFields.listOf(answerFields.orNull(failureDetailShape)).required(),
    builtin: Joi.boolean().required(),
  },
  filters: ["transport"],
  query: { connection_state: Joi.string().valid("connected", "disconnected") },
  sort: ["name"],
  verbs: ["list", "create", "update", "remove"],
  scopes: { change: "admin" },
  columns: ["name", "transport", "enabled", "connected", "tool_count", "last_error"],
});

/** Default values of an entry. */
export const DEFAULTS = mcpServers.defaults as Omit<EntryFields, "name" | "transport">;

/** Names of the reviewed tools; absent: all current ones. */
export interface AcceptTools {
  readonly tools?: readonly string[];
}
export const acceptBody = Joi.object<AcceptTools>({
  tools: Joi.array().items(Joi.string().min(1).max(200)).max(500),
});

/** Fields whose change requires a reconnect. */
export const CONNECTION_FIELDS = ["transport", "url", "headers_env", "command", "args", "env", "env_names"] as const;
/** Secrets by variable name as entered; null deletes one. */

export type ProvidedSecrets = Readonly<Record<string, string | null>>;
