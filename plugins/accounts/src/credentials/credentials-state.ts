import type { Caller, Clock, Collection, LiveEvents } from "@parley/core";
import type { SlidingWindow } from "@parley/core/limits";
import type { Account, StoredKey, StoredToken } from "../records.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { EndedLogin, EndedLogins } from "./ended-logins.ts";

export interface CredentialsDeps {
  readonly accounts: Collection<Account>;
  readonly tokens: Collection<StoredToken>;
  readonly keys: Collection<StoredKey>;
  readonly endedLogins: Collection<EndedLogin>;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

export interface CredentialsState {
  readonly deps: CredentialsDeps;
  readonly listeners: Set<(credentialId: string) => void>;
  readonly tokenByHash: Map<string, StoredToken>;
  readonly apiKeys: ApiKeys;
  readonly endedLogins: EndedLogins;
  readonly lookups: SlidingWindow;
  sweptAt: number;
}

export function isActive(state: CredentialsState, token: StoredToken): boolean {
  return !hasExpired(state, token.expires_at) && findCreatingKey(state, token) !== undefined;
}

export function hasExpired({ deps: { clock } }: CredentialsState, expiresAt: string | null): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= clock.now();
}

/** Returns the API key that created a token: null for a person's token, undefined when the key is not usable. */
export function findCreatingKey({ apiKeys }: CredentialsState, { made_by }: StoredToken): StoredKey | null | undefined {
  return typeof made_by === "string" ? apiKeys.findUsableById(made_by) : null;
}

/** Returns an end that is not later than that of the credential in use: what it creates must not outlive it, directly or indirectly. */
export function capExpiry<End extends string | null>(
  state: CredentialsState,
  wanted: End,
  caller: Partial<Caller>,
): End | string {
  const end = getExpiry(state, caller);
  return end !== undefined && (wanted === null || Date.parse(wanted) > Date.parse(end)) ? end : wanted;
}

export function getExpiry(
  { tokenByHash }: CredentialsState,
  { kind, expiresAt, credentialId = "" }: Partial<Caller>,
): string | undefined {
  return kind === "api_key" ? expiresAt : tokenByHash.get(credentialId)?.ends_by;
}

/** Notifies listeners of a revoked credential, and of all that were created with it. */
export function notifyRevoked(state: CredentialsState, credentialId: string): void {
  for (const listener of state.listeners) listener(credentialId);
  for (const { id } of listDerivedTokens(state, credentialId)) notifyRevoked(state, id);
  for (const id of state.apiKeys.listDerivedIds(credentialId)) notifyRevoked(state, id);
}

export function listDerivedTokens({ tokenByHash }: CredentialsState, keyId: string): readonly StoredToken[] {
  return [...tokenByHash.values()].filter(({ made_by }) => made_by === keyId);
}
