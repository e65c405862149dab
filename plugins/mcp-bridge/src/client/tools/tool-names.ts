import { createHash } from "node:crypto";

const MAX_NAME = 64;
const SHORT_NAME_PREFIX_CHARS = 55;

export interface ToolAddress {
  readonly serverId: string;
  readonly toolName: string;
}

/** `mcp__<server id>__<tool name>`. */
export function toFullName({ serverId, toolName }: ToolAddress): string {
  return `mcp__${serverId}__${toolName}`;
}

/**
 * Assigns tool names for models: the full name where every model API accepts it, else a stable short one, independent
 * of order. Names are never parsed; only the returned map leads back to the tool.
 */
export function assignToolNames(addresses: readonly ToolAddress[]): ReadonlyMap<string, ToolAddress> {
  const wanted = addresses.map((address) => {
    const { serverId, toolName } = address;
    const legal = toFullName({ serverId, toolName: toolName.replaceAll(/[^A-Za-z0-9_-]/g, "_") });
    return { address, legal, isShort: legal !== toFullName(address) || legal.length > MAX_NAME };
  });
  const counts = new Map<string, number>();
  for (const { legal } of wanted) counts.set(legal, (counts.get(legal) ?? 0) + 1);
  const named = wanted.map(({ address, legal, isShort }) => {
    const name = isShort || (counts.get(legal) ?? 0) > 1 ? toShortName(legal, address) : legal;
    return [name, address] as const;
  });
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function toShortName(legal: string, { serverId, toolName }: ToolAddress): string {
  const digest = createHash("sha256").update(`${serverId}\0${toolName}`).digest("hex");
  return `${legal.slice(0, SHORT_NAME_PREFIX_CHARS)}_${digest.slice(0, 8)}`;
}
