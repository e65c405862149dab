import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Scopes of an OAuth grant; each includes the ones before it. */
export const GRANT_SCOPES = ["read", "write", "admin"] as const;
/** Scope that a person grants to a program. */
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** Resource that OAuth clients may access: only the MCP endpoint. Provided by the plugin that serves it. */
export interface ProtectedResource {
  /** Returns the resource address for clients that use the host name `host` (`127.0.0.1:5001`); undefined when OAuth login is off. */
  addressAt(host: string): string | undefined;
  /** Default address, used when a request names no host; undefined when OAuth login is off. */
  readonly address: string | undefined;
  /** Scopes that the configuration allows, narrowest first. */
  readonly scopes: readonly GrantScope[];
}
export const ProtectedResource: ServiceKey<ProtectedResource> = serviceKey("protected-resource");

/** A client that a person granted access. */
export interface Grant {
  /** Credential id, stable for the lifetime of the grant while its tokens change. */
  readonly id: string;
  readonly scopes: readonly GrantScope[];
}

/** OAuth grants of clients. Callers must not cache results: a revoked grant fails the next time. */
export interface Grants {
  /** Returns the grant of a token; undefined when it is unknown, expired or revoked, and always when OAuth login is off. */
  authenticate(token: string, address: string): Promise<Grant | undefined>;
  /** Calls back with the id of each grant that ends; returns the unsubscribe. */
  onRevoked(listener: (id: string) => void): () => void;
  /** Returns the OAuth metadata of a resource (RFC 9728); undefined when OAuth login is off. */
  metadata(resource: string, origin?: string): object | undefined;
}
export const Grants: ServiceKey<Grants> = serviceKey("grants");
