import { type Caller, type Environment, isPerson } from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";
import { BUILTIN_ID, CONNECTION_FIELDS, DEFAULTS, type Entry, type EntryPatch } from "./entry.ts";

const BUILTIN_FIELDS: readonly string[] = [
  "enabled",
  "auto_connect",
  "tool_allow",
  "tool_deny",
  "confirm_tools",
  "trusted_tools",
];

/** Validates combinations of fields, addresses and variables. */
export function validateFields(entry: Entry, environment: Environment): void {
  const { transport, url, headers_env, command, args, env, env_names } = entry;
  if (entry.id === BUILTIN_ID) return;
  if (transport === "stdio") {
    if (command === "") throw mcpBridgeTexts.error("bad_request", "command_missing", {}, { field: "command" });
    if (url !== "" || Object.keys(headers_env).length > 0)
      throw mcpBridgeTexts.error("bad_request", "not_for_stdio", {}, { field: "url" });
    checkSecretNames(env_names, environment);
    return;
  }
  if (command !== "" || args.length + env_names.length + Object.keys(env).length > 0) {
    throw mcpBridgeTexts.error("bad_request", "not_for_http", {}, { field: "command" });
  }
  const address = URL.parse(url);
  if (!address || !["http:", "https:"].includes(address.protocol)) {
    throw mcpBridgeTexts.error("bad_request", "address", {}, { field: "url" });
  }
  if (address.username || address.password)
    throw mcpBridgeTexts.error("bad_request", "user_in_address", {}, { field: "url" });
  checkSecretNames(Object.values(headers_env), environment);
}

/** Checks variable names; those that configure the service itself (`SVC_*`) are never passed on. */
function checkSecretNames(names: readonly string[], environment: Environment): void {
  for (const name of names) {
    if (name.startsWith("SVC_")) throw mcpBridgeTexts.error("bad_request", "reserved", { name });
    environment.secret(name);
  }
}

/** Throws unless a signed-in person calls: a program with an API key must not decide which commands are run. */
export function rejectProgramCallers(caller: Pick<Caller, "kind" | "madeBy">): void {
  if (!isPerson(caller)) {
    throw mcpBridgeTexts.error("permission_denied", "person_needed");
  }
}

export function isConnectionChanged(old: Entry, entry: Entry): boolean {
  return CONNECTION_FIELDS.some((key) => JSON.stringify(old[key]) !== JSON.stringify(entry[key]));
}

const SECRETS_DROPPED_NOTICE =
  "the secrets of the entry were removed, because they would be sent to another destination";

/** Returns the patch, with secrets emptied when their address or program changes and they are not given again, and a notice. */
export function dropMovedSecrets(
  old: Entry,
  patch: EntryPatch,
): { readonly fields: Partial<Entry>; readonly notice: string } {
  const fields = patch;
  const isOtherPlace = fields.url !== undefined && getOrigin(fields.url) !== getOrigin(old.url);
  const commandOf = ({ command = old.command, args = old.args }: EntryPatch) => JSON.stringify([command, ...args]);
  const isOtherProgram = commandOf(fields) !== commandOf({});
  const dropped = {
    ...(isOtherPlace && !fields.headers_env && Object.keys(old.headers_env).length > 0 && { headers_env: {} }),
    ...(isOtherProgram && !fields.env_names && old.env_names.length > 0 && { env_names: [] }),
  };
  return { fields: { ...fields, ...dropped }, notice: Object.keys(dropped).length > 0 ? SECRETS_DROPPED_NOTICE : "" };
}

function getOrigin(url: string): string {
  return URL.parse(url)?.origin ?? "";
}

/** Throws when a change touches a fixed field of the built-in entry. */
export function rejectBuiltinChanges(fields: object, old: Entry): void {
  const other = Object.entries(fields).find(
    ([key, value]) =>
      !BUILTIN_FIELDS.includes(key) && JSON.stringify(value) !== JSON.stringify(old[key as keyof Entry]),
  );
  if (other) throw mcpBridgeTexts.error("bad_request", "built_in_fixed", {}, { field: other[0] });
}

/** Creates the initial entry of this service itself. */
export function createBuiltinEntry(at: string): Entry {
  return {
    ...DEFAULTS,
    id: BUILTIN_ID,
    name: "local MCP service",
    description: "This service's own tools",
    transport: "stdio",
    auto_connect: true,
    // The timeout is long, because a call may wait for a person.
    timeout_s: 300,
    created_at: at,
    updated_at: at,
    revision: 1,
  };
}
