import { randomBytes } from "node:crypto";
import { type Caller, isPerson, notFound, resourceChanged } from "@parley/core";
import { type List, type Page, toPage } from "@parley/core/http";
import type { StoredToken, TokenView } from "../records.ts";
import type { TokenDraft } from "../schema.ts";
import { getBackingKeyId } from "./api-keys.ts";
import { toTokenView } from "./callers.ts";
import {
  type CredentialsState,
  capExpiry,
  getExpiry,
  hasExpired,
  isActive,
  listDerivedTokens,
  notifyRevoked,
} from "./credentials-state.ts";
import type { LoginEndReason } from "./ended-logins.ts";
import { hashSecret, PREFIX_LENGTH } from "./hash-secret.ts";
import { listSurplusLogins, rejectTooManyTokens } from "./token-limits.ts";

const DAY_MS = 86_400_000;
const SWEEP_EVERY_MS = 3_600_000;
const MAX_USER_AGENT = 256;

export async function issueToken(
  state: CredentialsState,
  { username, expires_days }: TokenDraft,
  holder: Pick<Caller, "username"> & Partial<Caller>,
  { address, userAgent }: { readonly address: string; readonly userAgent?: string | undefined },
): Promise<TokenView & { readonly token: string }> {
  const { tokens, clock } = state.deps;
  await sweep(state);
  const active = [...state.tokenByHash.values()].filter((token) => isActive(state, token));
  if (holder.credentialId !== undefined) rejectTooManyTokens(active);
  else for (const token of listSurplusLogins(active, holder.username)) await endToken(state, token, "many");
  const text = `tok_${randomBytes(32).toString("base64url")}`;
  const end = getExpiry(state, holder);
  const token: StoredToken = {
    id: hashSecret(text),
    token_prefix: text.slice(0, PREFIX_LENGTH),
    username: username ?? holder.username,
    created_at: new Date(clock.now()).toISOString(),
    expires_at: capExpiry(state, new Date(clock.now() + expires_days * DAY_MS).toISOString(), holder),
    ...(end !== undefined && { ends_by: end }),
    made_by: getBackingKeyId(holder),
    ip_address: address,
    created_by: holder.username,
    last_used_at: null,
    ...(userAgent !== undefined && { user_agent: userAgent.slice(0, MAX_USER_AGENT) }),
  };
  // The token is cached before it is stored, so that requests in between can use it.
  state.tokenByHash.set(token.id, token);
  await tokens.put(token).catch((error: unknown) => {
    state.tokenByHash.delete(token.id);
    throw error;
  });
  publishChange(state, token, "created");
  return { ...toTokenView(token, false), token: text };
}

async function sweep(state: CredentialsState): Promise<void> {
  const now = state.deps.clock.monotonic();
  if (now - state.sweptAt < SWEEP_EVERY_MS) return;
  state.sweptAt = now;
  for (const token of state.tokenByHash.values())
    if (hasExpired(state, token.expires_at)) await dropToken(state, token, "expired");
}

async function dropToken(state: CredentialsState, token: StoredToken, why: LoginEndReason): Promise<void> {
  state.tokenByHash.delete(token.id);
  await state.deps.tokens.remove(token.id);
  await state.endedLogins.record(token.id, why);
  notifyRevoked(state, token.id);
}

async function endToken(state: CredentialsState, token: StoredToken, why: LoginEndReason): Promise<void> {
  await dropToken(state, token, why);
  publishChange(state, token, "deleted");
}

export async function removeDerived(state: CredentialsState, keyId: string, caller: Caller): Promise<void> {
  const { apiKeys } = state;
  for (const token of listDerivedTokens(state, keyId)) await endToken(state, token, "key");
  for (const id of apiKeys.listDerivedIds(keyId)) await apiKeys.records.remove(id, { caller });
}

function publishChange(
  { deps: { events } }: CredentialsState,
  { id, created_by }: StoredToken,
  action: "created" | "deleted",
): void {
  events.publish(resourceChanged("login_token", id, action, null, { scope: "admin", person: created_by }));
}

export function listTokens(
  state: CredentialsState,
  page: Page,
  caller: Caller,
  isAsked: (token: StoredToken) => boolean,
): List<TokenView> {
  const asked = [...state.tokenByHash.values()].filter((token) => isActive(state, token) && isAsked(token));
  asked.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  return toPage(
    asked.map((token) => toTokenView(token, token.id === caller.credentialId)),
    page,
  );
}

export async function revokeActive(state: CredentialsState, hash: string, isAllowed: (token: StoredToken) => boolean) {
  const token = state.tokenByHash.get(hash.toLowerCase());
  if (!token || !isActive(state, token) || !isAllowed(token)) throw notFound("login token", hash);
  await endToken(state, token, "ended");
  return { id: token.id, deleted: true } as const;
}

export async function revokeTokensOf(state: CredentialsState, username: string, why: LoginEndReason, except?: string) {
  const revoked = listTokensOf(state, username).filter(({ id }) => id !== except);
  for (const token of revoked) await endToken(state, token, why);
  return revoked.length;
}

export function findLastUse(state: CredentialsState, username: string): string | null {
  const uses = listTokensOf(state, username).flatMap(({ last_used_at }) => last_used_at ?? []);
  return uses.toSorted().at(-1) ?? null;
}

function listTokensOf({ tokenByHash }: CredentialsState, username: string): readonly StoredToken[] {
  return [...tokenByHash.values()].filter(({ created_by }) => created_by === username);
}

export function isOwnToken({ created_by }: StoredToken, caller: Caller): boolean {
  return isPerson(caller) && created_by === caller.username;
}
