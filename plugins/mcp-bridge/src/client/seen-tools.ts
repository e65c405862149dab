import { createHash } from "node:crypto";
import type { Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import type { Collection, Logger } from "@parley/core";

const KEPT_DESCRIPTION = 500;

/** How a server's tools were when they were first seen. */
export interface SeenTools {
  readonly id: string;
  readonly tools: Readonly<Record<string, { readonly hash: string; readonly description: string }>>;
}

/**
 * Compares a server's tools with those it had before, notes the new ones, and says what has changed: a server that
 * changes a tool after it was agreed to is something an operator must see.
 */
export async function noteTools(
  serverId: string,
  tools: readonly RemoteTool[],
  seen: Collection<SeenTools>,
  log: Logger,
): Promise<readonly string[]> {
  const before = (await seen.get(serverId))?.tools ?? {};
  const now = marksOf(tools);
  const changed = changedTools(tools, before);
  for (const [name, from] of changed) {
    log.warn("a server has changed a tool", { server: serverId, tool: name, from, to: now[name]?.description });
  }
  await seen.put({ id: serverId, tools: { ...now, ...before } });
  return [...changed.keys()].map((name) => `tool '${name}' is not what it was when it was first seen`);
}

/** The changed ones, by name, with what they said of themselves before. */
export function changedTools(tools: readonly RemoteTool[], before: SeenTools["tools"]): ReadonlyMap<string, string> {
  const changed = tools.flatMap((tool) => {
    const earlier = before[tool.name];
    return earlier && earlier.hash !== markOf(tool).hash ? [[tool.name, earlier.description] as const] : [];
  });
  return new Map(changed);
}

/** From now on they count as first seen as they are: somebody has looked at them. */
export async function acceptTools(
  serverId: string,
  tools: readonly RemoteTool[],
  seen: Collection<SeenTools>,
): Promise<void> {
  const before = (await seen.get(serverId))?.tools ?? {};
  await seen.put({ id: serverId, tools: { ...before, ...marksOf(tools) } });
}

function marksOf(tools: readonly RemoteTool[]): SeenTools["tools"] {
  return Object.fromEntries(tools.map((tool) => [tool.name, markOf(tool)]));
}

function markOf({ name, description = "", inputSchema }: RemoteTool) {
  const hash = createHash("sha256")
    .update(JSON.stringify([name, description, inputSchema]))
    .digest("hex");
  return { hash, description: description.slice(0, KEPT_DESCRIPTION) };
}
