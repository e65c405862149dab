import { existsSync, statSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { AppError } from "@parley/core";

/** What an entry wants to start. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly env_names: readonly string[];
}

const SHELLS = /^(?:ba|da|z|k|c|tc|fi|a)?sh$|^(?:cmd|powershell|pwsh|busybox|env|sudo|xargs|nohup|nice)(?:\.exe)?$/;
const INTERPRETERS = /^(node|python[\d.]*|deno|bun|ruby|perl|php)$/;
const RUNNERS = /^(npx|uvx|bunx|pipx)$/;
/** Flags in front of a script that neither run nor load anything. */
const HARMLESS = /^(--no-warnings|--enable-source-maps|--max-old-space-size=\d+|-u|-B|-E|-I|-s)$/;
const EXACT_PACKAGE = /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(@|==)\d+(\.\d+)*([-+.][\w.-]+)?$/i;
const REFUSED_VARIABLES =
  /^(NODE_.*|LD_.*|DYLD_.*|PYTHON.*|RUBY.*|PERL.*|BASH_ENV|ENV|IFS|PATH|npm_config_.*|GIT_.*|SVC_.*)$/i;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const SECRET = /(token|secret|password|authorization|cookie|api_?key|access_?key|private_?key|signature)$/i;

/**
 * Refuses what may not be started: a command that is not on the operator's list, shells, code on the command line,
 * packages without an exact version (`permission_denied`), and variables that change what is run (`bad_request`).
 */
export function checkStart({ command, args, env, env_names }: Start, allowed: readonly string[]): void {
  const parts = [command, ...args];
  if (parts.some((part) => /[\0\n\r]/.test(part))) throw new AppError("bad_request", "args: hold a line break or NUL");
  if (!allowed.includes(command)) throw refusal(`'${command}' is not in [mcp_client] allowed_commands`);
  const program = basename(command);
  if (SHELLS.test(program)) throw refusal(`'${program}' is a shell`);
  if (INTERPRETERS.test(program)) checkScript(args);
  if (RUNNERS.test(program)) checkPackage(args);
  for (const name of [...Object.keys(env), ...env_names]) checkVariable(name);
  const secret = Object.keys(env).find((name) => SECRET.test(name));
  if (secret) throw new AppError("bad_request", `env.${secret}: secrets are named in env_names`);
}

/** The arguments as they are given to the system. */
export function argumentsOf({ command, args }: Start): readonly string[] {
  const asks = basename(command) === "npx" && !args.includes("--yes") && !args.includes("-y");
  return asks ? ["--yes", ...args] : args;
}

function checkScript(args: readonly string[]): void {
  const script = args.find((arg) => !HARMLESS.test(arg));
  if (script === undefined || !isAbsolute(script)) throw refusal("args: must begin with the absolute path of a file");
  if (!existsSync(script) || !statSync(script).isFile()) throw refusal("args: the file to run does not exist");
}

function checkPackage(args: readonly string[]): void {
  const name = args.find((arg) => arg !== "--yes" && arg !== "-y");
  if (name === undefined || !EXACT_PACKAGE.test(name)) {
    throw refusal("args: must begin with one package and its exact version, like name@1.2.3");
  }
}

function checkVariable(name: string): void {
  if (!VARIABLE.test(name)) throw new AppError("bad_request", `env: '${name}' is not a variable's name`);
  if (REFUSED_VARIABLES.test(name)) throw new AppError("bad_request", `env: '${name}' may not be set`);
}

function refusal(reason: string): AppError {
  return new AppError("permission_denied", reason);
}
