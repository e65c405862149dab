import type { Accounts, AppError, Caller, ResourceRecords } from "@parley/core";
import type { List, Page } from "@parley/core/http";
import { createSlidingWindow } from "@parley/core/limits";
import { getRoleScopes } from "../people/roles.ts";
import type { TokenView } from "../records.ts";
import type { KeyDraft, TokenDraft } from "../schema.ts";
import { createApiKeys } from "./api-keys.ts";
import { authenticate, findRejection } from "./authenticate.ts";
import {
  type CredentialsDeps,
  type CredentialsState,
  capExpiry,
  isActive,
  notifyRevoked,
} from "./credentials-state.ts";
import { createEndedLogins, type LoginEndReason } from "./ended-logins.ts";
import {
  findLastUse,
  isOwnToken,
  issueToken,
  listTokens,
  removeDerived,
  revokeActive,
  revokeTokensOf,
} from "./login-tokens.ts";

const MINUTE_MS = 60_000;
const MAX_NETWORKS = 10_000;

/** Manages login tokens and API keys. A revoked credential fails at the next request. */
export interface Credentials extends Accounts {
  refusal(secret: string): Promise<AppError | undefined>;
  /** Reads everything once; `authenticate` needs no input or output after it, but for a credential or an account that it does not know. */
  load(): Promise<void>;
  /** Creates a token; without a credential of the holder, the password was checked. */
  issue(
    draft: TokenDraft,
    holder: Pick<Caller, "username"> & Partial<Caller>,
    address: string,
    userAgent?: string,
  ): Promise<TokenView & { readonly token: string }>;
  listTokens(page: Page, caller: Caller): Promise<List<TokenView>>;
  /** Lists the logins of the calling person; empty for an API key. */
  listOwnTokens(page: Page, caller: Caller): Promise<List<TokenView>>;
  /** Revokes a token by its full hash; rejects with `not_found` when it is unknown or no longer valid. */
  revokeToken(hash: string): Promise<{ readonly id: string; readonly deleted: true }>;
  /** Revokes one of the caller's own logins, as listed by `listOwnTokens`. */
  revokeOwnToken(hash: string, caller: Caller): Promise<{ readonly id: string; readonly deleted: true }>;
  /** Ends all tokens of an account except one; returns their number. `why` is the reason shown to their holders. */
  revokeTokensOf(username: string, why: LoginEndReason, except?: string): Promise<number>;
  /** Ends the logins of a name; its API keys are transferred to `successor`. */
  endName(username: string, successor: string): Promise<void>;
  /** Ends the logins of a deleted account; its API keys are disabled and transferred to `successor`. */
  endAccount(username: string, successor: string): Promise<void>;
  lastUsedOf(username: string): string | null;
  /** Closes sessions and sockets of an account's API keys after it lost rights. */
  notifyNarrowed(username: string): void;
  readonly keys: ResourceRecords<KeyDraft>;
}

export function createCredentials(deps: CredentialsDeps): Credentials {
  const { accounts, keys, events, clock } = deps;
  const state: CredentialsState = {
    deps,
    listeners: new Set(),
    tokenByHash: new Map(),
    apiKeys: createApiKeys({
      keys,
      events,
      clock,
      onRevoked: (id) => notifyRevoked(state, id),
      capExpiry: (wanted, caller) => capExpiry(state, wanted, caller),
      removeDerived: (keyId, caller) => removeDerived(state, keyId, caller),
    }),
    endedLogins: createEndedLogins(deps.endedLogins, clock),
    lookups: createSlidingWindow(MINUTE_MS, clock.monotonic, MAX_NETWORKS),
    sweptAt: clock.monotonic(),
  };
  const { apiKeys, listeners } = state;
  return {
    load: () => load(state),
    authenticate: (secret, address) => authenticate(state, secret, address),
    refusal: (secret) => findRejection(state, secret),
    onRevoked(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    inForce: (id) => findActive(state, id),
    async scopesOf(username) {
      const account = (await accounts.list()).find((one) => one.username === username);
      return account ? getRoleScopes(account.role) : [];
    },
    hasKeyFor: (scope) => apiKeys.hasKeyFor(scope),
    keys: apiKeys.records,
    notifyNarrowed: apiKeys.notifyNarrowed,
    lastUsedOf: (username) => findLastUse(state, username),
    issue: (draft, holder, address, userAgent) => issueToken(state, draft, holder, { address, userAgent }),
    listTokens: async (page, caller) => listTokens(state, page, caller, () => true),
    listOwnTokens: async (page, caller) => listTokens(state, page, caller, (token) => isOwnToken(token, caller)),
    revokeToken: (hash) => revokeActive(state, hash, () => true),
    revokeOwnToken: (hash, caller) => revokeActive(state, hash, (token) => isOwnToken(token, caller)),
    revokeTokensOf: (username, why, except) => revokeTokensOf(state, username, why, except),
    async endName(username, successor) {
      await revokeTokensOf(state, username, "account");
      await apiKeys.reassign(username, successor);
    },
    async endAccount(username, successor) {
      await apiKeys.reassign(username, successor, { isOff: true });
      await revokeTokensOf(state, username, "account");
    },
  };
}

async function load(state: CredentialsState): Promise<void> {
  const { tokenByHash, apiKeys } = state;
  const { tokens, accounts } = state.deps;
  for (const token of await tokens.list()) tokenByHash.set(token.id, token);
  tokens.onElsewhere((id, token) => {
    if (token) tokenByHash.set(id, token);
    else if (tokenByHash.delete(id)) notifyRevoked(state, id);
  });
  await apiKeys.load();
  await accounts.list();
}

function findActive(state: CredentialsState, id: string): ReturnType<Accounts["inForce"]> {
  const token = state.tokenByHash.get(id);
  if (token) return isActive(state, token) ? { expiresAt: token.expires_at } : undefined;
  const key = state.apiKeys.findUsableById(id);
  return key && (key.expires_at === null ? {} : { expiresAt: key.expires_at });
}
