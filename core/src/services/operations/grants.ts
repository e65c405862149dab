import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** What a person lets a client do; each holds those before it. */
export const GRANT_SCOPES = ["read", "write", "admin"] as const;
/** What a program may be allowed to do for a person. */
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** What clients that log in by OAuth are let into: the MCP endpoint, and nothing else. Provided by who serves it. */
export interface ProtectedResource {
  /** Its address for clients that reach it under the name `host` (`127.0.0.1:5001`); undefined where nobody may log in. */
  addressAt(host: string): string | undefined;
  /** The address that is told where it was not asked under a name of its own; undefined: nobody may log in. */
  readonly address: string | undefined;
  /** What the configuration lets anybody have, the narrowest first. */
  readonly scopes: readonly GrantScope[];
}
export const ProtectedResource: ServiceKey<ProtectedResource> = serviceKey("protected-resource");

/** A client that a person has let in. */
export interface Grant {
  /** The credential: the same for as long as the client is let in, whatever its tokens are. */
  readonly id: string;
  readonly scopes: readonly GrantScope[];
}

/** What clients that log in by OAuth may do. Nothing is cached by those who ask: what is taken back fails the next time. */
export interface Grants {
  /** Undefined for a token that is unknown, over or taken back, and for all of them where nobody may log in. */
  authenticate(token: string, address: string): Promise<Grant | undefined>;
  /** Calls back with the id of each grant that ends; returns the unsubscribe. */
  onRevoked(listener: (id: string) => void): () => void;
  /** Where a client learns how to log in for a resource (RFC 9728); undefined where nobody may. */
  metadata(resource: string, origin?: string): object | undefined;
}
export const Grants: ServiceKey<Grants> = serviceKey("grants");
