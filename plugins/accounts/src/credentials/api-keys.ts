import { randomBytes } from "node:crypto";
import {
  aloneWith,
  type Caller,
  type Clock,
  type Collection,
  checkRevision,
  derivedId,
  hasScope,
  type LiveEvents,
  notFound,
  type ResourceRecords,
  resourceChanged,
  type Scope,
  toRecordPage,
} from "@parley/core";
import type { KeyView, StoredKey } from "../records.ts";
import { apiKeys, type KeyDraft } from "../schema.ts";
import { accountsTexts } from "../texts.ts";
import { hashSecret, PREFIX_LENGTH } from "./hash-secret.ts";

const SECRET_PATTERN = /^pky_[\w-]{43}$/;
const MAX_KEYS = 500;
const TOUCH_INTERVAL_MS = 60_000;

export interface ApiKeysDeps {
  readonly keys: Collection<StoredKey>;
  readonly events: LiveEvents;
  readonly clock: Clock;
  /** Called with the id of a key that has lost rights. */
  readonly onRevoked: (id: string) => void;
  /** Returns the expiry of a credential that a caller creates; it is never later than that of the caller. */
  readonly capExpiry: (wanted: string | null, caller: Caller) => string | null;
  /** Removes credentials that were created with a deleted key. */
  readonly removeDerived: (id: string, caller: Caller) => Promise<void>;
}

/** API keys by hash, cached so that callers are identified without a read. */
export interface ApiKeys {
  readonly records: ResourceRecords<KeyDraft>;
  load(): Promise<void>;
  /** Returns true when this node knows the key, even if it is not usable. */
  isKnown(hash: string): boolean;
  /** Returns the key with this hash if it is enabled and not expired. */
  findUsable(hash: string): StoredKey | undefined;
  /** Returns why the key with this hash is not usable. */
  getRejectionReason(hash: string): "key_off" | "key_over" | "key_maker" | undefined;
  /** Like `findUsable`, but also reads a key from storage that this node may not know yet. */
  findUsableInStore(hash: string): Promise<StoredKey | undefined>;
  findUsableById(id: string): StoredKey | undefined;
  /** Returns the scopes of a usable key: never more than those of the keys it was made with. */
  getScopes(key: StoredKey): readonly Scope[];
  listDerivedIds(id: string): readonly string[];
  hasKeyFor(scope: Scope): boolean;
  /** Records a use, at most once a minute for each key. */
  noteUse(key: StoredKey, address: string): Promise<void>;
  /** Transfers the keys of one account to another; `isOff` also disables them until someone enables them. */
  reassign(username: string, successor: string, how?: { readonly isOff: boolean }): Promise<void>;
  /** Signals that the keys of an account lost rights. */
  notifyNarrowed(username: string): void;
}

export function createApiKeys({ keys, events, clock, onRevoked, capExpiry, removeDerived }: ApiKeysDeps): ApiKeys {
  const byHash = new Map<string, StoredKey>();
  const now = () => new Date(clock.now()).toISOString();
  const isExpired = (end: string | null | undefined) => typeof end === "string" && Date.parse(end) <= clock.now();
  const findCachedById = (id: string) => [...byHash.values()].find((key) => key.id === id);
  const isEnabled = (key: StoredKey) => key.enabled && !isExpired(key.expires_at);
  /** Returns true when a key is usable: it expires with the key that created it, and so on. */
  const isUsable = (key: StoredKey): boolean => {
    if (!isEnabled(key) || typeof key.made_by !== "string") return isEnabled(key);
    const maker = findCachedById(key.made_by);
    return maker !== undefined && isUsable(maker);
  };
  const scopesOf = (key: StoredKey): readonly Scope[] => {
    const maker = typeof key.made_by === "string" ? findCachedById(key.made_by) : undefined;
    if (!maker) return key.scopes;
    const scopes = scopesOf(maker);
    return key.scopes.filter((scope) => hasScope({ scopes }, scope));
  };
  const getStored = (id: string) => {
    const key = findCachedById(id);
    if (!key) throw notFound("api key", id);
    return key;
  };
  const checkName = (all: readonly StoredKey[], name: string, except?: string) => {
    const isTaken = all.some((key) => key.id !== except && key.name.toLowerCase() === name.toLowerCase());
    if (isTaken) throw accountsTexts.error("conflict", "taken", { name }, { field: "name" });
  };
  const check = ({ expires_at, scopes = [] }: Partial<KeyDraft>, caller: Caller) => {
    if (isExpired(expires_at)) throw accountsTexts.error("bad_request", "past", {}, { field: "expires_at" });
    const more = scopes.find((scope) => !hasScope(caller, scope));
    if (more) throw accountsTexts.error("permission_denied", "not_yours", { scope: more }, { field: "scopes" });
  };

  const records: ResourceRecords<KeyDraft> = {
    page: async (query) => toRecordPage(apiKeys, [...byHash.values()].map(toKeyView), query),
    get: async (id) => toKeyView(getStored(id)),
    async create(draft, { caller }) {
      check(draft, caller);
      const secret = `pky_${randomBytes(32).toString("base64url")}`;
      const hash = hashSecret(secret);
      const key: StoredKey = {
        ...draft,
        expires_at: capExpiry(draft.expires_at, caller),
        id: toKeyId(hash),
        key_prefix: secret.slice(0, PREFIX_LENGTH),
        hash,
        created_by: caller.username,
        made_by: getBackingKeyId(caller),
        last_used_at: null,
        last_used_ip: null,
        created_at: now(),
        updated_at: now(),
        revision: 1,
      };
      await aloneWith(keys, async (all) => {
        if (all.length >= MAX_KEYS) throw accountsTexts.error("conflict", "keys_full", { most: MAX_KEYS });
        checkName(all, draft.name);
        await keys.put(key);
      });
      byHash.set(key.hash, key);
      events.publish(resourceChanged(apiKeys, key.id, "created", 1));
      return { ...toKeyView(key), secret };
    },
    async change(id, patch, { caller, ifMatch }) {
      const before = getStored(id);
      if (caller.credentialId === id) throw accountsTexts.error("permission_denied", "key_itself");
      check(patch, caller);
      const update = () =>
        keys.update(id, (key) => {
          checkRevision(key, ifMatch);
          const expires_at = patch.expires_at === undefined ? key.expires_at : capExpiry(patch.expires_at, caller);
          return { ...key, ...patch, expires_at, updated_at: now(), revision: key.revision + 1 };
        });
      const { name } = patch;
      const renamed = (all: readonly StoredKey[]) => {
        checkRevision(getStored(id), ifMatch);
        if (name !== undefined) checkName(all, name, id);
        return update();
      };
      const next = await (name === undefined ? update() : aloneWith(keys, renamed));
      byHash.set(next.hash, next);
      events.publish(resourceChanged(apiKeys, id, "updated", next.revision));
      if (isNarrower(next, before)) onRevoked(id);
      return toKeyView(next);
    },
    async remove(id, { ifMatch, caller }) {
      const key = getStored(id);
      checkRevision(key, ifMatch);
      if (!(await keys.remove(id, (stored) => checkRevision(stored, ifMatch)))) throw notFound("api key", id);
      byHash.delete(key.hash);
      onRevoked(id);
      events.publish(resourceChanged(apiKeys, id, "deleted"));
      await removeDerived(id, caller);
    },
  };

  return {
    records,
    async load() {
      for (const key of await keys.list()) byHash.set(key.hash, key);
      keys.onElsewhere((id, key) => {
        const before = [...byHash.values()].find((one) => one.id === id);
        if (before && before.hash !== key?.hash) byHash.delete(before.hash);
        if (key) byHash.set(key.hash, key);
        if (before && (!key || isNarrower(key, before))) onRevoked(id);
      });
    },
    isKnown: (hash) => byHash.has(hash),
    findUsable(hash) {
      const key = byHash.get(hash);
      return key && isUsable(key) ? key : undefined;
    },
    getRejectionReason(hash) {
      const key = byHash.get(hash);
      if (!key || isUsable(key)) return undefined;
      if (!key.enabled) return "key_off";
      return isExpired(key.expires_at) ? "key_over" : "key_maker";
    },
    async findUsableInStore(hash) {
      const key = await keys.stored?.(toKeyId(hash));
      if (key?.hash !== hash) return undefined;
      byHash.set(hash, key);
      return isUsable(key) ? key : undefined;
    },
    findUsableById(id) {
      const key = findCachedById(id);
      return key && isUsable(key) ? key : undefined;
    },
    getScopes: scopesOf,
    listDerivedIds: (id) => [...byHash.values()].flatMap((key) => (key.made_by === id ? [key.id] : [])),
    hasKeyFor: (scope) =>
      [...byHash.values()].some((key) => isUsable(key) && hasScope({ scopes: scopesOf(key) }, scope)),
    async noteUse({ hash }, address) {
      // The key is read again, because it may have changed during the lookup.
      const key = byHash.get(hash);
      if (!key) return;
      if (key.last_used_at !== null && clock.now() - Date.parse(key.last_used_at) < TOUCH_INTERVAL_MS) return;
      const used = { last_used_at: now(), last_used_ip: address };
      byHash.set(hash, { ...key, ...used });
      await keys.update(key.id, (before) => ({ ...before, ...used }));
    },
    async reassign(username, successor, { isOff } = { isOff: false }) {
      for (const { id, created_by } of [...byHash.values()]) {
        if (created_by !== username) continue;
        const off = isOff ? { enabled: false } : {};
        const moved = await keys.update(id, (key) => ({ ...key, created_by: successor, ...off }));
        byHash.set(moved.hash, moved);
        if (isOff) onRevoked(id);
      }
    },
    notifyNarrowed(username) {
      for (const { id, created_by } of byHash.values()) if (created_by === username) onRevoked(id);
    },
  };
}

/** Returns the API key behind a caller; null for a person. */
export function getBackingKeyId({ kind, credentialId, madeBy }: Partial<Caller>): string | null {
  return (kind === "api_key" ? credentialId : madeBy) ?? null;
}

export function isKeySecret(text: string): boolean {
  return SECRET_PATTERN.test(text);
}

/** Derives the record id from the hash, so that a key is found in storage by its secret. */
function toKeyId(hash: string): string {
  return derivedId(apiKeys.idPrefix, hash);
}

function toKeyView({ hash: _hash, made_by = null, ...key }: StoredKey): KeyView {
  return { ...key, made_by };
}

function isNarrower(next: StoredKey, before: StoredKey): boolean {
  return !next.enabled || endsSooner(next, before) || before.scopes.some((scope) => !next.scopes.includes(scope));
}

function endsSooner(next: Pick<StoredKey, "expires_at">, before: Pick<StoredKey, "expires_at">): boolean {
  const endOf = ({ expires_at }: typeof next) =>
    expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
  return endOf(next) < endOf(before);
}
