import { GRANT_SCOPES, type Grant, type GrantScope, type Grants, type ProtectedResource } from "@parley/core";
import type { GrantStore } from "./grants/grant-store.ts";

/** OAuth login of clients: the protected resource, the issuer and the metadata. */
export interface AuthorizationServer extends Grants {
  /** Returns the protected resource; undefined when OAuth login is off or nothing is served. */
  resource(): ProtectedResource | undefined;
  /** Returns the address of this authorization server. */
  issuer(origin: string): string;
  /** Ends all sessions of clients with a grant; the grants remain. */
  suspend(): Promise<void>;
}

export interface AuthorizationServerDeps {
  readonly grants: GrantStore;
  readonly resource: () => ProtectedResource | undefined;
  readonly isEnabled: () => boolean;
  /** The origin of `web.public_base_url`. */
  readonly publicOrigin: () => string | undefined;
  /** Returns the origin of the console; undefined without one. */
  readonly ownOrigin: () => string | undefined;
}

export function createAuthorizationServer(deps: AuthorizationServerDeps): AuthorizationServer {
  const { grants, resource, isEnabled, publicOrigin, ownOrigin } = deps;
  const listeners = new Set<(id: string) => void>();
  const getServedResource = () => {
    const found = isEnabled() && ownOrigin() !== undefined ? resource() : undefined;
    return found?.address === undefined ? undefined : found;
  };
  const issuer = (origin: string) => publicOrigin() ?? origin;
  return {
    resource: getServedResource,
    issuer,
    async authenticate(token, address): Promise<Grant | undefined> {
      if (!token.startsWith("oat_") || !getServedResource()) return undefined;
      const grant = await grants.findByAccessToken(token, address);
      return grant && { id: grant.id, scopes: parseScopes(grant.scopes) };
    },
    onRevoked(listener) {
      listeners.add(listener);
      const forget = grants.onRevoked(listener);
      return () => {
        listeners.delete(listener);
        forget();
      };
    },
    async suspend() {
      for (const { id } of await grants.list()) for (const listener of listeners) listener(id);
    },
    metadata(address, origin = ownOrigin()) {
      const protectedResource = getServedResource();
      if (!protectedResource || origin === undefined) return undefined;
      return {
        resource: address,
        resource_name: "Parley (MCP)",
        authorization_servers: [issuer(origin)],
        scopes_supported: protectedResource.scopes,
        bearer_methods_supported: ["header"],
      };
    },
  };
}

export function parseScopes(text: string): readonly GrantScope[] {
  const given = text.split(" ");
  return GRANT_SCOPES.filter((scope) => given.includes(scope));
}
