import type { OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";

/** Registration of this service at a server. */
export interface Registration {
  readonly client: OAuthClientInformationMixed;
  /** Redirect URI of the browser; a client is registered for one. */
  readonly redirectUrl: string;
  readonly discovery: OAuthDiscoveryState;
}

/** Stored sign-in at a server. */
export interface SignIn extends Registration {
  /** Undefined when they expired and were not renewed. */
  readonly tokens: OAuthTokens | undefined;
}

/** Stored state of a started sign-in, until the browser returns. */
export interface Attempt extends Registration {
  /** Digest of the state that the browser returns; the state itself is not stored. */
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
