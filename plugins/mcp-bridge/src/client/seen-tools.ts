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
  const now = Object.fromEntries(tools.map((tool) => [tool.name, markOf(tool)]));
  const changed = tools.filter(({ name }) => {
    const earlier = before[name];
    return earlier !== undefined && earlier.hash !== now[name]?.hash;
  });
  for (const { name } of changed) {
    const [from, to] = [before[name]?.description, now[name]?.description];
    log.warn("a server has changed a tool", { server: serverId, tool: name, from, to });
  }
  await seen.put({ id: serverId, tools: { ...now, ...before } });
  return changed.map(({ name }) => `tool '${name}' is not what it was when it was first seen`);
}

function markOf({ name, description = "", inputSchema }: RemoteTool) {
  const hash = createHash("sha256")
    .update(JSON.stringify([name, description, inputSchema]))
    .digest("hex");
  return { hash, description: description.slice(0, KEPT_DESCRIPTION) };
}
