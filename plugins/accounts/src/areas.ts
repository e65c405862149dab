import type { ConsoleArea } from "@parley/core";
import { oauthGrants } from "./oauth/grant-records.ts";
import { apiKeys } from "./schema.ts";

/** Who may come in: programs, and people where they are signed in. */
export const OWN_AREAS: readonly ConsoleArea[] = [
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
    title: { en: "Sign-ins", zh: "登录管理" },
    icon: "people",
    order: 30,
    view: { kind: "page", page: "access" },
  },
];
