import Joi from "@hapi/joi";
import {
  AppError,
  type Clock,
  checkRevision,
  displayName,
  GRANT_SCOPES,
  type GrantScope,
  notFound,
  type ResourceRecords,
  resource,
  timestamp,
  toRecordPage,
  withLabel,
} from "@parley/core";
import { parseScopes } from "../authorization-server.ts";
import type { GrantRow } from "../tables.ts";
import type { GrantStore } from "./grant-store.ts";

export interface GrantFields {
  readonly name: string;
  readonly scopes: readonly GrantScope[];
}

const toTitle = (en: string, zh: string) => ({ title: { en, zh } });

/** Clients with access: listed beside API keys, and revoked there. */
export const oauthGrants = resource<GrantFields>({
  kind: "oauth_grant",
  path: "/api/oauth-grants",
  param: "grant_id",
  idPrefix: "grant",
  verbs: ["list", "get", "remove"],
  title: {
    one: { en: "client with access", zh: "已授权的客户端" },
    many: { en: "clients with access", zh: "已授权的客户端" },
  },
  about: {
    en: "MCP clients that were given access on the sign-in page. Deleting one revokes its access immediately.",
    zh: "在登录页面上获得授权的 MCP 客户端。删除后立即失去访问权限。",
  },
  fields: {
    name: withLabel(displayName(100).required(), toTitle("Client", "客户端")),
    scopes: withLabel(
      Joi.array()
        .items(Joi.string().valid(...GRANT_SCOPES))
        .required(),
      {
        ...toTitle("Permissions", "权限"),
        options: {
          read: { en: "Read", zh: "查看" },
          write: { en: "Change", zh: "修改" },
          admin: { en: "Administer", zh: "管理" },
        },
      },
    ),
  },
  derived: {
    username: withLabel(Joi.string().required(), toTitle("Allowed by", "授权者")),
    last_used_at: withLabel(timestamp().allow(null).required(), toTitle("Last used", "最近使用")),
    last_used_ip: withLabel(Joi.string().allow(null).required(), toTitle("Last used from", "最近来源")),
    expires_at: withLabel(timestamp().required(), toTitle("Expires if unused", "不使用则到期")),
  },
  search: ["name"],
  sort: ["-created_at", "name"],
  scopes: { read: "admin", change: "admin" },
  columns: ["name", "scopes", "username", "created_at", "last_used_at", "expires_at"],
});

export function createGrantRecords(grants: GrantStore, clock: Clock): ResourceRecords<GrantFields> {
  const found = async (id: string) => {
    const row = await grants.get(id);
    if (!row || Number(row.expires_at) <= clock.now()) throw notFound("grant", id);
    return row;
  };
  return {
    page: async (query) => toRecordPage(oauthGrants, (await grants.list()).map(toGrantView), query),
    get: async (id) => toGrantView(await found(id)),
    create: rejectCreate,
    change: rejectCreate,
    async remove(id, { ifMatch }) {
      checkRevision(await found(id), ifMatch);
      await grants.remove(id);
    },
  };
}

/** Rejects creation: clients get access only through their own login. */
async function rejectCreate(): Promise<never> {
  throw new AppError("bad_request", "a client gets access on its own way only");
}

function toGrantView(row: GrantRow) {
  const iso = (ms: number | string) => new Date(Number(ms)).toISOString();
  return {
    id: row.id,
    name: row.client_name,
    scopes: parseScopes(row.scopes),
    username: row.username,
    last_used_at: row.last_used_at === null ? null : iso(row.last_used_at),
    last_used_ip: row.last_used_ip,
    expires_at: iso(row.expires_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    revision: row.revision,
  };
}
