import { AppError, type Caller, type Environment, hasScope } from "@parley/core";
import { BUILTIN_ID, DEFAULTS, type Entry } from "./entry.ts";

const BUILTIN_FIELDS: readonly string[] = ["enabled", "auto_connect", "tool_allow", "tool_deny", "confirm_tools"];

/** What does not go together, and addresses and variables that cannot be used. */
export function checkFields(entry: Entry, environment: Environment): void {
  const { transport, url, headers_env, command, args, env, env_names } = entry;
  if (entry.id === BUILTIN_ID) return;
  if (transport === "stdio") {
    if (command === "") throw new AppError("bad_request", "command: is required for stdio");
    if (url !== "" || Object.keys(headers_env).length > 0) throw new AppError("bad_request", "url: not for stdio");
    for (const name of env_names) environment.secret(name);
    return;
  }
  if (command !== "" || args.length + env_names.length + Object.keys(env).length > 0) {
    throw new AppError("bad_request", "command: not for streamable-http");
  }
  const address = URL.parse(url);
  if (!address || !["http:", "https:"].includes(address.protocol)) {
    throw new AppError("bad_request", "url: must be an http or https address");
  }
  if (address.username || address.password) throw new AppError("bad_request", "url: must not hold a user or password");
  for (const name of Object.values(headers_env)) environment.secret(name);
}

/** What is started is for administrators alone. */
export function refuseOthers(caller: Caller): void {
  if (!hasScope(caller, "admin")) {
    throw new AppError("permission_denied", "servers that are started need the scope 'admin'");
  }
}

/** Of the built-in entry only some fields may change. */
export function refuseBuiltin(fields: object, old: Entry): void {
  const other = Object.entries(fields).find(
    ([key, value]) =>
      !BUILTIN_FIELDS.includes(key) && JSON.stringify(value) !== JSON.stringify(old[key as keyof Entry]),
  );
  if (other) throw new AppError("bad_request", `${other[0]}: cannot be changed on the built-in entry`);
}

/** The entry of this very service, as it is at first. */
export function builtinEntry(at: string): Entry {
  return {
    ...DEFAULTS,
    id: BUILTIN_ID,
    name: "local MCP service",
    description: "This service's own tools",
    transport: "stdio",
    auto_connect: true,
    // A call may wait for a person.
    timeout_s: 300,
    created_at: at,
    updated_at: at,
    revision: 1,
  };
}
