import type { ConsoleArea } from "@parley/core";
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
    id: "access",
    group: "safety",
    title: { en: "Sign-ins", zh: "登录管理" },
    icon: "people",
    order: 30,
    view: { kind: "page", page: "access" },
  },
];
