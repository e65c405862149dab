import type { ConsoleArea } from "@parley/core";
import { oauthGrants } from "./oauth/grants/grant-records.ts";
import { accountResource } from "./people/account-schema.ts";
import { apiKeys } from "./schema.ts";

/** The console's areas for accounts, API keys, OAuth grants and one's own account. */
export const OWN_AREAS: readonly ConsoleArea[] = [
  {
    id: "accounts",
    group: "safety",
    title: accountResource.title.many,
    icon: "people",
    order: 15,
    scope: "admin",
    view: { kind: "resource", resource: accountResource.kind },
  },
  {
    id: "api-keys",
    group: "safety",
    title: apiKeys.title.many,
    icon: "key",
    order: 20,
    scope: "admin",
    view: { kind: "resource", resource: apiKeys.kind },
  },
  {
    id: "oauth-grants",
    group: "safety",
    title: oauthGrants.title.many,
    icon: "key",
    order: 25,
    scope: "admin",
    view: { kind: "resource", resource: oauthGrants.kind },
  },
  {
    id: "access",
    group: "safety",
    title: { en: "My account", zh: "我的账户" },
    icon: "shield",
    order: 30,
    view: { kind: "page", page: "access" },
  },
];
