import { type Caller, hasScope } from "@parley/core";
import { getRoleScopes } from "../people/roles.ts";
import type { Account, StoredKey, StoredToken, TokenView } from "../records.ts";
import { toDeviceName } from "./device.ts";

/** Returns the caller of a login token. `maker`, the API key that created it, limits its rights and its expiry. */
export function toLoginCaller(token: StoredToken, account: Account, maker: StoredKey | null): Caller {
  const { id, created_by, expires_at } = token;
  const madeBy = getBackingProgram(token);
  return {
    kind: "login",
    credentialId: id,
    accountId: account.id,
    username: created_by,
    scopes: getRoleScopes(account.role).filter((scope) => maker === null || hasScope(maker, scope)),
    expiresAt: earlierOf(expires_at, maker?.expires_at ?? null),
    rateLimitPerMinute: maker?.rate_limit_per_minute ?? 0,
    ...(madeBy !== null && { madeBy }),
  };
}

/** Returns the program that created a token; of earlier versions only a browser's token is a person's for certain. */
export function getBackingProgram({ made_by, ends_by, user_agent }: StoredToken): string | null {
  if (made_by !== undefined) return made_by;
  return ends_by === undefined && user_agent !== undefined ? null : "unknown";
}

function earlierOf(end: string, other: string | null): string {
  return other !== null && Date.parse(other) < Date.parse(end) ? other : end;
}

/** Returns the caller of an API key; it has at most the current rights of the key's creator. */
export function toKeyCaller(key: StoredKey, account: Account): Caller {
  const most = getRoleScopes(account.role);
  return {
    kind: "api_key",
    credentialId: key.id,
    accountId: account.id,
    username: key.created_by,
    scopes: key.scopes.filter((scope) => most.includes(scope)),
    ...(key.expires_at !== null && { expiresAt: key.expires_at }),
    rateLimitPerMinute: key.rate_limit_per_minute,
  };
}

export function toTokenView({ ends_by: _endsBy, user_agent, ...stored }: StoredToken, current: boolean): TokenView {
  const { id, made_by = null, ...token } = stored;
  return { ...token, made_by, device: toDeviceName(user_agent), hash_full: id, current };
}
