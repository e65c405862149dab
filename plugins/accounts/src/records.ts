import type { Common, DocumentKind, Scope } from "@parley/core";
import type { EndedLogin } from "./credentials/ended-logins.ts";
import type { Role } from "./people/roles.ts";

export interface Account {
  readonly id: string;
  readonly username: string;
  /** `scrypt$N$r$p$<salt>$<hash>` */
  readonly password_hash: string;
  readonly created_at: string;
  /** Role of the account; absent for an administrator. */
  readonly role?: Role;
  /** Creator of an account from the console. Absent in the service's own account, which the environment can change. */
  readonly made_by?: string;
  /** Hash of the last password from the environment; an equal one is not applied again. */
  readonly environment_hash?: string;
  /** Time of the last change; absent when the account was never changed. */
  readonly updated_at?: string;
  readonly revision?: number;
}

/** A stored login token. Its text is shown once, and only its hash is stored. */
export interface StoredToken {
  /** SHA-256 of the text, in hex. */
  readonly id: string;
  readonly token_prefix: string;
  readonly username: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly ip_address: string;
  /** Name of the account whose rights it has. */
  readonly created_by: string;
  readonly last_used_at: string | null;
  /** Upper limit for the lifetime of credentials made with it, from the API key behind it. */
  readonly ends_by?: string;
  /** API key that created it; null when a person did, absent in records of earlier versions. */
  readonly made_by?: string | null;
  /** User agent of the browser that signed in. */
  readonly user_agent?: string;
}

export interface TokenView extends Omit<StoredToken, "id" | "ends_by" | "user_agent" | "made_by"> {
  readonly made_by: string | null;
  readonly hash_full: string;
  /** Browser and system that signed in; null for a token for another use. */
  readonly device: string | null;
  /** True for the credential of this request. */
  readonly current: boolean;
}

export interface StoredKey extends Common {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly enabled: boolean;
  readonly expires_at: string | null;
  readonly rate_limit_per_minute: number;
  readonly key_prefix: string;
  readonly created_by: string;
  readonly last_used_at: string | null;
  readonly last_used_ip: string | null;
  /** API key that created it; null when a person did, absent in records of earlier versions. */
  readonly made_by?: string | null;
  /** SHA-256 of the secret, in hex. */
  readonly hash: string;
}

export type KeyView = Omit<StoredKey, "hash" | "made_by"> & { readonly made_by: string | null };

export const ACCOUNTS: DocumentKind<Account> = { name: "accounts" };
export const LOGIN_TOKENS: DocumentKind<StoredToken> = { name: "login-tokens" };
export const API_KEYS: DocumentKind<StoredKey> = { name: "api-keys" };
export const ENDED_LOGINS: DocumentKind<EndedLogin> = { name: "ended-logins" };
