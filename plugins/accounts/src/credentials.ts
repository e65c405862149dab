import { randomBytes } from "node:crypto";
import {
  type Accounts,
  AppError,
  type Caller,
  type Clock,
  type Collection,
  type List,
  type LiveEvents,
  listOf,
  notFound,
  type Page,
  type ResourceRecords,
  resourceChanged,
  SCOPES,
} from "@parley/core";
import { createApiKeys } from "./api-keys.ts";
import { hashOf, PREFIX_LENGTH } from "./hash-of.ts";
import type { Account, ShownToken, StoredKey, StoredToken } from "./records.ts";
import type { KeyDraft, TokenDraft } from "./schema.ts";

const DAY_MS = 86_400_000;
const NOTED_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 3_600_000;
const MAX_TOKENS = 1000;

export interface CredentialsParts {
  readonly accounts: Collection<Account>;
  readonly tokens: Collection<StoredToken>;
  readonly keys: Collection<StoredKey>;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** Login tokens and API keys. Nothing is cached beyond the collections: what is revoked fails at the next request. */
export interface Credentials extends Accounts {
  /** Reads everything once; `authenticate` needs no input or output after it. */
  load(): Promise<void>;
  /** Without a credential of the holder's it was the password that was shown. */
  issue(
    draft: TokenDraft,
    holder: Pick<Caller, "username"> & Partial<Caller>,
    address: string,
  ): Promise<ShownToken & { readonly token: string }>;
  listTokens(page: Page, caller: Caller): Promise<List<ShownToken>>;
  /** By full hash; `not_found` for anything else. */
  revokeToken(hash: string): Promise<{ readonly id: string; readonly deleted: true }>;
  revokeTokensOf(username: string): Promise<void>;
  /** Ends the logins of a name; its API keys are the other's from then on. */
  endName(username: string, successor: string): Promise<void>;
  readonly keys: ResourceRecords<KeyDraft>;
  /** When the credential of a caller ends that what they make with it does not outlive; undefined: never. */
  endOf(caller: Partial<Caller>): string | undefined;
}

export function createCredentials(parts: CredentialsParts): Credentials {
  const { tokens, keys, accounts, events, clock } = parts;
  const listeners = new Set<(credentialId: string) => void>();
  const tokenByHash = new Map<string, StoredToken>();
  let sweptAt = clock.monotonic();
  const now = () => new Date(clock.now()).toISOString();
  const isOver = (expiresAt: string | null) => expiresAt !== null && Date.parse(expiresAt) <= clock.now();
  const revoked = (credentialId: string) => {
    for (const listener of listeners) listener(credentialId);
  };
  const dropToken = async (token: StoredToken) => {
    tokenByHash.delete(token.id);
    await tokens.remove(token.id);
    revoked(token.id);
  };
  const sweep = async () => {
    if (clock.monotonic() - sweptAt < SWEEP_EVERY_MS) return;
    sweptAt = clock.monotonic();
    for (const token of tokenByHash.values()) if (isOver(token.expires_at)) await dropToken(token);
  };
  // At most once a minute, and nobody waits for it: a lost note costs nothing.
  const isNoted = (lastUsed: string | null) => lastUsed !== null && clock.now() - Date.parse(lastUsed) < NOTED_EVERY_MS;
  const noteToken = async (token: StoredToken) => {
    if (isNoted(token.last_used_at)) return;
    const used = { ...token, last_used_at: now() };
    tokenByHash.set(token.id, used);
    await tokens.update(token.id, (stored) => ({ ...stored, last_used_at: used.last_used_at }));
  };
  const accountOf = async (username: string) => (await accounts.list()).find((one) => one.username === username);
  // What somebody makes with a credential that ends does not outlive it, nor does what is made with that.
  const endOf = ({ kind, expiresAt, credentialId = "" }: Partial<Caller>) =>
    kind === "api_key" ? expiresAt : tokenByHash.get(credentialId)?.ends_by;
  const capped = <End extends string | null>(wanted: End, caller: Partial<Caller>): End | string => {
    const end = endOf(caller);
    return end !== undefined && (wanted === null || Date.parse(wanted) > Date.parse(end)) ? end : wanted;
  };
  const apiKeys = createApiKeys({ keys, events, clock, revoked, capped });

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
      const token = tokenByHash.get(hash);
      if (token && !isOver(token.expires_at)) {
        void noteToken(token).catch(() => {});
        const account = await accountOf(token.created_by);
        return account && loginCaller(token, account);
      }
      const key = apiKeys.usable(hash);
      if (!key) return undefined;
      void apiKeys.noteUse(key, address).catch(() => {});
      return keyCaller(key, (await accountOf(key.created_by))?.id ?? "");
    },
    onRevoked(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    inForce(id) {
      const token = tokenByHash.get(id);
      if (token) return isOver(token.expires_at) ? undefined : { expiresAt: token.expires_at };
      const key = apiKeys.inForce(id);
      return key && (key.expires_at === null ? {} : { expiresAt: key.expires_at });
    },
    hasKeyFor: (scope) => apiKeys.hasKeyFor(scope),
    keys: apiKeys.records,
    endOf,
    async issue({ username, expires_days }, holder, address) {
      await sweep();
      const active = [...tokenByHash.values()].filter((one) => !isOver(one.expires_at));
      if (active.length >= MAX_TOKENS) throw new AppError("conflict", `there are ${MAX_TOKENS} login tokens already`);
      const text = `tok_${randomBytes(32).toString("base64url")}`;
      const end = endOf(holder);
      const token: StoredToken = {
        id: hashOf(text),
        token_prefix: text.slice(0, PREFIX_LENGTH),
        username: username ?? holder.username,
        created_at: now(),
        expires_at: capped(new Date(clock.now() + expires_days * DAY_MS).toISOString(), holder),
        ...(end !== undefined && { ends_by: end }),
        ip_address: address,
        created_by: holder.username,
        last_used_at: null,
      };
      // Held before it is stored, so that it counts for those who come meanwhile.
      tokenByHash.set(token.id, token);
      await tokens.put(token).catch((error: unknown) => {
        tokenByHash.delete(token.id);
        throw error;
      });
      events.publish(resourceChanged("login_token", token.id, "created"));
      return { ...shownToken(token, false), token: text };
    },
    async listTokens(page, caller) {
      const active = [...tokenByHash.values()].filter((token) => !isOver(token.expires_at));
      active.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
      return listOf(
        active.map((token) => shownToken(token, token.id === caller.credentialId)),
        page,
      );
    },
    async revokeToken(hash) {
      const token = tokenByHash.get(hash.toLowerCase());
      if (!token || isOver(token.expires_at)) throw notFound("login token", hash);
      await dropToken(token);
      events.publish(resourceChanged("login_token", token.id, "deleted"));
      return { id: token.id, deleted: true };
    },
    async revokeTokensOf(username) {
      for (const token of [...tokenByHash.values()]) if (token.created_by === username) await dropToken(token);
    },
    async endName(username, successor) {
      await this.revokeTokensOf(username);
      await apiKeys.moveTo(username, successor);
    },
  };
}

function loginCaller({ id, created_by, expires_at }: StoredToken, account: Account): Caller {
  return {
    kind: "login",
    credentialId: id,
    accountId: account.id,
    username: created_by,
    scopes: SCOPES,
    expiresAt: expires_at,
    rateLimitPerMinute: 0,
  };
}

function keyCaller(key: StoredKey, accountId: string): Caller {
  return {
    kind: "api_key",
    credentialId: key.id,
    accountId,
    username: key.created_by,
    scopes: key.scopes,
    ...(key.expires_at !== null && { expiresAt: key.expires_at }),
    rateLimitPerMinute: key.rate_limit_per_minute,
  };
}

function shownToken({ id, ends_by: _endsBy, ...token }: StoredToken, current: boolean): ShownToken {
  return { ...token, hash_full: id, current };
}
