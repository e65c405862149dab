import type { AppError } from "../../errors.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** What a credential may do; `admin` covers all. */
export const SCOPES = ["read", "chat", "write", "admin", "mcp"] as const;
/** What a caller may do. */
export type Scope = (typeof SCOPES)[number];

/** Who asks, as established for this one request. */
export interface Caller {
  readonly kind: "login" | "api_key" | "anonymous";
  /** Of the credential: the token's hash or the key's id; "" when anonymous. */
  readonly credentialId: string;
  /** The account whose rights it has; "" when anonymous. */
  readonly accountId: string;
  readonly username: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601; undefined: does not expire. */
  readonly expiresAt?: string;
  /** Requests per minute; 0 = unlimited. */
  readonly rateLimitPerMinute: number;
  /** The API key that a login token was made with, or `unknown` where nothing proves that a person signed in for it. */
  readonly madeBy?: string;
}

/** Who has not signed in. */
export const ANONYMOUS: Caller = {
  kind: "anonymous",
  credentialId: "",
  accountId: "",
  username: "",
  scopes: [],
  rateLimitPerMinute: 0,
};

/** Whether a caller may do what a scope stands for; an administrator may everything. */
export function hasScope({ scopes }: Pick<Caller, "scopes">, scope: Scope): boolean {
  return scopes.includes(scope) || scopes.includes("admin");
}

/** Whether a person who signed in asks; what an API key makes stays a program. */
export function isPerson({ kind, madeBy }: Pick<Caller, "kind" | "madeBy">): boolean {
  return kind === "login" && madeBy === undefined;
}

/** Turns a secret into a caller. Nothing is cached by those who ask: a revoked secret fails the next time. */
export interface Accounts {
  /** Undefined for a secret that is unknown, expired, revoked or disabled. `address` is noted as last used. */
  authenticate(secret: string, address: string): Promise<Caller | undefined>;
  /**
   * Why this secret is refused, as `unauthorized` with what holds in its detail; undefined: nothing is known of it. Who does not
   * show the whole secret of what once was valid learns nothing. Absent where no reasons are kept.
   */
  refusal?(secret: string): Promise<AppError | undefined>;
  /** Calls back with the credential id of each token or key that stops being valid; returns the unsubscribe. */
  onRevoked(listener: (credentialId: string) => void): () => void;
  /** Until when a token or key holds; undefined: it is unknown, expired, revoked or disabled. */
  inForce(credentialId: string): Pick<Caller, "expiresAt"> | undefined;
  /** What the account of this name may do by now; nothing where there is none. Absent where there are no accounts by name. */
  scopesOf?(username: string): Promise<readonly Scope[]>;
  /** Whether an enabled API key has this scope. */
  hasKeyFor(scope: Scope): boolean;
}

export const Accounts: ServiceKey<Accounts> = serviceKey("accounts");
