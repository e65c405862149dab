import type { Environment, Secrets } from "@parley/core";
import { isMask, maskOf } from "@parley/core/secrets";

/** An encrypted key with its mask. */
export interface SealedKey {
  readonly sealed: string;
  /** `****` with the last 4 characters, or `****` alone for a short key. */
  readonly mask: string;
}

/** The fields of a record that determine its key. */
export interface KeyOwner {
  readonly id: string;
  readonly key: SealedKey | null;
  readonly api_key_env: string | null;
}

/** Manages API keys: encrypted in storage, masked in views, decrypted only for a call. */
export interface KeyStore {
  /** Returns the key after a write. An absent value or a mask preserves it; null or "" removes it. */
  update(owner: Pick<KeyOwner, "id" | "key">, sent: string | null | undefined): SealedKey | null;
  /** Returns the same key, encrypted for another record. */
  copyFor(from: KeyOwner, toId: string): SealedKey | null;
  /** Returns the key for a call: the stored one, else that of `api_key_env`, else that of `fallbackVariable`. */
  open(owner: KeyOwner, fallbackVariable: string | null): string | undefined;
}

/** True when a key should not be changed: it is absent, or it is the mask that a form returned. */
export function isUnchanged(sent: string | null | undefined): boolean {
  return sent === undefined || (sent !== null && isMask(sent));
}

export interface KeyStoreDeps {
  readonly secrets: Secrets;
  readonly environment: Environment;
}

export function createKeyStore({ secrets, environment }: KeyStoreDeps): KeyStore {
  const seal = (secret: string, id: string): SealedKey => ({
    sealed: secrets.of(id).seal(secret),
    mask: maskOf(secret),
  });
  return {
    update({ id, key }, sent) {
      if (isUnchanged(sent)) return key;
      return sent ? seal(sent, id) : null;
    },
    copyFor: ({ id, key }, toId) => (key ? seal(secrets.of(id).open(key.sealed), toId) : null),
    open({ id, key, api_key_env }, fallbackVariable) {
      const stored = key ? secrets.of(id).open(key.sealed) : undefined;
      const readVariable = (name: string | null) => (name ? environment.secret(name) : undefined);
      return stored ?? readVariable(api_key_env) ?? readVariable(fallbackVariable);
    },
  };
}
