import type { Scope } from "@parley/core";

export const ROLES = ["admin", "operator", "reader"] as const;
export type Role = (typeof ROLES)[number];

const SCOPES_BY_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  admin: ["read", "chat", "write", "admin", "mcp"],
  // Without `mcp`, because config.ini alone decides which tools may be used there.
  operator: ["read", "chat", "write"],
  reader: ["read"],
};

/** Returns the scopes of a role; accounts older than roles are administrators. */
export function getRoleScopes(role: Role | undefined): readonly Scope[] {
  return SCOPES_BY_ROLE[role ?? "admin"];
}
