import type { Caller, GrantScope } from "@parley/core";
import type { GrantRow } from "../tables.ts";
import type { TokenResponse } from "./issued-tokens.ts";

/** A person's consent to a client. */
export interface Consent {
  readonly clientId: string;
  readonly caller: Pick<Caller, "accountId" | "username">;
  readonly scopes: readonly GrantScope[];
  readonly resource: string;
  readonly redirectUri: string;
  readonly challenge: string;
}

export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly resource: string | undefined;
}

export interface Renewal {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resource: string | undefined;
}

/** OAuth grants of clients. Reads go to the database, so revocations apply at once. */
export interface GrantStore {
  /** Returns the code that the client exchanges for tokens, once and within a minute. */
  allow(consent: Consent): Promise<string>;
  exchange(asked: CodeExchange): Promise<TokenResponse>;
  /** Issues new tokens for the current refresh token; a token that was already renewed ends the whole grant. */
  renew(asked: Renewal): Promise<TokenResponse>;
  /** Returns the grant of a valid access token. */
  findByAccessToken(token: string, address: string): Promise<GrantRow | undefined>;
  /** Ends the grant of a valid access or refresh token; ignores anything else. */
  revokeToken(token: string, clientId: string | undefined): Promise<void>;
  list(): Promise<readonly GrantRow[]>;
  get(id: string): Promise<GrantRow | undefined>;
  /** Deletes the grant; resolves to true when it existed. */
  remove(id: string): Promise<boolean>;
  removeByUser(username: string): Promise<void>;
  onRevoked(listener: (id: string) => void): () => void;
}
