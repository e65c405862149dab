import type { StoredToken } from "../records.ts";
import { accountsTexts } from "../texts.ts";

/** Limit per account, so that sign-ins of one account cannot lock out another. */
const MAX_LOGINS_PER_ACCOUNT = 100;
const MAX_MADE_TOKENS = 1000;

/** Returns the logins of an account that must end when it signs in again: those unused for the longest time. */
export function listSurplusLogins(active: readonly StoredToken[], username: string): readonly StoredToken[] {
  const lastUse = ({ last_used_at, created_at }: StoredToken) => last_used_at ?? created_at;
  const logins = active.filter((token) => isSignIn(token) && token.created_by === username);
  const count = Math.max(0, logins.length + 1 - MAX_LOGINS_PER_ACCOUNT);
  return logins.toSorted((a, b) => (lastUse(a) < lastUse(b) ? -1 : 1)).slice(0, count);
}

/** Throws `conflict` when no more tokens can be created; sign-ins with a password do not count. */
export function rejectTooManyTokens(active: readonly StoredToken[]): void {
  if (active.filter((token) => !isSignIn(token)).length < MAX_MADE_TOKENS) return;
  throw accountsTexts.error("conflict", "tokens_full", { most: MAX_MADE_TOKENS });
}

function isSignIn({ user_agent }: StoredToken): boolean {
  return user_agent !== undefined;
}
