import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { PaginatedResultSchema, type Tool as RemoteTool, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { MARK } from "../keys.ts";
import { cleanText } from "./clean-text.ts";

const MAX_TOOLS = 256;
const MAX_PAGES = 20;
const MAX_SCHEMA_CHARS = 64 * 1024;
const MAX_DEPTH = 16;

export interface ReadTools {
  readonly tools: readonly RemoteTool[];
  /** What was left out, and why. */
  readonly warnings: readonly string[];
  /** What a service like this one says of itself; undefined for others. */
  readonly mark: unknown;
}

/** A server's tools within limits; what is beyond them is left out and said. */
export async function readTools(client: Client, signal: AbortSignal): Promise<ReadTools> {
  if (!client.getServerCapabilities()?.tools) return { tools: [], warnings: [], mark: undefined };
  const listed: unknown[] = [];
  const warnings: string[] = [];
  let cursor: string | undefined;
  let mark: unknown;
  for (let page = 0; ; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    // Not the client's own method: that one compiles the schemas of strangers. Nor its schema of the list: one tool that does
    // not fit would take all others with it.
    const answer = await client.request({ method: "tools/list", params }, PaginatedResultSchema, { signal });
    if (!Array.isArray(answer.tools)) throw new Error("the server's list of tools is no list");
    listed.push(...answer.tools);
    cursor = answer.nextCursor;
    mark ??= answer._meta?.[MARK];
    if (cursor === undefined) break;
    if (listed.length > MAX_TOOLS || page + 1 >= MAX_PAGES) break;
  }
  const fitting = listed.flatMap((given) => {
    const { data, error } = ToolSchema.safeParse(given);
    const problem = data
      ? problemOf(data as RemoteTool)
      : `its ${error?.issues[0]?.path.join(".") || "form"} is not valid`;
    if (problem === undefined) return [data as RemoteTool];
    warnings.push(`tool '${cleanText(nameOf(given), 100)}' is left out: ${problem}`);
    return [];
  });
  const unique = [...new Map(fitting.map((tool) => [tool.name, tool])).values()];
  if (unique.length > MAX_TOOLS) warnings.push(`only the first ${MAX_TOOLS} tools are taken`);
  return { tools: unique.slice(0, MAX_TOOLS), warnings: warnings.slice(0, 20), mark };
}

function problemOf({ name, inputSchema }: RemoteTool): string | undefined {
  if (name === "" || name.length > 200) return "its name is empty or longer than 200 characters";
  if (JSON.stringify(inputSchema).length > MAX_SCHEMA_CHARS) return "its schema is larger than 64 KiB";
  if (!isShallow(inputSchema)) return `its schema has more than ${MAX_DEPTH} levels`;
  return hasForeignReference(inputSchema) ? "its schema refers to another document" : undefined;
}

function nameOf(given: unknown): string {
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
