import { realpathSync } from "node:fs";
import { basename, isAbsolute, join, relative } from "node:path";
import type { StartSettings } from "../../settings.ts";
import { mcpBridgeTexts } from "../../texts.ts";

/** Command and environment of an entry. */
export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly env_names: readonly string[];
}

/** Commands that the operator allows, and the folder from which nothing is started. */
export interface StartRules extends Pick<StartSettings, "allowed_commands" | "command_lines"> {
  readonly dataFolder: string;
}

const ASSUME_YES_FLAGS = ["--yes", "-y"];
/** Pattern of one package in an exact version, by runner; excludes ranges, tags, URLs and folders. */
const EXACT_PACKAGE: Readonly<Record<string, RegExp>> = {
  npx: /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*@\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/i,
  uvx: /^[a-z0-9][\w.-]*(?:==|@)\d+\.\d+\.\d+[\w.+-]*$/i,
};
/** Variables that change the started program, its libraries, or package sources. */
const FORBIDDEN_VARIABLES = new RegExp(
  `^(${[
    "(NODE|LD|DYLD|DENO|BUN|JAVA|JDK|DOTNET|GIT|SSL|OPENSSL|SVC|BASH|MALLOC)_.*|(PYTHON|RUBY|PERL).*",
    "(NPM_CONFIG|YARN|PNPM|COREPACK|UV|PIP|PIPX|CONDA|VIRTUAL|XDG)_.*",
    "(HTTP|HTTPS|ALL|NO|FTP)_PROXY",
    "(CURL|REQUESTS)_CA_BUNDLE",
    "_JAVA_OPTIONS|ENV|IFS|PATH|PATHEXT|SHELL|HOME|USERPROFILE|(LOCAL)?APPDATA|COMSPEC|TMPDIR|TEMP|TMP",
    "PREFIX|GCONV_PATH|LOCPATH|GLIBC_TUNABLES|PS4|PROMPT_COMMAND|EDITOR|PAGER|BROWSER",
  ].join("|")})$`,
  "i",
);
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const SECRET_NAME =
  /(token|secret|password|authorization|cookie|api[_-]?key|access[_-]?key|private[_-]?key|signature)$/i;

/**
 * Checks a command. Throws `permission_denied` for anything but an exact command line of config.ini, or an allowed
 * runner with one package in an exact version; `bad_request` for variables that change the started program.
 */
export function checkStart(start: StartCommand, rules: StartRules): void {
  const { command, args, env, env_names } = start;
  const parts = [command, ...args];
  if (parts.some((part) => /[\0\n\r]/.test(part)))
    throw mcpBridgeTexts.error("bad_request", "odd_args", {}, { field: "args" });
  if (isConfiguredCommand(start, rules)) rejectDataFolderPaths(parts, rules.dataFolder);
  else checkPackage(start, rules);
  for (const name of [...Object.keys(env), ...env_names]) checkVariable(name);
  const secret = Object.keys(env).find((name) => SECRET_NAME.test(name));
  if (secret) throw mcpBridgeTexts.error("bad_request", "secret_in_env", {}, { field: `env.${secret}` });
}

/** Returns true for a command line that config.ini lists exactly. */
export function isConfiguredCommand(
  { command, args }: Pick<StartCommand, "command" | "args">,
  { command_lines }: Pick<StartRules, "command_lines">,
): boolean {
  const wanted = JSON.stringify([command, ...args]);
  return command_lines.some((line) => JSON.stringify(line.words) === wanted);
}

/** Returns the process arguments; a runner installs without asking. */
export function toProcessArgs(
  { command, args }: StartCommand,
  rules: Pick<StartRules, "command_lines">,
): readonly string[] {
  if (basename(command) !== "npx" || isConfiguredCommand({ command, args }, rules)) return args;
  return ["--yes", ...removeAssumeYes(args)];
}

function checkPackage({ command, args }: StartCommand, { allowed_commands }: StartRules): void {
  const form = EXACT_PACKAGE[basename(command)];
  if (!form || !allowed_commands.includes(command)) {
    throw mcpBridgeTexts.error("permission_denied", "not_a_command", { command });
  }
  const [name = ""] = removeAssumeYes(args);
  if (!form.test(name)) throw mcpBridgeTexts.error("permission_denied", "exact_package", {}, { field: "args" });
}

/** Removes flags that confirm an installation, since the service adds its own. */
function removeAssumeYes(args: readonly string[]): readonly string[] {
  return ASSUME_YES_FLAGS.includes(args[0] ?? "") ? args.slice(1) : args;
}

/** Rejects paths in the data folder: it contains uploads and files written by other servers, never programs. */
function rejectDataFolderPaths(parts: readonly string[], dataFolder: string): void {
  const data = tryRealPath(dataFolder) ?? dataFolder;
  const own = parts.find((part) => {
    const path = isAbsolute(part) ? tryRealPath(part) : undefined;
    return path !== undefined && !relative(data, path).startsWith("..");
  });
  if (own) throw mcpBridgeTexts.error("permission_denied", "in_data_folder", { path: own });
}

function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync(join(path));
  } catch {
    return undefined; // a missing path cannot be started
  }
}

function checkVariable(name: string): void {
  if (!VARIABLE_NAME.test(name)) throw mcpBridgeTexts.error("bad_request", "no_variable", { name }, { field: "env" });
  if (FORBIDDEN_VARIABLES.test(name)) {
    throw mcpBridgeTexts.error("bad_request", "variable_kept", { name }, { field: "env" });
  }
}
