import { isJsonObject, type JsonObject, parseJsonObject, toText } from "../../../shared/json-object.ts";
import { toUniqueId } from "../../../shared/ui/form/unique-id.ts";
import type { McpServerFields } from "../api.ts";
import type { TextKey } from "../texts.ts";
import { toId } from "./server-draft.ts";

/** A server of a pasted configuration, ready to add. */
export interface PastedServer {
  readonly id: string;
  readonly fields: McpServerFields & { readonly enabled: boolean };
  /** Secrets to store encrypted, by variable; an empty one must be entered first. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The reason why it cannot be added. */
  readonly problem: TextKey | undefined;
}

export type ParsedConfig = { readonly servers: readonly PastedServer[] } | { readonly problem: TextKey };

const SECRET_NAME = /(token|secret|password|passwd|authorization|cookie|key|signature|credential|pat)$/i;
/** A placeholder that an editor asks for or reads from its environment. */
const PLACEHOLDER = /\$\{[^}]*\}/;

/** Parses configurations of Claude Desktop (`mcpServers`), VS Code (`servers`) and the like, or a bare map of servers. */
export function parseConfig(text: string, usedIds: readonly string[]): ParsedConfig {
  const json = parseJsonObject(text);
  if (json === undefined) return { problem: "pasteNoJson" };
  const serverMap = [json.mcpServers, json.servers, json].find(isServerMap);
  if (!serverMap) return { problem: "pasteNoServers" };
  const ids = [...usedIds];
  return {
    servers: Object.entries(serverMap).map(([name, entry]) => {
      const id = toUniqueId(toId(name), ids);
      ids.push(id);
      return toPastedServer(name, id, entry);
    }),
  };
}

function toPastedServer(name: string, id: string, entry: JsonObject): PastedServer {
  const url = [entry.url, entry.serverUrl, entry.httpUrl].find((one) => typeof one === "string");
  const common = {
    ...{ name: name.slice(0, 100), description: toText(entry.description), auto_connect: true, timeout_s: 30 },
    ...{ url: "", headers_env: {}, command: "", args: [], env: {}, env_names: [] },
    enabled: entry.disabled !== true,
  };
  if (typeof url === "string") {
    const headers = toTextMap(entry.headers);
    const variables = Object.keys(headers).map((header) => [header, toVariableName(id, header)] as const);
    return {
      id,
      fields: { ...common, transport: "streamable-http", url, headers_env: Object.fromEntries(variables) },
      secrets: Object.fromEntries(variables.map(([header, name]) => [name, stripPlaceholder(headers[header] ?? "")])),
      problem: entry.type === "sse" || entry.transport === "sse" ? "pasteSse" : undefined,
    };
  }
  const env = Object.entries(toTextMap(entry.env));
  const isSecret = ([key, value]: readonly [string, string]) => SECRET_NAME.test(key) || PLACEHOLDER.test(value);
  const secretPairs = env.filter(isSecret);
  return {
    id,
    fields: {
      ...common,
      transport: "stdio",
      command: toText(entry.command),
      args: Array.isArray(entry.args) ? entry.args.map(String) : [],
      env: Object.fromEntries(env.filter((pair) => !isSecret(pair))),
      env_names: secretPairs.map(([key]) => key),
    },
    secrets: Object.fromEntries(secretPairs.map(([key, value]) => [key, stripPlaceholder(value)])),
    problem: toText(entry.command) === "" ? "pasteNoCommand" : undefined,
  };
}

/** Makes a variable name that the environment of the service is unlikely to use. */
function toVariableName(id: string, header: string): string {
  return `MCP_${id}_${header}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
}

function stripPlaceholder(value: string): string {
  return PLACEHOLDER.test(value) ? "" : value;
}

function isServerMap(value: unknown): value is Readonly<Record<string, JsonObject>> {
  const entries = isJsonObject(value) ? Object.values(value) : [];
  return entries.length > 0 && entries.every((one) => isJsonObject(one) && !hasServersKey(one));
}

/** True for an object like `{ "mcpServers": {…} }`, which contains servers but is none. */
function hasServersKey(one: JsonObject): boolean {
  return !("command" in one || "url" in one || "serverUrl" in one || "httpUrl" in one);
}

function toTextMap(value: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, String(one)]));
}
