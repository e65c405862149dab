import { randomBytes } from "node:crypto";
import {
  type Accounts,
  type AppError,
  aloneWith,
  type Caller,
  type Clock,
  type Collection,
  createSlidingWindow,
  hasScope,
  isPerson,
  type List,
  type LiveEvents,
  listOf,
  networkOf,
  notFound,
  type Page,
  type ResourceRecords,
  resourceChanged,
} from "@parley/core";
import { createApiKeys, isKeySecret, keyBehind } from "./api-keys.ts";
import { deviceOf } from "./device.ts";
import { createEndedLogins, type EndedLogin, type LoginEnd } from "./ended-logins.ts";
import { hashOf, PREFIX_LENGTH } from "./hash-of.ts";
import type { Account, ShownToken, StoredKey, StoredToken } from "./records.ts";
import { scopesOfRole } from "./roles.ts";
import { accountFailure } from "./said-failures.ts";
import type { KeyDraft, TokenDraft } from "./schema.ts";

const DAY_MS = 86_400_000;
const NOTED_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 3_600_000;
const LOGIN = /^tok_[\w-]{43}$/;
/** Logins and keys that nobody here knows are looked up so often a minute for one network: who makes them up must not ask the storage. */
const MOST_LOOKED_UP = 30;
const MINUTE_MS = 60_000;
const MAX_NETWORKS = 10_000;
const MAX_TOKENS = 1000;
const MAX_USER_AGENT = 256;

export interface CredentialsParts {
  readonly accounts: Collection<Account>;
  readonly tokens: Collection<StoredToken>;
  readonly keys: Collection<StoredKey>;
  /** Why logins are none any more. */
  readonly ended: Collection<EndedLogin>;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** Login tokens and API keys. Nothing is cached beyond the collections: what is revoked fails at the next request. */
export interface Credentials extends Accounts {
  refusal(secret: string): Promise<AppError | undefined>;
  /** Reads everything once; `authenticate` needs no input or output after it, but for a credential or an account that it does not know. */
  load(): Promise<void>;
  /** Without a credential of the holder's it was the password that was shown. */
  issue(
    draft: TokenDraft,
    holder: Pick<Caller, "username"> & Partial<Caller>,
    address: string,
    userAgent?: string,
  ): Promise<ShownToken & { readonly token: string }>;
  listTokens(page: Page, caller: Caller): Promise<List<ShownToken>>;
  /** Those that the person who asks signed in with; an API key has none. */
  ownTokens(page: Page, caller: Caller): Promise<List<ShownToken>>;
  /** By full hash; `not_found` for anything else. */
  revokeToken(hash: string): Promise<{ readonly id: string; readonly deleted: true }>;
  /** The same for one of `ownTokens`. */
  revokeOwn(hash: string, caller: Caller): Promise<{ readonly id: string; readonly deleted: true }>;
  /** All that an account made, but the one kept; gives how many there were. `why` is what their holders are told. */
  revokeTokensOf(username: string, why: LoginEnd, kept?: string): Promise<number>;
  /** Ends the logins of a name; its API keys are the other's from then on. */
  endName(username: string, successor: string): Promise<void>;
  /** Ends the logins of an account that goes; its API keys are off and another's until they are switched on again. */
  endAccount(username: string, successor: string): Promise<void>;
  /** When one of the logins of an account was last used. */
  lastUsedOf(username: string): string | null;
  /** Closes what runs with the API keys of an account that may do less now. */
  narrowed(username: string): void;
  readonly keys: ResourceRecords<KeyDraft>;
}

export function createCredentials(parts: CredentialsParts): Credentials {
  const { tokens, keys, accounts, events, clock } = parts;
  const listeners = new Set<(credentialId: string) => void>();
  const tokenByHash = new Map<string, StoredToken>();
  let sweptAt = clock.monotonic();
  const now = () => new Date(clock.now()).toISOString();
  const isOver = (expiresAt: string | null) => expiresAt !== null && Date.parse(expiresAt) <= clock.now();
  /** Notifies of a credential, and of all that was made with it. */
  const revoked = (credentialId: string) => {
    for (const listener of listeners) listener(credentialId);
    for (const { id } of tokensMadeWith(credentialId)) revoked(id);
    for (const id of apiKeys.madeWith(credentialId)) revoked(id);
  };
  const tokensMadeWith = (keyId: string) => [...tokenByHash.values()].filter(({ made_by }) => made_by === keyId);
  const removeMadeWith = async (keyId: string, caller: Caller) => {
    for (const token of tokensMadeWith(keyId)) {
      await dropToken(token, "key");
      publish(token, "deleted");
    }
    for (const id of apiKeys.madeWith(keyId)) await apiKeys.records.remove(id, { caller });
  };
  const publish = ({ id, created_by }: StoredToken, action: "created" | "deleted") =>
    events.publish(resourceChanged("login_token", id, action, null, { scope: "admin", person: created_by }));
  const endings = createEndedLogins(parts.ended, clock);
  const dropToken = async (token: StoredToken, why: LoginEnd) => {
    tokenByHash.delete(token.id);
    await tokens.remove(token.id);
    await endings.note(token.id, why);
    revoked(token.id);
  };
  const sweep = async () => {
    if (clock.monotonic() - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = clock.monotonic();
    for (const token of tokenByHash.values()) if (isOver(token.expires_at)) await dropToken(token, "expired");
  };
  // At most once a minute, and nobody waits for it: a lost note costs nothing.
  const isNoted = (lastUsed: string | null) => lastUsed !== null && clock.now() - Date.parse(lastUsed) < NOTED_EVERY_MS;
  const noteToken = async (token: StoredToken) => {
    if (isNoted(token.last_used_at)) return;
    const used = { ...token, last_used_at: now() };
    tokenByHash.set(token.id, used);
    await tokens.update(token.id, (stored) => ({ ...stored, last_used_at: used.last_used_at }));
  };
  // What somebody makes with a credential that ends does not outlive it, nor does what is made with that.
  const endOf = ({ kind, expiresAt, credentialId = "" }: Partial<Caller>) =>
    kind === "api_key" ? expiresAt : tokenByHash.get(credentialId)?.ends_by;
  const capped = <End extends string | null>(wanted: End, caller: Partial<Caller>): End | string => {
    const end = endOf(caller);
    return end !== undefined && (wanted === null || Date.parse(wanted) > Date.parse(end)) ? end : wanted;
  };
  const apiKeys = createApiKeys({ keys, events, clock, revoked, capped, removeMadeWith });
  const lookups = createSlidingWindow(MINUTE_MS, clock.monotonic, MAX_NETWORKS);
  /** What another node stored a moment ago is asked for with the next request; of one network not more often than that. */
  const lookedUp = async <T>(address: string, look: () => Promise<T | undefined>): Promise<T | undefined> => {
    const network = networkOf(address);
    if (!tokens.stored || lookups.waitMs(network, MOST_LOOKED_UP) > 0) return undefined;
    lookups.count(network);
    return look();
  };
  const tokenOf = async (secret: string, hash: string, address: string): Promise<StoredToken | undefined> => {
    const known = tokenByHash.get(hash);
    if (known || !LOGIN.test(secret)) return known;
    const token = await lookedUp(address, async () => tokens.stored?.(hash));
    if (token) tokenByHash.set(hash, token);
    return token;
  };
  const keyOf = async (secret: string, hash: string, address: string): Promise<StoredKey | undefined> => {
    if (apiKeys.isHeld(hash) || !isKeySecret(secret)) return apiKeys.usable(hash);
    return lookedUp(address, () => apiKeys.lookUp(hash));
  };
  const holderOf = async (username: string, address: string): Promise<Account | undefined> => {
    const among = async (all: readonly Account[]) => all.find((one) => one.username === username);
    return (await among(await accounts.list())) ?? lookedUp(address, () => aloneWith(accounts, among));
  };
  /** The key that a token was made with; undefined when it is not in force any more. */
  const makerOf = ({ made_by }: StoredToken) => (typeof made_by === "string" ? apiKeys.inForce(made_by) : null);
  const isActive = (token: StoredToken) => !isOver(token.expires_at) && makerOf(token) !== undefined;
  const tokensShown = (page: Page, caller: Caller, isAsked: (token: StoredToken) => boolean) => {
    const asked = [...tokenByHash.values()].filter((token) => isActive(token) && isAsked(token));
    asked.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
    return listOf(
      asked.map((token) => shownToken(token, token.id === caller.credentialId)),
      page,
    );
  };
  const revokeActive = async (hash: string, isAllowed: (token: StoredToken) => boolean) => {
    const token = tokenByHash.get(hash.toLowerCase());
    if (!token || !isActive(token) || !isAllowed(token)) throw notFound("login token", hash);
    await dropToken(token, "ended");
    publish(token, "deleted");
    return { id: token.id, deleted: true } as const;
  };

  return {
    async load() {
      for (const token of await tokens.list()) tokenByHash.set(token.id, token);
      tokens.onElsewhere((id, token) => {
        if (token) tokenByHash.set(id, token);
        else if (tokenByHash.delete(id)) revoked(id);
      });
      await apiKeys.load();
      await accounts.list();
    },
    async authenticate(secret, address) {
      const hash = hashOf(secret);
      const token = await tokenOf(secret, hash, address);
      if (token && !isOver(token.expires_at)) {
        const maker = makerOf(token);
        if (maker === undefined) return undefined;
        void noteToken(token).catch(() => {});
        const account = await holderOf(token.created_by, address);
        return account && loginCaller(token, account, maker && { ...maker, scopes: apiKeys.scopesOf(maker) });
      }
      const key = await keyOf(secret, hash, address);
      const maker = key && (await holderOf(key.created_by, address));
      if (!maker) return undefined;
      void apiKeys.noteUse(key, address).catch(() => {});
      return keyCaller({ ...key, scopes: apiKeys.scopesOf(key) }, maker);
    },
    async refusal(secret) {
      const hash = hashOf(secret);
      const key = apiKeys.whyNot(hash);
      if (key) return accountFailure("unauthorized", key);
      if (!LOGIN.test(secret)) return undefined;
      const held = tokenByHash.get(hash);
      if (held && makerOf(held) === undefined) return accountFailure("unauthorized", "login_key");
      if (held) return accountFailure("unauthorized", isOver(held.expires_at) ? "login_expired" : "login_account");
      return accountFailure("unauthorized", `login_${(await endings.why(hash)) ?? "unknown"}`);
    },
    onRevoked(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    inForce(id) {
      const token = tokenByHash.get(id);
      if (token) return isActive(token) ? { expiresAt: token.expires_at } : undefined;
      const key = apiKeys.inForce(id);
      return key && (key.expires_at === null ? {} : { expiresAt: key.expires_at });
    },
    async scopesOf(username) {
      const account = (await accounts.list()).find((one) => one.username === username);
      return account ? scopesOfRole(account.role) : [];
    },
    hasKeyFor: (scope) => apiKeys.hasKeyFor(scope),
    keys: apiKeys.records,
    narrowed: apiKeys.narrowed,
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
      if (active.length >= MAX_TOKENS) throw accountFailure("conflict", "tokens_full", { most: MAX_TOKENS });
      const text = `tok_${randomBytes(32).toString("base64url")}`;
      const end = endOf(holder);
      const token: StoredToken = {
        id: hashOf(text),
        token_prefix: text.slice(0, PREFIX_LENGTH),
        username: username ?? holder.username,
        created_at: now(),
        expires_at: capped(new Date(clock.now() + expires_days * DAY_MS).toISOString(), holder),
        ...(end !== undefined && { ends_by: end }),
        made_by: keyBehind(holder),
        ip_address: address,
        created_by: holder.username,
        last_used_at: null,
        ...(userAgent !== undefined && { user_agent: userAgent.slice(0, MAX_USER_AGENT) }),
      };
      // Held before it is stored, so that it counts for those who come meanwhile.
      tokenByHash.set(token.id, token);
      await tokens.put(token).catch((error: unknown) => {
        tokenByHash.delete(token.id);
        throw error;
      });
      publish(token, "created");
      return { ...shownToken(token, false), token: text };
    },
    listTokens: async (page, caller) => tokensShown(page, caller, () => true),
    ownTokens: async (page, caller) => tokensShown(page, caller, (token) => isOwn(token, caller)),
    revokeToken: (hash) => revokeActive(hash, () => true),
    revokeOwn: (hash, caller) => revokeActive(hash, (token) => isOwn(token, caller)),
    async revokeTokensOf(username, why, kept) {
      const theirs = [...tokenByHash.values()].filter(({ id, created_by }) => created_by === username && id !== kept);
      for (const token of theirs) {
        await dropToken(token, why);
        publish(token, "deleted");
      }
      return theirs.length;
    },
    async endName(username, successor) {
      await this.revokeTokensOf(username, "account");
      await apiKeys.moveTo(username, successor);
    },
    async endAccount(username, successor) {
      await apiKeys.moveTo(username, successor, { isOff: true });
      await this.revokeTokensOf(username, "account");
    },
  };
}

function isOwn({ created_by }: StoredToken, caller: Caller): boolean {
  return isPerson(caller) && created_by === caller.username;
}

/** `maker`: the key that the token was made with, which gives the most that it may do, and until when. */
function loginCaller(token: StoredToken, account: Account, maker: StoredKey | null): Caller {
  const { id, created_by, expires_at } = token;
  const madeBy = programBehind(token);
  return {
    kind: "login",
    credentialId: id,
    accountId: account.id,
    username: created_by,
    scopes: scopesOfRole(account.role).filter((scope) => maker === null || hasScope(maker, scope)),
    expiresAt: sooner(expires_at, maker?.expires_at ?? null),
    rateLimitPerMinute: maker?.rate_limit_per_minute ?? 0,
    ...(madeBy !== null && { madeBy }),
  };
}

/** Of a token of an earlier version only a sign-in is known to be a person's: it names a browser. */
function programBehind({ made_by, ends_by, user_agent }: StoredToken): string | null {
  if (made_by !== undefined) return made_by;
  return ends_by === undefined && user_agent !== undefined ? null : "unknown";
}

function sooner(end: string, other: string | null): string {
  return other !== null && Date.parse(other) < Date.parse(end) ? other : end;
}

/** A key can do no more than the person may do by now who made it. */
function keyCaller(key: StoredKey, account: Account): Caller {
  const most = scopesOfRole(account.role);
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

function shownToken({ ends_by: _endsBy, user_agent, ...stored }: StoredToken, current: boolean): ShownToken {
  const { id, made_by = null, ...token } = stored;
  return { ...token, made_by, device: deviceOf(user_agent), hash_full: id, current };
}
