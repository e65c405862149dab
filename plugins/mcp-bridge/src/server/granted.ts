import type { GrantScope, ToolScope } from "@parley/core";
import type { ToolPolicy } from "../guard/tool-policy.ts";

const READ: readonly ToolScope[] = ["gateway.read", "events.query", "queue.read", "node.read"];
const WRITE: readonly ToolScope[] = [
  ...READ,
  "events.publish",
  "channels.send",
  "worker.manage",
  "gateway.manage",
  "queue.manage",
  "node.manage",
];
/** What each right of a client lets it call; the narrowest first. */
const LEVELS = Object.entries({ read: READ, write: WRITE, admin: ["admin"] } satisfies Record<
  GrantScope,
  readonly ToolScope[]
>) as readonly [GrantScope, readonly ToolScope[]][];

export function toolScopesOf(scopes: readonly GrantScope[]): readonly ToolScope[] {
  return LEVELS.flatMap(([scope, covered]) => (scopes.includes(scope) ? covered : []));
}

/** What a client must be given to call something with this scope: all up to the right that covers it. */
export function scopesFor(scope: ToolScope): readonly GrantScope[] {
  const level = LEVELS.findIndex(([, covered]) => covered.includes(scope) || covered.includes("admin"));
  return LEVELS.slice(0, level + 1).map(([name]) => name);
}

/** The rights that a client can have under this configuration. */
export function scopesUnder({ isCovered }: Pick<ToolPolicy, "isCovered">): readonly GrantScope[] {
  return LEVELS.filter(([, covered]) => covered.every((scope) => isCovered({ scope }))).map(([name]) => name);
}
