import { type AppError, aloneWith, type Caller } from "@parley/core";
import { networkOf } from "@parley/core/limits";
import type { Account, StoredKey, StoredToken } from "../records.ts";
import { accountsTexts } from "../texts.ts";
import { isKeySecret } from "./api-keys.ts";
import { toKeyCaller, toLoginCaller } from "./callers.ts";
import { type CredentialsState, findCreatingKey, hasExpired } from "./credentials-state.ts";
import { hashSecret } from "./hash-secret.ts";

const TOUCH_INTERVAL_MS = 60_000;
const TOKEN_PATTERN = /^tok_[\w-]{43}$/;

/** Maximum lookups per minute and network of unknown logins and keys, so that guessing does not load the storage. */
const MAX_LOOKUPS_PER_MINUTE = 30;

export async function authenticate(
  state: CredentialsState,
  secret: string,
  address: string,
): Promise<Caller | undefined> {
  const { apiKeys } = state;
  const hash = hashSecret(secret);
  const token = await findToken(state, secret, hash, address);
  if (token && !hasExpired(state, token.expires_at)) {
    const key = findCreatingKey(state, token);
    if (key === undefined) return undefined;
    void touchToken(state, token).catch(() => {});
    const account = await findHolder(state, token.created_by, address);
    return account && toLoginCaller(token, account, key && { ...key, scopes: apiKeys.getScopes(key) });
  }
  const key = await findKey(state, secret, hash, address);
  const account = key && (await findHolder(state, key.created_by, address));
  if (!account) return undefined;
  void apiKeys.noteUse(key, address).catch(() => {});
  return toKeyCaller({ ...key, scopes: apiKeys.getScopes(key) }, account);
}

async function findToken(
  state: CredentialsState,
  secret: string,
  hash: string,
  address: string,
): Promise<StoredToken | undefined> {
  const { deps, tokenByHash } = state;
  const known = tokenByHash.get(hash);
  if (known || !TOKEN_PATTERN.test(secret)) return known;
  const token = await lookUp(state, address, async () => deps.tokens.stored?.(hash));
  if (token) tokenByHash.set(hash, token);
  return token;
}

async function findKey(
  state: CredentialsState,
  secret: string,
  hash: string,
  address: string,
): Promise<StoredKey | undefined> {
  const { apiKeys } = state;
  if (apiKeys.isKnown(hash) || !isKeySecret(secret)) return apiKeys.findUsable(hash);
  return lookUp(state, address, () => apiKeys.findUsableInStore(hash));
}

async function findHolder(state: CredentialsState, username: string, address: string): Promise<Account | undefined> {
  const { accounts } = state.deps;
  const find = async (all: readonly Account[]) => all.find((one) => one.username === username);
  return (await find(await accounts.list())) ?? lookUp(state, address, () => aloneWith(accounts, find));
}

/** Reads the storage for a credential that another node may just have stored; limited per minute and network. */
async function lookUp<T>(
  { deps: { tokens }, lookups }: CredentialsState,
  address: string,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const network = networkOf(address);
  if (!tokens.stored || lookups.waitMs(network, MAX_LOOKUPS_PER_MINUTE) > 0) return undefined;
  lookups.count(network);
  return read();
}

export async function findRejection(state: CredentialsState, secret: string): Promise<AppError | undefined> {
  const hash = hashSecret(secret);
  const keyReason = state.apiKeys.getRejectionReason(hash);
  if (keyReason) return accountsTexts.error("unauthorized", keyReason);
  if (!TOKEN_PATTERN.test(secret)) return undefined;
  const token = state.tokenByHash.get(hash);
  if (!token)
    return accountsTexts.error("unauthorized", `login_${(await state.endedLogins.findReason(hash)) ?? "unknown"}`);
  if (findCreatingKey(state, token) === undefined) return accountsTexts.error("unauthorized", "login_key");
  return accountsTexts.error("unauthorized", hasExpired(state, token.expires_at) ? "login_expired" : "login_account");
}

/** Stores the time of use, at most once a minute. Callers do not await it, because a lost update does no harm. */
async function touchToken({ deps: { tokens, clock }, tokenByHash }: CredentialsState, token: StoredToken) {
  const { last_used_at } = token;
  if (last_used_at !== null && clock.now() - Date.parse(last_used_at) < TOUCH_INTERVAL_MS) return;
  const used = { ...token, last_used_at: new Date(clock.now()).toISOString() };
  tokenByHash.set(token.id, used);
  await tokens.update(token.id, (stored) => ({ ...stored, last_used_at: used.last_used_at }));
}
