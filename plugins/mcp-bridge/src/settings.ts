import Joi from "@hapi/joi";
import { AppError, type ConfigSections } from "@parley/core";

/** The `[mcp]` and `[mcp_client]` sections of config.ini (spec 2.7). */
export interface McpSettings {
  /** `--mcp` or `--mcp-only` was given. */
  readonly enabled: boolean;
  readonly only: boolean;
  readonly transport: "stdio" | "streamable-http";
  readonly host: string;
  readonly port: number;
  readonly send_message_enabled: boolean;
  readonly register_node_enabled: boolean;
  readonly submit_task_enabled: boolean;
  readonly retry_require_confirmation: boolean;
  readonly audit_enabled: boolean;
  readonly admin: boolean;
  readonly connect_url: string;
  readonly http_auth: "required" | "off_on_loopback";
  readonly allowed_hosts: readonly string[];
  /** What entries of the client may start. */
  readonly allowed_commands: readonly string[];
}

const flag = (fallback: boolean) =>
  Joi.boolean().truthy("1", "yes", "on").falsy("0", "no", "off", "").default(fallback);

const schema = Joi.object<Readonly<Record<string, unknown>>>({
  enabled: flag(false),
  only: flag(false),
  transport: Joi.string().valid("stdio", "streamable-http").default("stdio"),
  host: Joi.string().hostname().default("127.0.0.1"),
  port: Joi.number().port().default(5001),
  send_message_enabled: flag(false),
  register_node_enabled: flag(false),
  submit_task_enabled: flag(true),
  retry_require_confirmation: flag(true),
  audit_enabled: flag(true),
  admin: flag(false),
  connect_url: Joi.string().allow("").default(""),
  http_auth: Joi.string().valid("required", "off_on_loopback").default("required"),
  allowed_hosts: Joi.string().allow("").default(""),
}).prefs({ errors: { wrap: { label: false } } });

const DEFAULT_COMMANDS = "node, npx, uvx, python3";

/** What is in force until the next start; `bad_request` names the key that cannot be used. */
export function readSettings(sections: ConfigSections): McpSettings {
  const { value, error } = schema.validate(sections.section("mcp"));
  if (error) throw new AppError("bad_request", `config.ini, [mcp]: ${error.message}`);
  return {
    ...value,
    allowed_hosts: listed(value.allowed_hosts as string),
    allowed_commands: listed(sections.section("mcp_client").allowed_commands ?? DEFAULT_COMMANDS),
  } as unknown as McpSettings;
}

function listed(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
