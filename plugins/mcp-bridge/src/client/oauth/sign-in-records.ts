import type { OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";

/** What a server knows this service as. */
export interface Registration {
  readonly client: OAuthClientInformationMixed;
  /** Where browsers come back to; a client is registered for one address. */
  readonly redirectUrl: string;
  readonly discovery: OAuthDiscoveryState;
}

/** Kept of a server that somebody has signed in to. */
export interface SignIn extends Registration {
  /** Undefined: they are over, and were not renewed. */
  readonly tokens: OAuthTokens | undefined;
}

/** Kept of a sign-in that has begun, until the browser comes back. */
export interface Attempt extends Registration {
  /** Of the state that the browser brings back; it is kept by nobody but the browser. */
  readonly stateDigest: string;
  readonly verifier: string;
  readonly expiresAt: number;
}

export function listSignInSecrets({ client, tokens }: SignIn): readonly (string | undefined)[] {
  return [client.client_secret, tokens?.access_token, tokens?.refresh_token, tokens?.id_token];
}

export function listAttemptSecrets({ client, verifier }: Attempt): readonly (string | undefined)[] {
  return [client.client_secret, verifier];
}
