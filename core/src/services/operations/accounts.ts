import type { AppError } from "../../errors.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Scopes of credentials; `admin` includes all. */
export const SCOPES = ["read", "chat", "write", "admin", "mcp"] as const;
/** Scope of a caller. */
export type Scope = (typeof SCOPES)[number];

/** Authenticated caller of one request. */
export interface Caller {
  readonly kind: "login" | "api_key" | "anonymous";
  /** Hash of the login token or id of the API key; "" when anonymous. */
  readonly credentialId: string;
  /** Id of the account whose rights the caller has; "" when anonymous. */
  readonly accountId: string;
  readonly username: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601; undefined when it does not expire. */
  readonly expiresAt?: string;
  /** Requests per minute; 0 = unlimited. */
  readonly rateLimitPerMinute: number;
  /** API key that created the login token, or `unknown` where nothing proves that a person signed in. */
  readonly madeBy?: string;
}

/** The caller without a login. */
export const ANONYMOUS: Caller = {
  kind: "anonymous",
  credentialId: "",
  accountId: "",
  username: "",
  scopes: [],
  rateLimitPerMinute: 0,
};

/** Returns true when the caller has the scope; `admin` has every scope. */
export function hasScope({ scopes }: Pick<Caller, "scopes">, scope: Scope): boolean {
  return scopes.includes(scope) || scopes.includes("admin");
}

/** Returns true for a person who signed in; tokens made with an API key count as programs. */
export function isPerson({ kind, madeBy }: Pick<Caller, "kind" | "madeBy">): boolean {
  return kind === "login" && madeBy === undefined;
}

/** Authenticates secrets as callers. Callers must not cache results: a revoked secret fails the next time. */
export interface Accounts {
  /** Returns the caller of a secret; undefined when it is unknown, expired, revoked or disabled. `address` is stored as last used. */
  authenticate(secret: string, address: string): Promise<Caller | undefined>;
  /**
   * Returns the reason a secret is rejected, as an `unauthorized` error with the facts in its detail; undefined when
   * unknown. Answers only for the complete secret of a formerly valid credential. Absent where no reasons are stored.
   */
  refusal?(secret: string): Promise<AppError | undefined>;
  /** Calls back with the credential id of each token or key that stops being valid; returns the unsubscribe. */
  onRevoked(listener: (credentialId: string) => void): () => void;
  /** Returns the expiry of a valid token or key; undefined when it is unknown, expired, revoked or disabled. */
  inForce(credentialId: string): Pick<Caller, "expiresAt"> | undefined;
  /** Returns the current scopes of the named account; empty when it does not exist. Absent where accounts have no names. */
  scopesOf?(username: string): Promise<readonly Scope[]>;
  /** Returns true when an enabled API key has this scope. */
  hasKeyFor(scope: Scope): boolean;
}

export const Accounts: ServiceKey<Accounts> = serviceKey("accounts");
