import {
  Clock,
  ConfigSections,
  Databases,
  HostControl,
  LiveEvents,
  type Logger,
  ProtectedResource,
  type Resolver,
  Settings,
  Signals,
} from "@parley/core";
import { webSection } from "@parley/core/http";
import { openSharedWindow } from "@parley/core/limits";
import type { SignIn } from "../sign-in/sign-in.ts";
import { type AuthorizationServer, createAuthorizationServer } from "./authorization-server.ts";
import { type Authorize, createAuthorize } from "./authorize.ts";
import { type Clients, createClients, WINDOW_MS } from "./clients.ts";
import type { GrantStore } from "./grants/grant-store.ts";
import { createGrantStore } from "./grants/grants.ts";
import { OAUTH_ENABLED } from "./setting.ts";

export interface OAuth {
  readonly grants: GrantStore;
  readonly clients: Clients;
  readonly server: AuthorizationServer;
  readonly authorize: Authorize;
}

export interface OAuthOptions {
  readonly signIn: () => SignIn;
  readonly log: Logger;
}

export function makeOAuth(from: Resolver, { signIn, log }: OAuthOptions): OAuth {
  const database = () => from.get(Databases).main;
  const clock = from.get(Clock);
  const grants = createGrantStore({
    database,
    signals: () => from.find(Signals),
    events: from.get(LiveEvents),
    clock,
    log,
  });
  const clients = createClients({
    database,
    clock,
    registrationWindow: openSharedWindow(from, "oauth-clients", WINDOW_MS),
  });
  const authServer = createAuthorizationServer({
    grants,
    resource: () => from.find(ProtectedResource),
    isEnabled: () => from.find(Settings)?.get(OAUTH_ENABLED) ?? true,
    publicOrigin: () =>
      URL.parse(webSection(from.get(ConfigSections), from.find(Settings)).public_base_url ?? "")?.origin,
    ownOrigin: () => getServerOrigin(from.find(HostControl)?.server),
  });
  const authorize = createAuthorize({
    clients,
    grants,
    server: authServer,
    signIn,
    log,
  });
  return { grants, clients, server: authServer, authorize };
}

/** Returns the address at which local programs reach the console; undefined without a listening server. */
function getServerOrigin(server: HostControl["server"]): string | undefined {
  const bound = server?.address();
  if (typeof bound !== "object" || bound === null) return undefined;
  const isAny = bound.address === "::" || bound.address === "0.0.0.0";
  const host = isAny ? "127.0.0.1" : bound.address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`;
}
