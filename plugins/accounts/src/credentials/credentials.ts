import { randomBytes } from "node:crypto";
import {
  type Accounts,
  type AppError,
  aloneWith,
  type Caller,
  type Clock,
  type Collection,
  isPerson,
  type LiveEvents,
  notFound,
  type ResourceRecords,
  resourceChanged,
} from "@parley/core";
import { type List, type Page, toPage } from "@parley/core/http";
import { createSlidingWindow, networkOf } from "@parley/core/limits";
import { getRoleScopes } from "../people/roles.ts";
import type { Account, StoredKey, StoredToken, TokenView } from "../records.ts";
import type { KeyDraft, TokenDraft } from "../schema.ts";
import { accountsTexts } from "../texts.ts";
import { createApiKeys, getBackingKeyId, isKeySecret } from "./api-keys.ts";
import { toKeyCaller, toLoginCaller, toTokenView } from "./callers.ts";
import { createEndedLogins, type EndedLogin, type LoginEndReason } from "./ended-logins.ts";
import { hashSecret, PREFIX_LENGTH } from "./hash-secret.ts";
import { listSurplusLogins, rejectTooManyTokens } from "./token-limits.ts";

const DAY_MS = 86_400_000;
const TOUCH_INTERVAL_MS = 60_000;
const SWEEP_EVERY_MS = 3_600_000;
const TOKEN_PATTERN = /^tok_[\w-]{43}$/;
/** Maximum lookups per minute and network of unknown logins and keys, so that guessing does not load the storage. */
const MAX_LOOKUPS_PER_MINUTE = 30;
const MINUTE_MS = 60_000;
const MAX_NETWORKS = 10_000;
const MAX_USER_AGENT = 256;

export interface CredentialsDeps {
  readonly accounts: Collection<Account>;
  readonly tokens: Collection<StoredToken>;
  readonly keys: Collection<StoredKey>;
  readonly endedLogins: Collection<EndedLogin>;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

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
  /** Revokes a token by its full hash; rejects with `not_found` otherwise. */
  revokeToken(hash: string): Promise<{ readonly id: string; readonly deleted: true }>;
  /** Revokes one of the caller's own logins, as listed by `listOwnTokens`. */
  revokeOwnToken(hash: string, caller: Caller): Promise<{ readonly id: string; readonly deleted: true }>;
  /** Ends all tokens of an account except one; returns their number. `why` is the reason shown to their holders. */
  revokeTokensOf(username: string, why: LoginEndReason, except?: string): Promise<number>;
  /** Ends the logins of a name; its API keys are transferred to `successor`. */
  endName(username: string, successor: string): Promise<void>;
  /** Ends the logins of a deleted account; its API keys are disabled and transferred to `successor`. */
  endAccount(username: string, successor: string): Promise<void>;
  /** Returns the last use of an account's logins. */
  lastUsedOf(username: string): string | null;
  /** Closes sessions and sockets of an account's API keys after it lost rights. */
  narrowed(username: string): void;
  readonly keys: ResourceRecords<KeyDraft>;
}

export function createCredentials(deps: CredentialsDeps): Credentials {
  const { tokens, keys, accounts, events, clock } = deps;
  const listeners = new Set<(credentialId: string) => void>();
  const tokenByHash = new Map<string, StoredToken>();
  let sweptAt = clock.monotonic();
  const now = () => new Date(clock.now()).toISOString();
  const isOver = (expiresAt: string | null) => expiresAt !== null && Date.parse(expiresAt) <= clock.now();
  /** Notifies listeners of a revoked credential, and of all that were created with it. */
  const notifyRevoked = (credentialId: string) => {
    for (const listener of listeners) listener(credentialId);
    for (const { id } of listDerivedTokens(credentialId)) notifyRevoked(id);
    for (const id of apiKeys.listDerivedIds(credentialId)) notifyRevoked(id);
  };
  const listDerivedTokens = (keyId: string) => [...tokenByHash.values()].filter(({ made_by }) => made_by === keyId);
  const removeMadeWith = async (keyId: string, caller: Caller) => {
    for (const token of listDerivedTokens(keyId)) await endToken(token, "key");
    for (const id of apiKeys.listDerivedIds(keyId)) await apiKeys.records.remove(id, { caller });
  };
  const publish = ({ id, created_by }: StoredToken, action: "created" | "deleted") =>
    events.publish(resourceChanged("login_token", id, action, null, { scope: "admin", person: created_by }));
  const endedLoginLog = createEndedLogins(deps.endedLogins, clock);
  const dropToken = async (token: StoredToken, why: LoginEndReason) => {
    tokenByHash.delete(token.id);
    await tokens.remove(token.id);
    await endedLoginLog.record(token.id, why);
    notifyRevoked(token.id);
  };
  const endToken = async (token: StoredToken, why: LoginEndReason) => {
    await dropToken(token, why);
    publish(token, "deleted");
  };
  const sweep = async () => {
    if (clock.monotonic() - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = clock.monotonic();
    for (const token of tokenByHash.values()) if (isOver(token.expires_at)) await dropToken(token, "expired");
  };
  // Written at most once a minute, and not awaited, because a lost update does no harm.
  const isNoted = (lastUsed: string | null) =>
    lastUsed !== null && clock.now() - Date.parse(lastUsed) < TOUCH_INTERVAL_MS;
  const touchToken = async (token: StoredToken) => {
    if (isNoted(token.last_used_at)) return;
    const used = { ...token, last_used_at: now() };
    tokenByHash.set(token.id, used);
    await tokens.update(token.id, (stored) => ({ ...stored, last_used_at: used.last_used_at }));
  };
  // Credentials must not outlive the credential with which they were created, directly or indirectly.
  const getExpiry = ({ kind, expiresAt, credentialId = "" }: Partial<Caller>) =>
    kind === "api_key" ? expiresAt : tokenByHash.get(credentialId)?.ends_by;
  const capExpiry = <End extends string | null>(wanted: End, caller: Partial<Caller>): End | string => {
    const end = getExpiry(caller);
    return end !== undefined && (wanted === null || Date.parse(wanted) > Date.parse(end)) ? end : wanted;
  };
  const apiKeys = createApiKeys({
    keys,
    events,
    clock,
    onRevoked: notifyRevoked,
    capExpiry,
    removeDerived: removeMadeWith,
  });
  const lookups = createSlidingWindow(MINUTE_MS, clock.monotonic, MAX_NETWORKS);
  /** Reads the storage for a credential that another node may just have stored; limited per minute and network. */
  const lookedUp = async <T>(address: string, look: () => Promise<T | undefined>): Promise<T | undefined> => {
    const network = networkOf(address);
    if (!tokens.stored || lookups.waitMs(network, MAX_LOOKUPS_PER_MINUTE) > 0) return undefined;
    lookups.count(network);
    return look();
  };
  const tokenOf = async (secret: string, hash: string, address: string): Promise<StoredToken | undefined> => {
    const known = tokenByHash.get(hash);
    if (known || !TOKEN_PATTERN.test(secret)) return known;
    const token = await lookedUp(address, async () => tokens.stored?.(hash));
    if (token) tokenByHash.set(hash, token);
    return token;
  };
  const keyOf = async (secret: string, hash: string, address: string): Promise<StoredKey | undefined> => {
    if (apiKeys.isKnown(hash) || !isKeySecret(secret)) return apiKeys.findUsable(hash);
    return lookedUp(address, () => apiKeys.findUsableInStore(hash));
  };
  const holderOf = async (username: string, address: string): Promise<Account | undefined> => {
    const among = async (all: readonly Account[]) => all.find((one) => one.username === username);
    return (await among(await accounts.list())) ?? lookedUp(address, () => aloneWith(accounts, among));
  };
  /** Returns the API key that created a token: null for a person's token, undefined when the key is not usable. */
  const makerOf = ({ made_by }: StoredToken) => (typeof made_by === "string" ? apiKeys.findUsableById(made_by) : null);
  const isActive = (token: StoredToken) => !isOver(token.expires_at) && makerOf(token) !== undefined;
  const tokensShown = (page: Page, caller: Caller, isAsked: (token: StoredToken) => boolean) => {
    const asked = [...tokenByHash.values()].filter((token) => isActive(token) && isAsked(token));
    asked.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
    return toPage(
      asked.map((token) => toTokenView(token, token.id === caller.credentialId)),
      page,
    );
  };
  const revokeActive = async (hash: string, isAllowed: (token: StoredToken) => boolean) => {
    const token = tokenByHash.get(hash.toLowerCase());
    if (!token || !isActive(token) || !isAllowed(token)) throw notFound("login token", hash);
    await endToken(token, "ended");
    return { id: token.id, deleted: true } as const;
  };

  return {
    async load() {
      for (const token of await tokens.list()) tokenByHash.set(token.id, token);
      tokens.onElsewhere((id, token) => {
        if (token) tokenByHash.set(id, token);
        else if (tokenByHash.delete(id)) notifyRevoked(id);
      });
      await apiKeys.load();
      await accounts.list();
    },
    async authenticate(secret, address) {
      const hash = hashSecret(secret);
      const token = await tokenOf(secret, hash, address);
      if (token && !isOver(token.expires_at)) {
        const maker = makerOf(token);
        if (maker === undefined) return undefined;
        void touchToken(token).catch(() => {});
        const account = await holderOf(token.created_by, address);
        return account && toLoginCaller(token, account, maker && { ...maker, scopes: apiKeys.getScopes(maker) });
      }
      const key = await keyOf(secret, hash, address);
      const maker = key && (await holderOf(key.created_by, address));
      if (!maker) return undefined;
      void apiKeys.noteUse(key, address).catch(() => {});
      return toKeyCaller({ ...key, scopes: apiKeys.getScopes(key) }, maker);
    },
    async refusal(secret) {
      const hash = hashSecret(secret);
      const key = apiKeys.getRejectionReason(hash);
      if (key) return accountsTexts.error("unauthorized", key);
      if (!TOKEN_PATTERN.test(secret)) return undefined;
      const stored = tokenByHash.get(hash);
      if (stored && makerOf(stored) === undefined) return accountsTexts.error("unauthorized", "login_key");
      if (stored)
        return accountsTexts.error("unauthorized", isOver(stored.expires_at) ? "login_expired" : "login_account");
      return accountsTexts.error("unauthorized", `login_${(await endedLoginLog.why(hash)) ?? "unknown"}`);
    },
    onRevoked(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    inForce(id) {
      const token = tokenByHash.get(id);
      if (token) return isActive(token) ? { expiresAt: token.expires_at } : undefined;
      const key = apiKeys.findUsableById(id);
      return key && (key.expires_at === null ? {} : { expiresAt: key.expires_at });
    },
    async scopesOf(username) {
      const account = (await accounts.list()).find((one) => one.username === username);
      return account ? getRoleScopes(account.role) : [];
    },
    hasKeyFor: (scope) => apiKeys.hasKeyFor(scope),
    keys: apiKeys.records,
    narrowed: apiKeys.notifyNarrowed,
    lastUsedOf(username) {
      const theirs = [...tokenByHash.values()].filter(({ created_by }) => created_by === username);
      return (
        theirs
          .flatMap(({ last_used_at }) => last_used_at ?? [])
          .toSorted()
          .at(-1) ?? null
      );
    },
    async issue({ username, expires_days }, holder, address, userAgent) {
      await sweep();
      const active = [...tokenByHash.values()].filter(isActive);
      if (holder.credentialId !== undefined) rejectTooManyTokens(active);
      else for (const token of listSurplusLogins(active, holder.username)) await endToken(token, "many");
      const text = `tok_${randomBytes(32).toString("base64url")}`;
      const end = getExpiry(holder);
      const token: StoredToken = {
        id: hashSecret(text),
        token_prefix: text.slice(0, PREFIX_LENGTH),
        username: username ?? holder.username,
        created_at: now(),
        expires_at: capExpiry(new Date(clock.now() + expires_days * DAY_MS).toISOString(), holder),
        ...(end !== undefined && { ends_by: end }),
        made_by: getBackingKeyId(holder),
        ip_address: address,
        created_by: holder.username,
        last_used_at: null,
        ...(userAgent !== undefined && { user_agent: userAgent.slice(0, MAX_USER_AGENT) }),
      };
      // The token is cached before it is stored, so that requests in between can use it.
      tokenByHash.set(token.id, token);
      await tokens.put(token).catch((error: unknown) => {
        tokenByHash.delete(token.id);
        throw error;
      });
      publish(token, "created");
      return { ...toTokenView(token, false), token: text };
    },
    listTokens: async (page, caller) => tokensShown(page, caller, () => true),
    listOwnTokens: async (page, caller) => tokensShown(page, caller, (token) => isOwnToken(token, caller)),
    revokeToken: (hash) => revokeActive(hash, () => true),
    revokeOwnToken: (hash, caller) => revokeActive(hash, (token) => isOwnToken(token, caller)),
    async revokeTokensOf(username, why, except) {
      const theirs = [...tokenByHash.values()].filter(({ id, created_by }) => created_by === username && id !== except);
      for (const token of theirs) await endToken(token, why);
      return theirs.length;
    },
    async endName(username, successor) {
      await this.revokeTokensOf(username, "account");
      await apiKeys.reassign(username, successor);
    },
    async endAccount(username, successor) {
      await apiKeys.reassign(username, successor, { isOff: true });
      await this.revokeTokensOf(username, "account");
    },
  };
}

function isOwnToken({ created_by }: StoredToken, caller: Caller): boolean {
  return isPerson(caller) && created_by === caller.username;
}
