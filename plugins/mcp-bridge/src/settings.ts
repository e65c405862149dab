import { basename } from "node:path";
import Joi from "@hapi/joi";
import { AppError, type ConfigSections, splitCommaList } from "@parley/core";

/** The `[mcp]` and `[mcp_client]` sections of config.ini. */
export interface McpSettings extends StartSettings {
  /** True with `--mcp` or `--mcp-only`. */
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
}

/** The `[mcp_client]` section: programs that client entries may start. */
export interface StartSettings {
  /** Runners that entries may start with a package of an exact version. */
  readonly allowed_commands: readonly string[];
  /** Complete command lines that entries may start unchanged. */
  readonly command_lines: readonly CommandLine[];
  /** Variables of the service that every started server gets. */
  readonly pass_env: readonly string[];
}

export interface CommandLine {
  /** Name of the tool, from the key `server.<name>`. */
  readonly name: string;
  readonly words: readonly string[];
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

const RUNNERS = ["npx", "uvx"];
const LINE_KEY = /^server\.([\w-]{1,64})$/;
/** Words of a command line: quoted parts may contain spaces, and a backslash has no meaning. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

/** Reads the settings, valid until the next start; throws `bad_request` naming the invalid key. */
export function readSettings(sections: ConfigSections): McpSettings {
  const { value, error } = schema.validate(sections.section("mcp"));
  if (error) throw new AppError("bad_request", `config.ini, [mcp]: ${error.message}`);
  return {
    ...value,
    allowed_hosts: splitCommaList(value.allowed_hosts as string),
    ...readStartSettings(sections.section("mcp_client")),
  } as unknown as McpSettings;
}

function readStartSettings(section: Readonly<Record<string, string>>): StartSettings {
  const { allowed_commands, pass_env = "", ...others } = section;
  const commands = allowed_commands === undefined ? RUNNERS : splitCommaList(allowed_commands);
  const unknownCommand = commands.find((command) => !RUNNERS.includes(basename(command)));
  if (unknownCommand)
    throw createConfigError(
      `allowed_commands: '${unknownCommand}' runs no packages; name its command line: server.<name> = ${unknownCommand} …`,
    );
  const names = splitCommaList(pass_env);
  const reserved = names.find((name) => !/^[A-Za-z_]\w{0,127}$/.test(name) || /^SVC_/i.test(name));
  if (reserved) throw createConfigError(`pass_env: '${reserved}' cannot be passed on`);
  const command_lines = Object.entries(others).map(([key, text]) => {
    const name = LINE_KEY.exec(key)?.[1];
    if (!name) throw createConfigError(`'${key}' is not known; a command line is named server.<name>`);
    const words = splitWords(text);
    if (words.length === 0) throw createConfigError(`${key}: a command is required`);
    return { name, words };
  });
  return { allowed_commands: commands, command_lines, pass_env: names };
}

function splitWords(line: string): readonly string[] {
  return [...line.matchAll(WORD)].map(([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

function createConfigError(reason: string): AppError {
  return new AppError("bad_request", `config.ini, [mcp_client]: ${reason}`);
}
