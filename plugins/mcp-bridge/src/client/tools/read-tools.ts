import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { PaginatedResultSchema, type Tool as RemoteTool, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { type AppError, type LocalizedError, toLocalizedError } from "@parley/core";
import { INSTALLATION_META_KEY } from "../../meta-keys.ts";
import { ServerConnectionError } from "../../server-connection-error.ts";
import { mcpBridgeTexts } from "../../texts.ts";
import { sanitizeText } from "./sanitize-text.ts";

const MAX_TOOLS = 256;
const MAX_PAGES = 20;
const MAX_SCHEMA_CHARS = 64 * 1024;
const MAX_DEPTH = 16;
const MAX_WARNINGS = 20;

/** A warning about a working server. */
export type ToolWarning = Pick<LocalizedError, "error" | "detail">;

export interface ToolListing {
  readonly tools: readonly RemoteTool[];
  /** At most 20 warnings about omitted tools. */
  readonly warnings: readonly ToolWarning[];
  /** Installation id of a Parley server; undefined for others. */
  readonly installationId: unknown;
}

/** Reads a server's tools within limits; tools beyond them are omitted with a warning. */
export async function readTools(client: Client, signal: AbortSignal): Promise<ToolListing> {
  if (!client.getServerCapabilities()?.tools) return { tools: [], warnings: [], installationId: undefined };
  const listed: unknown[] = [];
  const warnings: ToolWarning[] = [];
  let cursor: string | undefined;
  let installationId: unknown;
  for (let page = 0; ; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    // The client's method is not used: it compiles untrusted schemas, and one invalid tool would drop all others.
    const answer = await client.request({ method: "tools/list", params }, PaginatedResultSchema, { signal });
    if (!Array.isArray(answer.tools))
      throw new ServerConnectionError(mcpBridgeTexts.error("upstream_failed", "no_tool_list"));
    listed.push(...answer.tools);
    cursor = answer.nextCursor;
    installationId ??= answer._meta?.[INSTALLATION_META_KEY];
    if (cursor === undefined || listed.length > MAX_TOOLS || page + 1 >= MAX_PAGES) break;
  }
  const fitting = listed.flatMap((given) => {
    const { data, error } = ToolSchema.safeParse(given);
    const name = sanitizeText(getToolName(given), 100);
    const part = error?.issues[0]?.path.join(".") || "form";
    const problem = data
      ? validateTool(data as RemoteTool, name)
      : mcpBridgeTexts.error("upstream_failed", "tool_odd", { name, part });
    if (problem === undefined) return [data as RemoteTool];
    warnings.push(toLocalizedError(problem));
    return [];
  });
  const unique = [...new Map(fitting.map((tool) => [tool.name, tool])).values()];
  const tools = unique.slice(0, MAX_TOOLS);
  if (unique.length > MAX_TOOLS || cursor !== undefined)
    warnings.unshift(toLocalizedError(mcpBridgeTexts.error("upstream_failed", "many_tools", { most: tools.length })));
  return { tools, warnings: warnings.slice(0, MAX_WARNINGS), installationId };
}

function validateTool({ name, inputSchema }: RemoteTool, displayName: string): AppError | undefined {
  const shown = { name: displayName };
  if (name === "" || name.length > 200) return mcpBridgeTexts.error("upstream_failed", "tool_name", shown);
  if (JSON.stringify(inputSchema).length > MAX_SCHEMA_CHARS)
    return mcpBridgeTexts.error("upstream_failed", "tool_schema_large", shown);
  if (!isShallow(inputSchema))
    return mcpBridgeTexts.error("upstream_failed", "tool_schema_deep", { ...shown, most: MAX_DEPTH });
  return hasForeignReference(inputSchema)
    ? mcpBridgeTexts.error("upstream_failed", "tool_schema_foreign", shown)
    : undefined;
}

function getToolName(given: unknown): string {
  return isObject(given) && "name" in given ? String(given.name) : "";
}

function isShallow(schema: unknown): boolean {
  let level: unknown[] = [schema];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false;
    level = level.flatMap((value) => (isObject(value) ? Object.values(value) : [])).filter(isObject);
  }
  return true;
}

function hasForeignReference(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  return Object.entries(schema).some(
    ([key, value]) =>
      (key === "$ref" && typeof value === "string" && !value.startsWith("#")) || hasForeignReference(value),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
