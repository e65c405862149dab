import type { Common, Scope } from "@parley/core";

/** An administrator; made at the first start. */
export interface Account {
  readonly id: string;
  readonly username: string;
  /** `scrypt$N$r$p$<salt>$<hash>` */
  readonly password_hash: string;
  readonly created_at: string;
}

/** A login token as kept: its text is shown once and stored only as a hash. */
export interface StoredToken {
  /** SHA-256 of the text, in hex. */
  readonly id: string;
  readonly token_prefix: string;
  readonly username: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly ip_address: string;
  /** The account whose rights it has. */
  readonly created_by: string;
  readonly last_used_at: string | null;
  /** Nothing made with it lives longer: it goes back to an API key that ends then. */
  readonly ends_by?: string;
}

export interface ShownToken extends Omit<StoredToken, "id" | "ends_by"> {
  readonly hash_full: string;
  /** The credential of this request. */
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
  /** SHA-256 of the secret, in hex. */
  readonly hash: string;
}

export type ShownKey = Omit<StoredKey, "hash">;
