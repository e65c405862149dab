import type { GrantScope, ToolScope } from "@parley/core";
import type { ToolPolicy } from "../guard/tool-policy.ts";

const READ_SCOPES: readonly ToolScope[] = ["gateway.read", "events.query", "queue.read", "node.read"];
const WRITE_SCOPES: readonly ToolScope[] = [
  ...READ_SCOPES,
  "events.publish",
  "channels.send",
  "worker.manage",
  "gateway.manage",
  "queue.manage",
  "node.manage",
];
/** Tool scopes by grant, narrowest first. */
const SCOPES_BY_GRANT = Object.entries({ read: READ_SCOPES, write: WRITE_SCOPES, admin: ["admin"] } satisfies Record<
  GrantScope,
  readonly ToolScope[]
>) as readonly [GrantScope, readonly ToolScope[]][];

export function toToolScopes(scopes: readonly GrantScope[]): readonly ToolScope[] {
  return SCOPES_BY_GRANT.flatMap(([scope, covered]) => (scopes.includes(scope) ? covered : []));
}

/** Returns the grants a client needs to call a tool of this scope: all up to the one that covers it. */
export function listGrantsCovering(scope: ToolScope): readonly GrantScope[] {
  const level = SCOPES_BY_GRANT.findIndex(([, covered]) => covered.includes(scope) || covered.includes("admin"));
  return SCOPES_BY_GRANT.slice(0, level + 1).map(([name]) => name);
}

/** Returns the grants that clients can have with this configuration. */
export function listAvailableGrants({ covers }: Pick<ToolPolicy, "covers">): readonly GrantScope[] {
  return SCOPES_BY_GRANT.filter(([, covered]) => covered.every((scope) => covers({ scope }))).map(([name]) => name);
}
